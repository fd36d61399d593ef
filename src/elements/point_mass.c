/* A point mass: as many coordinates as the system has dimensions, M = m 1, h = m g. */
#include "base/status.h"
#include "elements/attach.h"
#include "elements/part_names.h"

typedef struct point_mass {
  int dimension;
  double mass;
  double gravity[3];
} point_mass;

static void evaluate(const void* data, pc_local* l)
{
  const point_mass* p = data;
  int n = p->dimension;
  double m = p->mass;
  for (int i = 0; l->M && i < n; i++) l->M[i * n + i] = m;
  for (int i = 0; l->h && i < n; i++) l->h[i] = m * p->gravity[i];
  for (int i = 0; l->energy && i < n; i++) {
    l->energy[0] += m * l->u[i] * l->u[i] / 2;
    l->energy[1] -= m * p->gravity[i] * l->q[i];
  }
}

static const pc_element_ops ops = {.kind = "point mass", .evaluate = evaluate};

pc_status pc_add_point_mass(pc_system* system, const pc_point_mass_def* def, pc_part_id* id,
                            pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_adding a = {system, ops.kind, def->name, error};
  int n = pc_system_dimension(system);
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_positive(&a, "mass", def->mass));
  PC_TRY(pc_check_finite(&a, "position", n, def->position));
  PC_TRY(pc_check_finite(&a, "velocity", n, def->velocity));
  const pc_part_def part = {
      .kind = PC_PART_POINT_MASS,
      .q_count = n,
      .u_count = n,
      .q0 = def->position,
      .u0 = def->velocity,
      .q_unit = (const char* const[]){"m", "m", "m"},
      .u_unit = (const char* const[]){"m/s", "m/s", "m/s"},
  };
  PC_TRY(pc_add_named_part(&a, &part, (const char* const[]){"x", "y", "z"},
                           (const char* const[]){"vx", "vy", "vz"}, id));

  const double* g = pc_system_gravity(system);
  point_mass data = {n, def->mass, {g[0], g[1], g[2]}};
  int heavy = g[0] != 0 || g[1] != 0 || g[2] != 0;
  pc_element_def element = {
      .ops = &ops,
      .part_count = 1,
      .part = id,
      .provides = PC_TERM_M | PC_TERM_ENERGY | (heavy ? (unsigned)PC_TERM_H : 0u),
      .constant = PC_TERM_M | PC_TERM_H,
      .diagonal_M = 1,
  };
  return pc_add_copy(&a, &element, &data, sizeof data);
}
