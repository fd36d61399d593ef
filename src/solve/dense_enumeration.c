/* All combinations of modes of a tiny problem: slow, and hard to beat where pivoting fails or
 * iterations cycle. In space a slipping contact starts from several directions, held at first and
 * then turned by Newton's method. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "solve/dense_work.h"

enum {
  COMBINATIONS_MAX = 2000, /* four contacts in the plane, three in space */
  DIRECTIONS = 8,          /* of slip in the plane of contact */
  BALL_DIRECTIONS = 14,    /* with drilling: faces and corners of a cube */
  TURN_ROUNDS = 8,         /* of Newton's method for them */
  LAST_ROUNDS = 50         /* and for the best, should it converge slowly */
};

static int slip_count(const pc_cone* cone)
{
  if (cone->dimension == 0 || cone->mu == 0) return 1;
  if (cone->dimension == 1) return 2;
  return cone->dimension == 2 ? DIRECTIONS : BALL_DIRECTIONS;
}

/* Open, the slips, and stick where there is friction. */
static int mode_count(const pc_cone* cone)
{
  return 1 + slip_count(cone) + (cone->dimension > 0 && cone->mu > 0 ? 1 : 0);
}

static int combinations(const pc_work* work)
{
  int count = 1;
  for (int k = 0; k < work->contact_count; k++) {
    count *= mode_count(&work->cone[k]);
    if (count > COMBINATIONS_MAX) return 0;
  }
  return count;
}

static void set_direction(const pc_cone* cone, int which, double* t)
{
  const double pi = 3.14159265358979323846;
  if (cone->dimension == 1) t[1] = which == 0 ? 1 : -1;
  if (cone->dimension == 2) {
    t[1] = pc_cos(2 * pi * which / DIRECTIONS);
    t[2] = pc_sin(2 * pi * which / DIRECTIONS);
  }
  if (cone->dimension != 3) return;
  for (int i = 0; i < 3; i++) {
    double face = which / 2 == i ? 1 - 2 * (which % 2) : 0;
    double corner = (1 - 2 * (((which - 6) >> i) & 1)) / sqrt(3);
    t[1 + i] = which < 6 ? face : corner;
  }
}

/* The modes are the digits of `number`: open, the slips, stick. Returns whether a slip may turn. */
static int set_modes(pc_work* work, int number)
{
  int turns = 0;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    int count = mode_count(cone), digit = number % count;
    number /= count;
    work->modes.mode[k] = digit == 0 ? PC_CONTACT_OPEN : PC_CONTACT_SLIP;
    if (digit > slip_count(cone)) work->modes.mode[k] = PC_CONTACT_STICK;
    set_direction(cone, digit - 1, &work->modes.direction[cone->row]);
    if (work->modes.mode[k] == PC_CONTACT_SLIP && slip_count(cone) > 2) turns = 1;
  }
  return turns;
}

static void solve(pc_work* work, void* memory)
{
  (void)memory;
  int count = combinations(work);
  for (int number = 0; number < count; number++) {
    int turns = set_modes(work, number);
    memset(work->P, 0, (size_t)work->row_count * sizeof(double));
    work->iterations++;
    work->modes.frozen = 1;
    pc_modes_solve(work, PC_METHOD_ENUMERATION);
    work->modes.frozen = 0;
    if (turns) pc_modes_search(work, TURN_ROUNDS, PC_METHOD_ENUMERATION);
    if (work->best_residual <= PC_RESIDUAL_ROUND_OFF && pc_work_done(work)) return;
  }
  if (count == 0 || pc_work_done(work)) return;
  memcpy(work->P, work->best, (size_t)work->row_count * sizeof(double));
  pc_modes_search(work, LAST_ROUNDS, PC_METHOD_ENUMERATION);
}

const pc_dense_ops pc_dense_enumeration = {
    .name = "enumeration",
    .max_dimension = 3,
    .solve = solve,
};
