/* Which rows of the joints follow from others?
 *
 * Cholesky's factorisation of S = W' M^-1 W in the order of the rows, each scaled to a diagonal of
 * one, so that units do not matter. What is left of a row's diagonal is its share that does not lie
 * in the span of the rows before it (a squared sine, in the metric of M^-1). A row with nothing
 * left is redundant and is passed over; the others are a maximal independent set. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/constants.h"
#include "simulate/check.h"
#include "system/inspect.h"

static void list_joints(pc_checking* c)
{
  pc_check_report* r = c->report;
  for (int row = 0; row < c->bilateral_count; row++) {
    int i = 0;
    while (i < r->joint_count && !pc_system_same_owner(c->system, r->joint[i].row, row)) i++;
    if (i == r->joint_count)
      r->joint[r->joint_count++] =
          (pc_check_joint){.name = pc_system_row_name(c->system, row), .row = row};
    r->joint[i].row_count++;
    c->owner[row] = i;
  }
}

/* S scaled to a diagonal of one (0 for a row of zeros); `scale` has one entry per row. */
static void fill_S(const pc_checking* c, double* scale, double* S)
{
  int count = c->bilateral_count;
  const pc_assembly* M = pc_consistent_start_mass(c->start);
  for (int j = 0; j < count; j++) {
    pc_assembly_solve_row(M, c->terms->row[j], c->work);
    for (int i = 0; i < count; i++)
      S[(size_t)i * (size_t)count + (size_t)j] = pc_row_dot(c->terms->row[i], c->work);
    double diagonal = S[(size_t)j * (size_t)count + (size_t)j];
    scale[j] = diagonal > 0 ? 1 / sqrt(diagonal) : 0;
  }
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) S[(size_t)i * (size_t)count + (size_t)j] *= scale[i] * scale[j];
}

/* Replaces row i of S by its factors on the `rank` independent rows; returns what is left. */
static double eliminate(double* S, int count, int i, const int* independent, int rank)
{
  double* row = S + (size_t)i * (size_t)count;
  double left = row[i];
  for (int k = 0; k < rank; k++) {
    const double* other = S + (size_t)independent[k] * (size_t)count;
    double sum = row[independent[k]];
    for (int l = 0; l < k; l++) sum -= row[independent[l]] * other[independent[l]];
    row[independent[k]] = sum / other[independent[k]];
    left -= row[independent[k]] * row[independent[k]];
  }
  return left;
}

static void find_redundant(pc_checking* c, double* S, int* independent)
{
  pc_check_report* r = c->report;
  int count = c->bilateral_count;
  for (int i = 0; i < count; i++) {
    double left = eliminate(S, count, i, independent, r->rank);
    if (left > PC_RANK_TOLERANCE) {
      S[(size_t)i * (size_t)count + (size_t)i] = sqrt(left);
      independent[r->rank++] = i;
      continue;
    }
    c->redundant[i] = 1;
    r->joint[c->owner[i]].redundant_rows++;
  }
}

pc_status pc_check_rank(pc_checking* c)
{
  size_t count = (size_t)c->bilateral_count;
  list_joints(c);
  double* S = pc_alloc(count * count, sizeof *S);
  double* scale = pc_alloc(count, sizeof *scale);
  int* independent = pc_alloc(count, sizeof *independent);
  pc_status status = PC_OK;
  if (S && scale && independent) {
    fill_S(c, scale, S);
    find_redundant(c, S, independent);
    c->report->held_count = pc_system_held_count(c->system);
    c->report->dof = c->report->u_count - c->report->held_count - c->report->rank;
  } else {
    status = pc_no_memory(c->error);
  }
  free(S);
  free(scale);
  free(independent);
  return status;
}
