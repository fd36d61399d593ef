/* What moves and what is drawn on it, as JSON.
 *
 * A track is something that moves: numbers at an offset within a frame. Kinds:
 *   planar   x, y, angle          a body in the plane
 *   spatial  x, y, z, rotation    a body in space; the rotation vector, angle up to pi
 *   point    x, y (, z)           a point mass, the height of a gap
 *   nodes    x, y (, z) of each   a beam
 *   bar      x of each            a bar; with its nodes at rest
 * An item is drawn on tracks: -1 is the ground. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/json.h"
#include "draw/view.h"

typedef enum track_kind {
  TRACK_PLANAR,
  TRACK_SPATIAL,
  TRACK_POINT,
  TRACK_NODES,
  TRACK_BAR,
  TRACK_GAP,
  TRACK_DRAWN
} track_kind;

typedef struct track {
  track_kind kind;
  int part;   /* or the contact of a gap, or the point of a drawing */
  int nodes;  /* of a beam or bar */
  int offset; /* of its numbers within a frame */
} track;

typedef struct tracks {
  const scene* scene;
  track* item;
  int count, numbers; /* numbers: of a frame */
  int* of_part;       /* index of the track of a part, or -1 */
  int* of_other;      /* of the gap of a contact, then of a point of a drawing; or -1 */
} tracks;

/* ---- choosing tracks ---------------------------------------------------------------------- */

static int point_size(const tracks* t)
{
  return pc_system_dimension(t->scene->motion->system) == 3 ? 3 : 2;
}

static int numbers_of(const tracks* t, const track* one)
{
  switch (one->kind) {
    case TRACK_PLANAR: return 3;
    case TRACK_SPATIAL: return 6;
    case TRACK_NODES: return point_size(t) * one->nodes;
    case TRACK_BAR: return one->nodes;
    default: return point_size(t);
  }
}

static int add_track(tracks* t, track_kind kind, int part, int nodes)
{
  track* one = &t->item[t->count];
  *one = (track){kind, part, nodes, t->numbers};
  t->numbers += numbers_of(t, one);
  return t->count++;
}

/* The track that a point moves with; the space for it was counted before. */
static int track_of(tracks* t, pc_part_id part)
{
  if (part.index == -1) return -1;
  if (part.index < -1) {
    int *other = &t->of_other[-2 - part.index], drawn = drawn_part(t->scene->motion, part);
    if (*other < 0)
      *other = drawn >= 0 ? add_track(t, TRACK_DRAWN, drawn, 0)
                          : add_track(t, TRACK_GAP, gap_part(t->scene->motion, part), 0);
    return *other;
  }
  if (t->of_part[part.index] >= 0) return t->of_part[part.index];
  pc_part_kind kind = pc_system_part_info(t->scene->motion->system, part).kind;
  return t->of_part[part.index] = add_track(t,
                                            kind == PC_PART_SPATIAL_BODY  ? TRACK_SPATIAL
                                            : kind == PC_PART_PLANAR_BODY ? TRACK_PLANAR
                                                                          : TRACK_POINT,
                                            part.index, 0);
}

/* Bodies, bars and beams, whether something is drawn on them or not; their nodes only if so. */
static void add_parts(tracks* t)
{
  const pc_system* system = t->scene->motion->system;
  for (int i = 0; i < pc_system_part_count(system); i++) {
    pc_part_info p = pc_system_part_info(system, (pc_part_id){i});
    if (p.kind == PC_PART_COORDINATES || p.within >= 0) continue;
    if (p.kind == PC_PART_BAR)
      add_track(t, TRACK_BAR, i, bar_cells(&p) + 1);
    else if (p.kind == PC_PART_BEAM)
      add_track(t, TRACK_NODES, i, p.q_count / 3);
    else if (p.chain > 0)
      add_track(t, TRACK_NODES, i, p.chain + 1);
    else
      track_of(t, (pc_part_id){i});
    i += p.chain;
  }
}

static pc_status choose_tracks(const scene* s, tracks* t)
{
  size_t parts = (size_t)pc_system_part_count(s->motion->system);
  size_t others =
      (size_t)pc_system_contact_count(s->motion->system) + (size_t)s->motion->drawn_count;
  *t = (tracks){.scene = s,
                .item = calloc(2 * parts + others + 1, sizeof *t->item),
                .of_part = malloc((parts + 1) * sizeof *t->of_part),
                .of_other = malloc((others + 1) * sizeof *t->of_other)};
  if (!t->item || !t->of_part || !t->of_other) return PC_OUT_OF_MEMORY;
  for (size_t i = 0; i < parts; i++) t->of_part[i] = -1;
  for (size_t i = 0; i < others; i++) t->of_other[i] = -1;
  add_parts(t);
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < s->item[i].count; k++) track_of(t, s->item[i].point[k].part);
  return PC_OK;
}

static void release_tracks(tracks* t)
{
  free(t->item);
  free(t->of_part);
  free(t->of_other);
}

/* ---- numbers of a frame ------------------------------------------------------------------- */

/* The rotation vector of a quaternion, whatever its length: an angle up to pi about an axis. */
static void rotation_vector(const double quaternion[4], float to[3])
{
  double sign = quaternion[0] < 0 ? -1 : 1;
  double x = sign * quaternion[1], y = sign * quaternion[2], z = sign * quaternion[3];
  double sine = hypot(hypot(x, y), z), angle = 2 * atan2(sine, sign * quaternion[0]);
  double scale = sine > 0 ? angle / sine : 0;
  to[0] = (float)(scale * x);
  to[1] = (float)(scale * y);
  to[2] = (float)(scale * z);
}

static void fill_nodes(const tracks* t, const track* one, const double* q, float* to)
{
  const pc_system* system = t->scene->motion->system;
  pc_part_info p = pc_system_part_info(system, (pc_part_id){one->part});
  int size = point_size(t);
  for (int n = 0; n < one->nodes; n++) {
    double x[3] = {0}, A[9];
    if (p.kind == PC_PART_BEAM)
      memcpy(x, q + p.q_first + 3 * n, 2 * sizeof *x);
    else
      pc_part_pose(system, (pc_part_id){one->part + n}, q, x, A);
    for (int i = 0; i < size; i++) to[size * n + i] = (float)x[i];
  }
}

static void fill_track(const tracks* t, const track* one, int frame, float* to)
{
  const motion* m = t->scene->motion;
  const double* q = m->q + (size_t)frame * (size_t)pc_system_q_count(m->system);
  if (one->kind == TRACK_GAP) {
    to[1] = (float)m->gap[frame * pc_system_contact_count(m->system) + one->part];
    return;
  }
  double x[3], A[9];
  if (one->kind == TRACK_DRAWN) {
    const pc_point point = {.part = drawn_point(m, one->part)};
    frame_position(m, frame, &point, x);
    for (int i = 0; i < point_size(t); i++) to[i] = (float)x[i];
    return;
  }
  pc_part_info p = pc_system_part_info(m->system, (pc_part_id){one->part});
  if (one->kind == TRACK_NODES) {
    fill_nodes(t, one, q, to);
    return;
  }
  if (one->kind == TRACK_BAR) {
    for (int n = 0; n < one->nodes; n++) to[n] = (float)q[bar_node(&p, n)];
    return;
  }
  pc_part_pose(m->system, (pc_part_id){one->part}, q, x, A);
  for (int i = 0; i < (one->kind == TRACK_PLANAR ? 2 : point_size(t)); i++) to[i] = (float)x[i];
  if (one->kind == TRACK_PLANAR) to[2] = (float)q[p.q_first + 2];
  if (one->kind == TRACK_SPATIAL) rotation_vector(q + p.q_first + 3, to + 3);
}

static pc_status put_frames(FILE* to, const tracks* t)
{
  const motion* m = t->scene->motion;
  size_t frames = (size_t)m->frame_count, numbers = (size_t)t->numbers;
  float* value = calloc(frames * numbers + 1, sizeof *value);
  double* time = calloc(frames, sizeof *time);
  pc_status status = value && time ? PC_OK : PC_OUT_OF_MEMORY;
  for (int k = 0; status == PC_OK && k < m->frame_count; k++) {
    time[k] = m->row_time[m->row[k]];
    for (int i = 0; i < t->count; i++)
      fill_track(t, &t->item[i], k, value + (size_t)k * numbers + (size_t)t->item[i].offset);
  }
  if (status == PC_OK) {
    fprintf(to, "\"frames\":%d,\"numbers\":%d,\"time\":", m->frame_count, t->numbers);
    put_packed_doubles(to, time, frames);
    fputs(",\"poses\":", to);
    put_packed_floats(to, value, frames * numbers);
    fputs(",\n", to);
  }
  free(value);
  free(time);
  return status;
}

/* ---- tracks and items --------------------------------------------------------------------- */

/* The drawing that a point belongs to. */
static const char* name_of_drawn(const motion* m, int point)
{
  for (int i = 0; i < pc_model_drawing_count(m->model); i++) {
    pc_drawing d = pc_model_drawing(m->model, i);
    int count = d.point_count + (d.contact >= 0);
    if (point < count) return d.name;
    point -= count;
  }
  return "";
}

static void put_track(FILE* to, const tracks* t, const track* one)
{
  static const char* const kind[] = {"planar", "spatial", "point", "nodes",
                                     "bar",    "point",   "point"};
  const motion* m = t->scene->motion;
  fprintf(to, "{\"kind\":\"%s\",\"at\":%d,\"name\":", kind[one->kind], one->offset);
  if (one->kind == TRACK_GAP) {
    put_json_text(to, pc_system_contact(m->system, one->part).name);
  } else if (one->kind == TRACK_DRAWN) {
    put_json_text(to, name_of_drawn(m, one->part));
    fputs(",\"node\":1", to); /* one of several points of a drawing */
  } else {
    pc_part_info p = pc_system_part_info(m->system, (pc_part_id){one->part});
    put_json_text(to, p.name);
    if (p.within >= 0) fputs(",\"node\":1", to);
    if (t->scene->part_colour) fprintf(to, ",\"colour\":%d", t->scene->part_colour[one->part]);
    if (one->nodes) fprintf(to, ",\"nodes\":%d", one->nodes);
    if (one->kind == TRACK_BAR) fputs(",\"rest\":[", to);
    for (int n = 0; one->kind == TRACK_BAR && n < one->nodes; n++) {
      if (n) fputc(',', to);
      put_json_number(to, pc_system_q0(m->system)[bar_node(&p, n)]);
    }
    if (one->kind == TRACK_BAR) fputc(']', to);
  }
  fputc('}', to);
}

static void put_numbers(FILE* to, const char* name, const double* value, int count)
{
  fprintf(to, ",\"%s\":[", name);
  for (int i = 0; i < count; i++) {
    if (i) fputc(',', to);
    put_json_number(to, value[i]);
  }
  fputc(']', to);
}

/* Whether a rotation is there and is not the identity. */
static int is_turned(const double turn[9])
{
  return turn[0] != 0 || turn[1] != 0 || turn[2] != 0
             ? !(turn[0] == 1 && turn[4] == 1 && turn[8] == 1)
             : 0;
}

/* Corners of each face, by their numbers. */
static void put_faces(FILE* to, const pc_geometry* geometry)
{
  pc_geometry_info g = pc_geometry_describe(geometry);
  fputs(",\"faces\":[", to);
  for (int f = 0; f < g.face_count; f++) {
    fputs(f ? ",[" : "[", to);
    for (int k = g.face_first[f]; k < g.face_first[f + 1]; k++)
      fprintf(to, "%s%d", k > g.face_first[f] ? "," : "", g.face_corner[k]);
    fputc(']', to);
  }
  fputc(']', to);
}

static void put_item(FILE* to, tracks* t, const item* it)
{
  static const char* const layer_name[LAYER_COUNT] = {
      "ground", "grid", "guide",   "sheet", "body", "link", "mark",
      "spring", "rod",  "support", "pin",   "weld", "touch"};
  fprintf(to, "{\"layer\":\"%s\",\"colour\":%d", layer_name[it->layer], it->colour);
  if (it->closed) fputs(",\"closed\":1", to);
  if (it->silhouette) fputs(",\"hull\":1", to);
  if (it->radius > 0) fprintf(to, ",\"radius\":%.9g", it->radius);
  if (it->solid == SOLID_ELLIPSOID) put_numbers(to, "ellipsoid", it->size, 3);
  if (it->solid == SOLID_CYLINDER) fprintf(to, ",\"cylinder\":%.9g", it->size[0]);
  if (it->solid == SOLID_BOX) put_numbers(to, "box", it->size, 3);
  if (is_turned(it->turn)) put_numbers(to, "turn", it->turn, 9);
  if (it->solid == SOLID_FACES) put_faces(to, it->geometry);
  int same = 1; /* one track for all points is written once */
  for (int k = 1; k < it->count; k++) same &= it->point[k].part.index == it->point[0].part.index;
  fputs(",\"on\":[", to);
  for (int k = 0; k < (same ? 1 : it->count); k++)
    fprintf(to, "%s%d", k ? "," : "", track_of(t, it->point[k].part));
  fputs("],\"points\":[", to);
  for (int k = 0; k < it->count; k++)
    for (int i = 0; i < 3; i++) {
      if (k || i) fputc(',', to);
      put_json_number(to, it->point[k].at[i]);
    }
  fputs("]}", to);
}

static void put_items(FILE* to, tracks* t)
{
  const scene* s = t->scene;
  fputs("\"tracks\":[", to);
  for (int i = 0; i < t->count; i++) {
    if (i) fputs(",\n", to);
    put_track(to, t, &t->item[i]);
  }
  fputs("],\n\"items\":[", to);
  for (int i = 0, written = 0; i < s->count; i++) {
    if (s->item[i].where == IN_FILM) continue;
    if (written++) fputs(",\n", to);
    put_item(to, t, &s->item[i]);
  }
  fputs("],\n", to);
}

pc_status put_view_scene(FILE* to, const scene* s, pc_error* error)
{
  const motion* m = s->motion;
  const double* gravity = pc_system_gravity(m->system);
  int dimension = pc_system_dimension(m->system);
  (void)error; /* it fails only for lack of memory */
  fprintf(to, "\"dimension\":%d,\"down\":%d,\"abstract\":%d,\"size\":%.9g,\"speed\":%.9g,\n",
          dimension == 3 ? 3 : 2, !s->abstract && gravity[dimension == 3 ? 2 : 1] > 0, s->abstract,
          s->size, m->duration > 0 ? m->real / m->duration : 1);
  tracks t;
  pc_status status = choose_tracks(s, &t);
  if (status == PC_OK) status = put_frames(to, &t);
  if (status == PC_OK) put_items(to, &t);
  release_tracks(&t);
  return status;
}
