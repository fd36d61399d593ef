#include "draw/view.h"

#include <stdlib.h>
#include <string.h>

#include "draw/json.h"
#include "study/error.h"

/* Made from web/dist/view.html by cmake/embed.cmake; empty if that was missing. */
extern const unsigned char percuss_view_page[];
extern const size_t percuss_view_page_size;

static const char MARK[] = "@PERCUSS_DATA@"; /* where the data go */

/* Numbers of a page of some 3 MB; beyond that the page grows with the bodies alone. */
static const long COORDINATES_MAX = 5000000;
static const size_t NUMBERS = 450000, IMPULSES_LEAST = 3500, IMPULSES_MOST = 40000;
static const long SERIES_LEAST = 28000, SERIES_MOST = 80000;

int has_view_page(void)
{
  return percuss_view_page_size > 0;
}

/* The place of the mark in the page. */
static const unsigned char* find_mark(void)
{
  const unsigned char* end = percuss_view_page + percuss_view_page_size;
  for (const unsigned char* at = percuss_view_page; at + sizeof MARK <= end; at++)
    if (*at == '@' && !memcmp(at, MARK, sizeof MARK - 1)) return at;
  return NULL;
}

/* How many impulses fit beside the poses; one takes seven numbers. */
static size_t choose_impulses(const motion* m)
{
  size_t poses = (size_t)m->frame_count * (size_t)pc_system_q_count(m->system);
  size_t most = poses < NUMBERS ? (NUMBERS - poses) / 7 : 0;
  return most < IMPULSES_LEAST ? IMPULSES_LEAST : most > IMPULSES_MOST ? IMPULSES_MOST : most;
}

/* The same for the quantities over time. */
static long choose_numbers(const motion* m)
{
  size_t poses = (size_t)m->frame_count * (size_t)pc_system_q_count(m->system);
  return poses < NUMBERS / 2 ? SERIES_MOST : SERIES_LEAST;
}

static pc_status put_scene_of(const motion* m, const view_options* o, FILE* to, pc_error* error)
{
  scene s = {0};
  pc_status status = make_scene(m, &s, error);
  if (status == PC_OK) status = put_view_scene(to, &s, error);
  if (status == PC_OK) status = put_view_contacts(to, &s, choose_impulses(m), error);
  if (status == PC_OK) status = put_view_series(to, m, o, choose_numbers(m), error);
  if (status == PC_OK) status = put_view_digest(to, m, error);
  release_scene(&s);
  return status;
}

static pc_status put_result(const pc_result* result, const view_options* o, FILE* to,
                            pc_error* error)
{
  motion m = {0};
  motion_options frames = o->motion;
  frames.coordinates_max = COORDINATES_MAX;
  pc_status status = read_motion(result, &frames, &m, error);
  if (status == PC_OK) {
    const char* name = strrchr(pc_result_path(result), '/');
    fputs("{\"file\":", to);
    put_json_text(to, name ? name + 1 : pc_result_path(result));
    fputs(",\"title\":", to);
    put_json_text(to, o->title ? o->title : pc_model_title(m.model));
    fputs(",\n", to);
    status = put_scene_of(&m, o, to, error);
    fputs("\"version\":1}", to);
  }
  release_motion(&m);
  return status;
}

pc_status draw_view(const pc_result* const* result, int count, const view_options* o, FILE* to,
                    pc_error* error)
{
  const unsigned char* mark = has_view_page() ? find_mark() : NULL;
  if (!mark)
    return set_error(error, PC_BAD_ARGUMENT,
                     "this percuss was built without the viewer page: run 'make web' in its source "
                     "folder (it needs npm) and build it again");
  fwrite(percuss_view_page, 1, (size_t)(mark - percuss_view_page), to);
  fputs("[\n", to);
  pc_status status = PC_OK;
  for (int i = 0; status == PC_OK && i < count; i++) {
    if (i > 0) fputs(",\n", to);
    status = put_result(result[i], o, to, error);
  }
  fputs("\n]", to);
  const unsigned char* rest = mark + sizeof MARK - 1;
  fwrite(rest, 1, percuss_view_page_size - (size_t)(rest - percuss_view_page), to);
  return status;
}
