/* All combinations of modes of a tiny problem: slow, and hard to beat where pivoting gives up. */
#include <string.h>

#include "solve/work.h"

/* The most combinations to try: four contacts with friction, or eight without. */
enum { COMBINATIONS_MAX = 256 };

static int mode_count(const pc_cone* cone)
{
  return cone->dimension == 1 && cone->mu > 0 ? 4 : 2;
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

/* The modes are the digits of `number`: open, slip (t = 1), slip (t = -1), stick. */
static void set_modes(pc_work* work, int number)
{
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    int count = mode_count(cone), digit = number % count;
    number /= count;
    work->modes.mode[k] = digit == 0 ? PC_MODE_OPEN : (digit == 3 ? PC_MODE_STICK : PC_MODE_SLIP);
    if (cone->dimension == 1) work->modes.direction[cone->row + 1] = digit == 1 ? 1 : -1;
  }
}

static void solve(pc_work* work, void* memory)
{
  (void)memory;
  int count = combinations(work);
  for (int number = 0; number < count; number++) {
    set_modes(work, number);
    memset(work->P, 0, (size_t)work->row_count * sizeof(double));
    work->iterations++;
    if (pc_modes_solve(work, pc_enumeration.name) <= PC_ROUND_OFF) return;
  }
}

const pc_solver_ops pc_enumeration = {
    .name = "enumeration",
    .summary = "every combination of modes, for up to four contacts; planar friction",
    .max_dimension = 1,
    .solve = solve,
};
