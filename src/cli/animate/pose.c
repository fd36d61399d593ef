#include "cli/animate/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* All rows of a series; NULL if there is none, or no memory. */
static double* read_series(const pc_result* r, const char* name)
{
  pc_error error;
  int series = pc_result_find(r, name);
  long length = pc_result_length(r);
  double* values = series < 0 ? NULL : calloc((size_t)length + 1, sizeof *values);
  if (values && pc_result_read(r, series, 0, length, values, &error) == PC_OK) return values;
  free(values);
  return NULL;
}

int choose_frames(frames* f, const pc_result* r, double from, double to, int wanted)
{
  long length = pc_result_length(r), row = 0;
  *f = (frames){.result = r,
                .row = calloc((size_t)wanted + 1, sizeof *f->row),
                .time = calloc((size_t)wanted + 1, sizeof *f->time)};
  double* time = read_series(r, "time");
  if (!time || !f->row || !f->time || length < 2) {
    free(time);
    return complain(EXIT_MODEL, "the result has no motion: %ld rows", length);
  }
  double first = isnan(from) ? time[0] : from, last = isnan(to) ? time[length - 1] : to;
  for (int i = 0; i < wanted; i++) {
    double t = first + (last - first) * i / (wanted - 1), slack = 1e-9 * fabs(last - first);
    while (row + 1 < length && time[row + 1] <= t + slack) row++;
    f->row[f->count] = row;
    f->time[f->count++] = time[row];
  }
  free(time);
  if (first < last) return EXIT_DONE;
  return complain(EXIT_USAGE, "--from %g is not before --to %g", first, last);
}

void free_frames(frames* f)
{
  free(f->row);
  free(f->time);
}

int read_frames(const frames* f, const char* name, double* values, int stride)
{
  double* all = read_series(f->result, name);
  for (int i = 0; all && i < f->count; i++) values[(size_t)i * (size_t)stride] = all[f->row[i]];
  free(all);
  return all != NULL;
}

static int read_of(const frames* f, const char* part, const char* what, double* values, int stride)
{
  char name[192];
  snprintf(name, sizeof name, "%s.%s", part, what);
  return read_frames(f, name, values, stride);
}

/* The axes of a body that is turned by an angle about z. */
static void turn(double angle, double* axes)
{
  double c = cos(angle), s = sin(angle);
  const double R[9] = {c, s, 0, -s, c, 0, 0, 0, 1};
  memcpy(axes, R, sizeof R);
}

/* Those of a quaternion, scalar first, of any length. */
static void orient(const double* p, double* axes)
{
  double w = p[0], x = p[1], y = p[2], z = p[3], n = w * w + x * x + y * y + z * z;
  const double R[9] = {
      w * w + x * x - y * y - z * z, 2 * (x * y + w * z),           2 * (x * z - w * y),
      2 * (x * y - w * z),           w * w - x * x + y * y - z * z, 2 * (y * z + w * x),
      2 * (x * z + w * y),           2 * (y * z - w * x),           w * w - x * x - y * y + z * z};
  for (int i = 0; i < 9; i++) axes[i] = R[i] / n;
}

static void read_orientation(const frames* f, pose* p, double* buffer)
{
  static const char* const names[4] = {"qw", "qx", "qy", "qz"};
  int spatial = 1;
  for (int k = 0; k < 4; k++) spatial &= read_of(f, p->name, names[k], buffer + k, 4);
  int planar = !spatial && read_of(f, p->name, "angle", buffer, 4);
  for (int i = 0; i < f->count; i++) {
    double* axes = p->axes + 9 * (size_t)i;
    if (spatial)
      orient(buffer + 4 * (size_t)i, axes);
    else
      turn(planar ? buffer[4 * (size_t)i] : 0, axes);
  }
}

int read_pose(const frames* f, const char* name, pose* p)
{
  size_t count = (size_t)f->count;
  *p = (pose){.origin = calloc(3 * count + 1, sizeof(double)),
              .axes = calloc(9 * count + 1, sizeof(double))};
  double* buffer = calloc(4 * count + 1, sizeof *buffer);
  snprintf(p->name, sizeof p->name, "%s", name);
  if (!buffer || !p->origin || !p->axes) {
    free(buffer);
    free_pose(p);
    return -1;
  }
  int found = read_of(f, name, "x", p->origin, 3);
  if (found) read_of(f, name, "y", p->origin + 1, 3);
  if (found) read_of(f, name, "z", p->origin + 2, 3);
  if (found) read_orientation(f, p, buffer);
  free(buffer);
  if (!found) free_pose(p);
  return found;
}

void free_pose(pose* p)
{
  free(p->origin);
  free(p->axes);
  p->origin = p->axes = NULL;
}

void place_direction(const pose* p, int frame, const double v[3], double to[3])
{
  const double* axes = p ? p->axes + 9 * (size_t)frame : NULL;
  for (int i = 0; i < 3; i++)
    to[i] = axes ? axes[i] * v[0] + axes[3 + i] * v[1] + axes[6 + i] * v[2] : v[i];
}

void place_point(const pose* p, int frame, const double at[3], double to[3])
{
  place_direction(p, frame, at, to);
  for (int i = 0; p && i < 3; i++) to[i] += p->origin[3 * (size_t)frame + (size_t)i];
}
