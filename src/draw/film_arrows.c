/* Impulses (percussions) as arrows: the tip is where the bodies touch, the shaft lies on the side
 * that pushes.
 *
 * A frame shows the sum of the percussions since the frame before. An impact lasts one step and
 * would be seen for one frame: an arrow shrinks slowly instead. Its length is as the square root of
 * the percussion, so that contact forces can be seen beside impacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/film.h"
#include "draw/found_frames.h"
#include "study/unit_text.h"

static const double FADING = 0.8; /* what is left of an arrow after a frame */

/* The percussions of a contact on the page: for each frame a point and a vector [N s]. */
typedef struct impulses {
  double* at;      /* frames x 2 [pixels] */
  double* impulse; /* frames x 2, as seen on the page */
} impulses;

static pc_status find_impulses(const scene* s, const page* p, const pc_shape* shape, impulses* to,
                               pc_error* error)
{
  const motion* m = s->motion;
  for (int k = 0; k < p->frames; k++) {
    double x[3], P[3];
    const double* q = m->q + (size_t)k * (size_t)pc_system_q_count(m->system);
    if (shape->kind == PC_SHAPE_NONE)
      frame_position(m, k, &shape->at[0], x);
    else
      pc_shape_contact_point(m->system, shape, q, x);
    pc_status status = frame_percussion(m, k, shape, P, error);
    if (status != PC_OK) return status;
    on_page(p, x, to->at + 2 * k);
    to->impulse[2 * k] = to->impulse[2 * k + 1] = 0;
    for (int i = 0; i < 3; i++) {
      to->impulse[2 * k] += p->right[i] * P[i];
      to->impulse[2 * k + 1] -= p->up[i] * P[i];
    }
  }
  return PC_OK;
}

/* An arrow goes on where it was, shorter, until a longer one comes. */
static double fade(const page* p, const impulses* of)
{
  double largest = 0;
  for (int k = 0; k < p->frames; k++) {
    double *now = of->impulse + 2 * k, size = hypot(now[0], now[1]);
    largest = fmax(largest, size);
    if (k == 0 || size >= FADING * FADING * hypot(now[-2], now[-1])) continue;
    for (int i = 2 * k; i < 2 * k + 2; i++) {
      of->impulse[i] = FADING * FADING * of->impulse[i - 2];
      of->at[i] = of->at[i - 2];
    }
  }
  return largest;
}

enum { ARROW_POINTS = 7 };

static const double SHORTEST = 1.5; /* of an arrow that is seen [pixels] */

/* Seven corners; all in one point where there is no percussion. */
static void shape_arrow(const double at[2], const double impulse[2], double length, double xy[14])
{
  static const double corner[ARROW_POINTS][2] = {{0, 0},      {-1, 0.55},  {-1, 0.18}, {-9, 0.18},
                                                 {-9, -0.18}, {-1, -0.18}, {-1, -0.55}};
  double size = hypot(impulse[0], impulse[1]), head = fmin(18, 0.45 * length);
  for (int k = 0; k < ARROW_POINTS; k++) {
    double along = corner[k][0] < -1 ? -length : corner[k][0] * head;
    double across = corner[k][1] * head;
    double e[2] = {size > 0 ? impulse[0] / size : 0, size > 0 ? impulse[1] / size : 0};
    int shown = length >= SHORTEST;
    xy[2 * k] = at[0] + (shown ? along * e[0] - across * e[1] : 0);
    xy[2 * k + 1] = at[1] + (shown ? along * e[1] + across * e[0] : 0);
  }
}

static double arrow_length(const page* p, const impulses* of, double largest, int frame)
{
  double longest = 0.13 * fmin(p->width, 2 * (p->bottom - p->top));
  return longest * sqrt(hypot(of->impulse[2 * frame], of->impulse[2 * frame + 1]) / largest);
}

/* The corners of one contact's arrow in all frames: frames x ARROW_POINTS x 2. */
static void shape_arrows(const page* p, const impulses* of, double largest, double* xy)
{
  for (int k = 0; k < p->frames; k++)
    shape_arrow(of->at + 2 * k, of->impulse + 2 * k, arrow_length(p, of, largest, k),
                xy + 2 * ARROW_POINTS * k);
}

/* Beside the line below the title, or under it where the page is narrow. */
static void put_legend(const page* p, double largest, FILE* to)
{
  int narrow = p->width < NARROW_PAGE;
  fprintf(to,
          "<g font-size=\"%.3g\" fill=\"#333333\"><text x=\"%d\" y=\"%d\"%s>"
          "impulses, the largest %s</text></g>\n",
          p->text, narrow ? 18 : p->width - 18, narrow ? 64 : 44,
          narrow ? "" : " text-anchor=\"end\"", with_unit(largest, "N s").text);
}

/* ---- contacts between shapes ----------------------------------------------------------------- */

enum { FOUND_MAX = 40 }; /* that have an arrow: those with the largest impulses */

/* A contact between shapes and its largest impulse. */
typedef struct ranked {
  pc_contact_key key;
  double size;
} ranked;

static int by_key(const void* a, const void* b)
{
  return pc_contact_key_compare(&((const ranked*)a)->key, &((const ranked*)b)->key);
}

static int larger_first(const void* a, const void* b)
{
  const ranked *x = a, *y = b;
  if (x->size != y->size) return x->size < y->size ? 1 : -1;
  return by_key(a, b);
}

/* The contacts with the largest impulses, sorted by keys; to be freed, NULL if there is no
 * memory. */
static ranked* rank_found(const found_frames* found, int* count)
{
  ranked* list = malloc((found->count + 1) * sizeof *list);
  size_t kept = 0;
  *count = 0;
  if (!list) return NULL;
  for (size_t i = 0; i < found->count; i++)
    list[i] = (ranked){found->item[i].key, found->item[i].size};
  if (found->count > 0) qsort(list, found->count, sizeof *list, by_key);
  for (size_t i = 0; i < found->count; i++) {
    if (kept == 0 || by_key(&list[kept - 1], &list[i]) != 0) list[kept++] = list[i];
    list[kept - 1].size = fmax(list[kept - 1].size, list[i].size);
  }
  if (kept > FOUND_MAX) {
    qsort(list, kept, sizeof *list, larger_first);
    kept = FOUND_MAX;
    qsort(list, kept, sizeof *list, by_key);
  }
  *count = (int)kept;
  return list;
}

/* The point and vector of a contact between shapes in a frame, as seen on the page. */
static void put_found(const page* p, const found_impulse* from, int frame, const impulses* to)
{
  double* impulse = to->impulse + 2 * frame;
  on_page(p, from->at, to->at + 2 * frame);
  for (int i = 0; i < 3; i++) {
    impulse[0] += p->right[i] * from->P[i];
    impulse[1] -= p->up[i] * from->P[i];
  }
}

/* All contacts in one block of memory: points and vectors of each, and the corners of one. Those
 * between shapes come behind the others. */
typedef struct quiver {
  double *numbers, *corners;
  int count;
  int listed;     /* those that are not between shapes */
  double largest; /* [N s] */
} quiver;

static impulses impulses_of(const quiver* a, const page* p, int contact)
{
  double* first = a->numbers + 4 * (size_t)contact * (size_t)p->frames;
  return (impulses){first, first + 2 * p->frames};
}

/* A contact between shapes comes and goes, and where it is between is not known: what is not seen
 * waits where it will be seen next, or stays, so that no arrow flies in between two frames. Returns
 * whether any is seen. */
static int place_unseen(const page* p, const impulses* of, double largest)
{
  int next = -1, seen = 0;
  for (int k = p->frames - 1; k >= 0; k--) {
    if (arrow_length(p, of, largest, k) >= SHORTEST) {
      next = k;
      seen = 1;
    } else if (next >= 0) {
      memcpy(of->at + 2 * k, of->at + 2 * next, 2 * sizeof *of->at);
    }
  }
  return seen;
}

/* Whether contact c has an arrow, which is then shaped. */
static int shape_arrows_of(const quiver* a, const page* p, int c)
{
  impulses of = impulses_of(a, p, c);
  if (c >= a->listed && !place_unseen(p, &of, a->largest)) return 0;
  shape_arrows(p, &of, a->largest, a->corners);
  return 1;
}

static void fill_found(const page* p, const found_frames* found, const ranked* list, int count,
                       int first, quiver* a)
{
  for (int k = 0; k < p->frames; k++)
    for (size_t i = found->first[k]; i < found->first[k + 1]; i++) {
      const ranked key = {found->item[i].key, 0};
      const ranked* place = bsearch(&key, list, (size_t)count, sizeof *list, by_key);
      impulses of = impulses_of(a, p, place ? first + (int)(place - list) : 0);
      if (place) put_found(p, &found->item[i], k, &of);
    }
  for (int c = first; c < first + count; c++) {
    impulses of = impulses_of(a, p, c);
    a->largest = fmax(a->largest, fade(p, &of));
  }
}

static pc_status fill_listed(const scene* s, const page* p, quiver* a, pc_error* error)
{
  for (int c = 0; c < s->contact_count; c++) {
    impulses of = impulses_of(a, p, c);
    pc_status status = find_impulses(s, p, &s->contact[c], &of, error);
    if (status != PC_OK) return status;
    a->largest = fmax(a->largest, fade(p, &of));
  }
  return PC_OK;
}

/* The caller frees `numbers`, also after a failure. */
static pc_status fill_quiver(const scene* s, const page* p, quiver* a, pc_error* error)
{
  size_t frames = (size_t)p->frames;
  int found_count = 0;
  found_frames found;
  *a = (quiver){0};
  pc_status status = read_found_frames(s->motion, 1000, &found, error);
  ranked* list = status == PC_OK ? rank_found(&found, &found_count) : NULL;
  if (status == PC_OK && !list) status = PC_OUT_OF_MEMORY;
  if (status == PC_OK) {
    a->listed = s->contact_count;
    a->count = a->listed + found_count;
    a->numbers = calloc(frames * (4 * (size_t)a->count + 2 * ARROW_POINTS), sizeof *a->numbers);
    if (!a->numbers) status = PC_OUT_OF_MEMORY;
  }
  if (status == PC_OK) {
    a->corners = a->numbers + 4 * (size_t)a->count * frames;
    status = fill_listed(s, p, a, error);
  }
  if (status == PC_OK) fill_found(p, &found, list, found_count, s->contact_count, a);
  free(list);
  release_found_frames(&found);
  return status;
}

pc_status find_reach_of_arrows(const scene* s, const page* p, double low[2], double high[2],
                               pc_error* error)
{
  quiver a;
  pc_status status = fill_quiver(s, p, &a, error);
  for (int i = 0; i < 2; i++) low[i] = INFINITY, high[i] = -INFINITY;
  for (int c = 0; status == PC_OK && a.largest > 0 && c < a.count; c++) {
    if (!shape_arrows_of(&a, p, c)) continue;
    for (int k = 0; k < 2 * ARROW_POINTS * p->frames; k++) {
      low[k % 2] = fmin(low[k % 2], a.corners[k]);
      high[k % 2] = fmax(high[k % 2], a.corners[k]);
    }
  }
  free(a.numbers);
  return status;
}

pc_status draw_arrows(const scene* s, const page* p, FILE* to, pc_error* error)
{
  quiver a;
  pc_status status = fill_quiver(s, p, &a, error);
  for (int c = 0; status == PC_OK && a.largest > 0 && c < a.count; c++) {
    if (!shape_arrows_of(&a, p, c)) continue;
    moving_path path = {a.corners, ARROW_POINTS, 1, 0, c >= a.listed};
    put_path(to, p, &path, "class=\"percussion\" fill=\"#D55E00\"");
  }
  if (status == PC_OK && a.largest > 0) put_legend(p, a.largest, to);
  free(a.numbers);
  return status;
}
