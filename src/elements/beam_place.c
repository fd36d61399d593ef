/* Where a beam in space lies at the start: on an arc, with frames along it. */
#include <math.h>

#include "base/elementary.h"
#include "base/length.h"
#include "base/rotation.h"
#include "base/status.h"
#include "elements/beam.h"

/* The quaternion of three orthonormal axes: the largest of its components first (Shepperd). */
static void quaternion_of(double axis[3][3], double p[4])
{
  double A[3][3], trace = 0, square[4];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) A[i][k] = axis[k][i];
  for (int i = 0; i < 3; i++) trace += A[i][i];
  square[0] = 1 + trace;
  int best = 0;
  for (int i = 0; i < 3; i++) {
    square[1 + i] = 1 + 2 * A[i][i] - trace;
    if (square[1 + i] > square[best]) best = 1 + i;
  }
  double big = sqrt(square[best]);
  p[best] = big / 2;
  if (best == 0) {
    for (int i = 0; i < 3; i++)
      p[1 + i] = (A[(i + 2) % 3][(i + 1) % 3] - A[(i + 1) % 3][(i + 2) % 3]) / (2 * big);
    return;
  }
  int i = best - 1, j = (i + 1) % 3, k = (i + 2) % 3;
  p[0] = (A[k][j] - A[j][k]) / (2 * big);
  p[1 + j] = (A[i][j] + A[j][i]) / (2 * big);
  p[1 + k] = (A[i][k] + A[k][i]) / (2 * big);
}

pc_status pc_beam_find_base(const pc_adding* a, const pc_beam_def* def, pc_beam_base* e)
{
  double chord[3], left[3], up[3];
  e->length = pc_beam_length(def, 3);
  for (int i = 0; i < 3; i++) chord[i] = def->tip[i] - def->root[i];
  double size = pc_length(3, chord);
  for (int i = 0; i < 3; i++) chord[i] /= size;
  pc_cross(def->up, chord, left);
  double reach = pc_length(3, left), most = pc_length(3, def->up);
  if (!(reach > 1e-9 * most))
    return pc_fail(a->error, PC_BAD_MODEL,
                   "beam '%s': up must have a direction that is not along the beam", a->name);
  for (int i = 0; i < 3; i++) left[i] /= reach;
  pc_cross(chord, left, up);
  double c = pc_cos(def->turn / 2), s = pc_sin(def->turn / 2);
  for (int i = 0; i < 3; i++) {
    e->axis[0][i] = c * chord[i] - s * left[i];
    e->axis[1][i] = s * chord[i] + c * left[i];
    e->axis[2][i] = up[i];
  }
  quaternion_of(e->axis, e->p);
  return PC_OK;
}

void pc_beam_place_node(const pc_beam_def* def, const pc_beam_base* e, double share, double* q,
                        double* u)
{
  double place[2], angle, r[3], around[3], A[9];
  pc_beam_arc(e->length, def->turn, share, place, &angle);
  for (int i = 0; i < 3; i++)
    r[i] = def->turn == 0 ? share * (def->tip[i] - def->root[i])
                          : place[0] * e->axis[0][i] + place[1] * e->axis[1][i];
  pc_quaternion_product(e->p, (const double[4]){pc_cos(angle / 2), 0, 0, pc_sin(angle / 2)}, q + 3);
  pc_cross(def->spin, r, around);
  for (int i = 0; i < 3; i++) {
    q[i] = def->root[i] + r[i];
    u[i] = def->velocity[i] + around[i];
  }
  pc_rotation_matrix(q + 3, A);
  pc_rotation_apply_inverse(A, def->spin, u + 3);
}
