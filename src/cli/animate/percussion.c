/* Percussions: where contacts act, in which direction, and how strongly in each frame. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/animate/builder.h"

static const double own[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Where a contact acts and in which direction on its first body. */
typedef struct touch {
  double at[3], normal[3];
} touch;

static void move_along(double at[3], double by, const double v[3])
{
  for (int k = 0; k < 3; k++) at[k] += by * v[k];
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The shape's point that is lowest along the normal. */
static void lowest_point(const pose* p, int frame, const pc_feature* f, touch* t)
{
  double axis[3];
  place_point(p, frame, f->at, t->at);
  if (f->kind == PC_FEATURE_SPHERE) move_along(t->at, -f->size[0], t->normal);
  if (f->kind == PC_FEATURE_DISC) {
    place_direction(p, frame, f->direction, axis);
    double along = dot(t->normal, axis), rest = sqrt(fmax(1e-12, 1 - along * along));
    move_along(t->at, -f->size[0] / rest, t->normal);
    move_along(t->at, f->size[0] * along / rest, axis);
  }
  double square = 0;
  for (int k = 0; f->kind == PC_FEATURE_ELLIPSOID && k < 3; k++) {
    place_direction(p, frame, own[k], axis);
    square += f->size[k] * f->size[k] * dot(axis, t->normal) * dot(axis, t->normal);
  }
  for (int k = 0; square > 0 && k < 3; k++) {
    place_direction(p, frame, own[k], axis);
    move_along(t->at, -f->size[k] * f->size[k] * dot(axis, t->normal) / sqrt(square), axis);
  }
}

/* Two round things: along the line of centres, inwards if one is in the other. */
static void between_centres(const double c0[3], const double c1[3], const pc_feature* f, touch* t)
{
  double length = 0;
  for (int k = 0; k < 3; k++) length += (c0[k] - c1[k]) * (c0[k] - c1[k]);
  length = fmax(sqrt(length), 1e-12);
  for (int k = 0; k < 3; k++) t->normal[k] = (c0[k] - c1[k]) / length;
  int inside = length + f[0].size[0] < f[1].size[0] * 1.1;
  memcpy(t->at, c1, sizeof t->at);
  move_along(t->at, f[1].size[0], t->normal);
  for (int k = 0; inside && k < 3; k++) t->normal[k] = -t->normal[k];
}

static touch touch_at(const builder* b, int frame, const pc_feature f[2])
{
  touch t = {{0}, {0}};
  const pose *p0 = find_pose(b, f[0].part), *p1 = find_pose(b, f[1].part);
  if (f[1].kind == PC_FEATURE_PLANE) {
    place_direction(p1, frame, f[1].direction, t.normal);
    lowest_point(p0, frame, &f[0], &t);
  } else {
    double c0[3], c1[3];
    place_point(p0, frame, f[0].at, c0);
    place_point(p1, frame, f[1].at, c1);
    between_centres(c0, c1, f, &t);
  }
  return t;
}

/* The two features of a contact; 0 if it does not say. */
static int features_of_contact(const builder* b, int contact, pc_feature found[2])
{
  pc_feature f;
  int count = 0;
  for (int i = 0; count < 2 && pc_system_feature(b->system, i, &f); i++)
    if (f.contact == contact) found[count++] = f;
  return count == 2;
}

/* The largest percussion since the frame before, fading out over some frames so that an impact
 * can be seen; relative to the largest of all, as a root, so that small ones show too. */
static int read_strength(const builder* b, int contact, double* strength)
{
  const frames* f = &b->s->frames;
  const pc_result* r = f->result;
  pc_error error;
  int contacts = pc_result_contact_count(r);
  long length = pc_result_length(r);
  double* P = calloc((size_t)length * (size_t)contacts + 1, sizeof *P);
  if (!P || pc_result_read_P_N(r, 0, length, P, &error) != PC_OK) {
    free(P);
    return 0;
  }
  double most = 0;
  for (size_t i = 0; i < (size_t)length * (size_t)contacts; i++) most = fmax(most, P[i]);
  for (int i = 0; i < f->count; i++) {
    double now = 0;
    for (long row = i ? f->row[i - 1] + 1 : f->row[i]; row <= f->row[i]; row++)
      now = fmax(now, P[(size_t)row * (size_t)contacts + (size_t)contact]);
    strength[i] = fmax(most > 0 ? sqrt(now / most) : 0, i ? 0.75 * strength[i - 1] : 0);
    if (strength[i] < 0.02) strength[i] = 0;
  }
  free(P);
  return most > 0;
}

static void draw_arrow(builder* b, const pc_feature f[2], const double* strength)
{
  shape* x = add_shape(b, SHAPE_ARROW, -1, 3, 1);
  for (int i = 0; x && i < b->s->frames.count; i++) {
    touch t = touch_at(b, i, f);
    double from[2], to[2], tip[3];
    memcpy(tip, t.at, sizeof tip);
    move_along(tip, 0.22 * b->size * strength[i], t.normal);
    project(b->s, t.at, from);
    project(b->s, tip, to);
    double side[2] = {0.1 * (from[1] - to[1]), 0.1 * (to[0] - from[0])};
    for (int k = 0; k < 2; k++) {
      point_of(x, i, 0)[k] = from[k] + side[k];
      point_of(x, i, 1)[k] = from[k] - side[k];
      point_of(x, i, 2)[k] = to[k];
    }
  }
}

void add_arrows(builder* b)
{
  double* strength = calloc((size_t)b->s->frames.count + 1, sizeof *strength);
  if (!strength) b->failed = 1;
  for (int k = 0; strength && k < pc_system_contact_count(b->system); k++) {
    pc_feature f[2];
    if (!features_of_contact(b, k, f) || !read_strength(b, k, strength)) continue;
    double most = 0;
    for (int i = 0; i < b->s->frames.count; i++) most = fmax(most, strength[i]);
    if (most > 0) draw_arrow(b, f, strength);
  }
  free(strength);
}
