#include "draw/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/error.h"

enum { OVERRIDES_MAX = 256, FRAMES_MAX = 5000 };

static const double USUAL_FPS = 25, SHORTEST = 6, LONGEST = 24; /* frames/s, s, s */
static const double TURN_MAX = 0.5; /* of a body between two frames [rad] */

/* ---- the model as it was run -------------------------------------------------------------- */

/* The overrides among the lines of a run's options, "set:name=value"; splits the text. */
static int find_overrides(char* text, pc_override* override)
{
  int count = 0;
  for (char* line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    char* equals = strchr(line, '=');
    if (strncmp(line, "set:", 4) != 0 || !equals || count == OVERRIDES_MAX) continue;
    *equals = '\0';
    override[count++] = (pc_override){line + 4, equals + 1};
  }
  return count;
}

static pc_status rebuild_model(motion* m, pc_error* error)
{
  const char* text = pc_result_model(m->result);
  if (!*text)
    return set_error(error, PC_BAD_MODEL, "'%s' holds no model, so there is no geometry to draw",
                     pc_result_path(m->result));
  pc_override override[OVERRIDES_MAX];
  size_t size = strlen(pc_result_options(m->result)) + 1;
  char* options = malloc(size);
  if (!options) return PC_OUT_OF_MEMORY;
  memcpy(options, pc_result_options(m->result), size);
  pc_error why = {0};
  pc_status status = pc_model_read_text(text, strlen(text), override,
                                        find_overrides(options, override), &m->model, &why);
  free(options);
  if (status != PC_OK)
    return set_error(error, PC_BAD_MODEL, "the model in '%s': %s", pc_result_path(m->result),
                     why.text);
  m->system = pc_model_system(m->model);
  return PC_OK;
}

/* ---- rows and frames ---------------------------------------------------------------------- */

static pc_status read_rows(const motion* m, int series, double* to, pc_error* error)
{
  return pc_result_read(m->result, series, m->row_first, m->row_count, to, error);
}

static pc_status choose_rows(motion* m, const motion_options* o, pc_error* error)
{
  long length = pc_result_length(m->result), first = 0;
  if (length == 0)
    return set_error(error, PC_BAD_MODEL, "'%s' holds no rows", pc_result_path(m->result));
  m->row_count = length;
  m->row_time = calloc((size_t)length, sizeof *m->row_time);
  if (!m->row_time) return PC_OUT_OF_MEMORY;
  pc_status status = read_rows(m, 0, m->row_time, error);
  if (status != PC_OK) return status;
  while (first < length && m->row_time[first] < o->from - 1e-9 * fabs(o->from)) first++;
  while (length > first && m->row_time[length - 1] > o->until + 1e-9 * fabs(o->until)) length--;
  if (length == first)
    return set_error(error, PC_BAD_ARGUMENT, "'%s' has no rows between --from and --until",
                     pc_result_path(m->result));
  memmove(m->row_time, m->row_time + first, (size_t)(length - first) * sizeof *m->row_time);
  m->row_first = first;
  m->row_count = length - first;
  m->real = m->row_time[m->row_count - 1] - m->row_time[0];
  return PC_OK;
}

/* The largest speed of 1, 2, 5 times a power of ten at which the film is not too short. */
static double choose_speed(double real)
{
  double wanted = real / SHORTEST, decade = pow(10, floor(log10(wanted)));
  double lead = wanted / decade;
  return decade * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

/* Fewer frames where they hold too many coordinates; a few dozen in any case. */
static void limit_frames(motion* m, long coordinates_max)
{
  const int fewest = 48;
  long most = coordinates_max / (pc_system_q_count(m->system) + 1);
  if (most < fewest) most = fewest;
  if (m->frame_count > most) m->frame_count = (int)most;
}

/* Frames at rows, as regular as the rows allow. */
static pc_status place_frames(motion* m, const motion_options* o, double speed, pc_error* error)
{
  double fps = isnan(o->fps) ? USUAL_FPS : o->fps;
  m->duration = m->real / speed;
  double wanted = o->frames ? (double)o->frames : floor(m->duration * fps + 0.5) + 1;
  if (wanted > FRAMES_MAX)
    return set_error(error, PC_BAD_ARGUMENT,
                     "%.0f frames are too many, %d at most; use --fps, --frames, --from", wanted,
                     FRAMES_MAX);
  m->frame_count = wanted < 1 ? 1 : (int)wanted;
  if (m->frame_count > m->row_count) m->frame_count = (int)m->row_count;
  if (o->coordinates_max > 0 && !o->frames) limit_frames(m, o->coordinates_max);
  free(m->row);
  m->row = calloc((size_t)m->frame_count, sizeof *m->row);
  if (!m->row) return PC_OUT_OF_MEMORY;
  long at = 0;
  for (int k = 0; k < m->frame_count; k++) {
    double part = m->frame_count > 1 ? (double)k / (m->frame_count - 1) : 0;
    double t = m->row_time[0] + part * m->real;
    while (at + 1 < m->row_count && fabs(m->row_time[at + 1] - t) <= fabs(m->row_time[at] - t))
      at++;
    m->row[k] = at;
  }
  return PC_OK;
}

/* ---- states ------------------------------------------------------------------------------- */

int bar_cells(const pc_part_info* bar)
{
  int elements = bar->q_count - 1;
  return elements < BAR_CELLS_MAX ? elements : BAR_CELLS_MAX;
}

int bar_node(const pc_part_info* bar, int k)
{
  return bar->q_first + (int)((long)k * (bar->q_count - 1) / bar_cells(bar));
}

/* Rows of contacts are numbered behind those of the constraints. */
static int first_contact_row(const pc_system* s)
{
  return pc_system_g_count(s) + pc_system_gamma_count(s);
}

static int contact_row_count(const pc_system* s)
{
  return pc_system_row_count(s) - first_contact_row(s);
}

/* The rows of a table that belong to the frames, one after the other. Gaps need not be in the
 * file. */
static pc_status read_frames(const motion* m, const char* table, int width, double* to,
                             pc_error* error)
{
  pc_status status = PC_OK;
  if (pc_result_table_width(m->result, table) < 0) return PC_OK; /* not recorded: zeros */
  for (int k = 0; status == PC_OK && width > 0 && k < m->frame_count; k++)
    status = pc_result_read_table(m->result, table, m->row_first + m->row[k], 1, width,
                                  to + (size_t)k * (size_t)width, error);
  return status;
}

/* Adds percussions of a row to a frame: the normal ones of all contacts, or those of friction. */
static void add_percussions(const motion* m, int frame, int friction, const double* value)
{
  const pc_system* s = m->system;
  int first = first_contact_row(s), at = 0;
  double* P = m->P + (size_t)frame * (size_t)contact_row_count(s);
  for (int k = 0; k < pc_system_contact_count(s); k++) {
    pc_contact_info contact = pc_system_contact(s, k);
    double* own = P + (contact.row - first) + friction;
    for (int i = 0; i < (friction ? contact.dimension : 1); i++) own[i] += value[at++];
  }
}

enum { NUMBERS_MAX = 1 << 17 }; /* percussions in memory at a time: 1 MiB */

/* Sums percussions up: each row belongs to the first frame that is not before it. */
static pc_status sum_percussions(const motion* m, const char* table, int width, int friction,
                                 pc_error* error)
{
  long block = width > 0 ? NUMBERS_MAX / width + 1 : 0, last = m->row[m->frame_count - 1];
  double* value = calloc((size_t)block * (size_t)width + 1, sizeof *value);
  pc_status status = value ? PC_OK : PC_OUT_OF_MEMORY;
  int frame = 0;
  for (long first = 0; status == PC_OK && width > 0 && first <= last; first += block) {
    long count = last + 1 - first < block ? last + 1 - first : block;
    status =
        pc_result_read_table(m->result, table, m->row_first + first, count, width, value, error);
    for (long k = 0; status == PC_OK && k < count; k++) {
      while (m->row[frame] < first + k) frame++;
      add_percussions(m, frame, friction, value + (size_t)k * (size_t)width);
    }
  }
  free(value);
  return status;
}

static pc_status read_states(motion* m, pc_error* error)
{
  const pc_system* s = m->system;
  int n_q = pc_system_q_count(s), contacts = pc_system_contact_count(s);
  int rows = contact_row_count(s);
  size_t frames = (size_t)m->frame_count;
  free(m->q);
  free(m->P);
  free(m->gap);
  m->q = calloc(frames * (size_t)n_q + 1, sizeof *m->q);
  m->P = calloc(frames * (size_t)rows + 1, sizeof *m->P);
  m->gap = calloc(frames * (size_t)contacts + 1, sizeof *m->gap);
  if (!m->q || !m->P || !m->gap) return PC_OUT_OF_MEMORY;
  pc_status status = read_frames(m, "q", n_q, m->q, error);
  if (status == PC_OK) status = read_frames(m, "contacts/gap", contacts, m->gap, error);
  if (status == PC_OK) status = sum_percussions(m, "contacts/P_N", contacts, 0, error);
  if (status == PC_OK) status = sum_percussions(m, "contacts/P_F", rows - contacts, 1, error);
  return status;
}

/* Where the drawings of the model are: of each its points, and the normal if it marks a contact. */
static pc_status place_drawings(motion* m)
{
  int n_q = pc_system_q_count(m->system), drawings = pc_model_drawing_count(m->model);
  m->drawn_count = 0;
  for (int i = 0; i < drawings; i++) {
    pc_drawing d = pc_model_drawing(m->model, i);
    m->drawn_count += d.point_count + (d.contact >= 0);
  }
  free(m->drawn);
  m->drawn = calloc(3 * (size_t)m->frame_count * (size_t)m->drawn_count + 1, sizeof *m->drawn);
  if (!m->drawn) return PC_OUT_OF_MEMORY;
  double* to = m->drawn;
  for (int k = 0; k < m->frame_count; k++)
    for (int i = 0; i < drawings; i++) {
      pc_drawing d = pc_model_drawing(m->model, i);
      pc_model_draw(m->model, i, m->row_time[m->row[k]], m->q + (size_t)k * (size_t)n_q, to, NULL,
                    d.contact >= 0 ? to + 3 * d.point_count : NULL);
      to += 3 * (d.point_count + (d.contact >= 0));
    }
  return PC_OK;
}

/* The angle between two frames of a part [rad]. */
static double turn_between(const motion* m, int part, int frame)
{
  double x[3], A[9], B[9];
  size_t n_q = (size_t)pc_system_q_count(m->system);
  pc_part_pose(m->system, (pc_part_id){part}, m->q + (size_t)(frame - 1) * n_q, x, A);
  pc_part_pose(m->system, (pc_part_id){part}, m->q + (size_t)frame * n_q, x, B);
  double trace = 0;
  for (int i = 0; i < 9; i++) trace += A[i] * B[i];
  return acos(fmax(-1, fmin(1, (trace - 1) / 2)));
}

/* Whether something turns so fast that lines between frames would be wrong. */
static int turns_too_fast(const motion* m)
{
  for (int i = 0; i < pc_system_part_count(m->system); i++)
    for (int k = 1; k < m->frame_count; k++)
      if (turn_between(m, i, k) > TURN_MAX) return 1;
  return 0;
}

pc_status read_motion(const pc_result* result, const motion_options* o, motion* m, pc_error* error)
{
  *m = (motion){.result = result};
  pc_status status = rebuild_model(m, error);
  if (status == PC_OK) status = choose_rows(m, o, error);
  int choose = isnan(o->speed);
  double speed = !choose ? o->speed : m->real > 0 ? choose_speed(m->real) : 1;
  while (status == PC_OK) {
    status = place_frames(m, o, speed, error);
    if (status == PC_OK) status = read_states(m, error);
    if (status == PC_OK) status = place_drawings(m);
    int fast = status == PC_OK && choose && !o->frames && m->frame_count < m->row_count &&
               m->duration * 2 <= LONGEST && turns_too_fast(m);
    if (!fast) break;
    speed /= 2;
  }
  return status;
}

void release_motion(motion* m)
{
  pc_model_destroy(m->model);
  free(m->row_time);
  free(m->row);
  free(m->q);
  free(m->P);
  free(m->gap);
  free(m->drawn);
}

/* ---- points and percussions --------------------------------------------------------------- */

pc_part_id gap_of(int contact)
{
  return (pc_part_id){-2 - contact};
}

pc_part_id drawn_point(const motion* m, int point)
{
  return (pc_part_id){-2 - pc_system_contact_count(m->system) - point};
}

int gap_part(const motion* m, pc_part_id part)
{
  int contact = -2 - part.index;
  return contact >= 0 && contact < pc_system_contact_count(m->system) ? contact : -1;
}

int drawn_part(const motion* m, pc_part_id part)
{
  int point = -2 - part.index - pc_system_contact_count(m->system);
  return point >= 0 && point < m->drawn_count ? point : -1;
}

static const double* drawn_at(const motion* m, int frame, int point)
{
  return m->drawn + 3 * ((size_t)frame * (size_t)m->drawn_count + (size_t)point);
}

void frame_position(const motion* m, int frame, const pc_point* point, double at[3])
{
  if (point->part.index >= -1) {
    const double* q = m->q + (size_t)frame * (size_t)pc_system_q_count(m->system);
    pc_point_position(m->system, point, q, at);
    return;
  }
  int drawn = drawn_part(m, point->part), contact = gap_part(m, point->part);
  if (drawn >= 0) {
    memcpy(at, drawn_at(m, frame, drawn), 3 * sizeof *at);
    return;
  }
  at[0] = point->at[0];
  at[1] = point->at[1] + m->gap[frame * pc_system_contact_count(m->system) + contact];
  at[2] = 0;
}

int frame_has_impulse(const motion* m, int frame, int contact)
{
  pc_contact_info info = pc_system_contact(m->system, contact);
  const double* P = m->P + (size_t)frame * (size_t)contact_row_count(m->system) +
                    (info.row - first_contact_row(m->system));
  for (int i = 0; i <= info.dimension; i++)
    if (P[i] != 0) return 1;
  return 0;
}

pc_status frame_percussion(const motion* m, int frame, const pc_shape* shape, double percussion[3],
                           pc_error* error)
{
  const pc_system* s = m->system;
  int first = first_contact_row(s);
  const double* P = m->P + (size_t)frame * (size_t)contact_row_count(s) +
                    (pc_system_contact(s, shape->contact).row - first);
  if (shape->kind == PC_SHAPE_NONE) { /* of formulas: upwards, or along the drawing's normal */
    static const double up[3] = {0, 1, 0};
    int drawn = drawn_part(m, shape->at[1].part);
    const double* n = drawn >= 0 ? drawn_at(m, frame, drawn) : up;
    double length = hypot(hypot(n[0], n[1]), n[2]);
    for (int i = 0; i < 3; i++) percussion[i] = length > 0 ? P[0] * n[i] / length : 0;
    return PC_OK;
  }
  const double* q = m->q + (size_t)frame * (size_t)pc_system_q_count(s);
  double t = m->row_time[m->row[frame]];
  return pc_shape_percussion(s, shape, t, q, P, percussion, error);
}
