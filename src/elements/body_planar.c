/* A rigid body in the plane: q = (x, y, angle), M = diag(m, m, J), h = (m g, 0). */
#include "base/status.h"
#include "elements/attach.h"
#include "elements/part_names.h"

typedef struct planar_body {
  double mass, inertia;
  double gravity[2];
} planar_body;

static void evaluate(const void* data, pc_local* l)
{
  const planar_body* b = data;
  double m = b->mass, J = b->inertia;
  if (l->M) {
    l->M[0] = l->M[4] = m;
    l->M[8] = J;
  }
  if (l->h) {
    l->h[0] = m * b->gravity[0];
    l->h[1] = m * b->gravity[1];
  }
  if (l->energy) {
    const double* u = l->u;
    l->energy[0] = (m * (u[0] * u[0] + u[1] * u[1]) + J * u[2] * u[2]) / 2;
    l->energy[1] = -m * (b->gravity[0] * l->q[0] + b->gravity[1] * l->q[1]);
  }
}

static const pc_element_ops ops = {.kind = "body", .evaluate = evaluate};

static pc_status check(const pc_adding* a, const pc_body_def* def)
{
  PC_TRY(pc_check_name(a));
  PC_TRY(pc_check_planar(a));
  PC_TRY(pc_check_positive(a, "mass", def->mass));
  PC_TRY(pc_check_positive(a, "inertia", def->inertia));
  PC_TRY(pc_check_finite(a, "position", 2, def->position));
  PC_TRY(pc_check_finite(a, "angle", 1, &def->angle));
  PC_TRY(pc_check_finite(a, "velocity", 2, def->velocity));
  return pc_check_finite(a, "spin", 1, &def->spin);
}

pc_status pc_add_body(pc_system* system, const pc_body_def* def, pc_part_id* id, pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  pc_adding a = {system, ops.kind, def->name, error};
  PC_TRY(check(&a, def));
  const pc_part_def part = {
      .kind = PC_PART_PLANAR_BODY,
      .q_count = 3,
      .u_count = 3,
      .q0 = (const double[]){def->position[0], def->position[1], def->angle},
      .u0 = (const double[]){def->velocity[0], def->velocity[1], def->spin},
      .q_unit = (const char* const[]){"m", "m", "rad"},
      .u_unit = (const char* const[]){"m/s", "m/s", "rad/s"},
  };
  PC_TRY(pc_add_named_part(&a, &part, (const char* const[]){"x", "y", "angle"},
                           (const char* const[]){"vx", "vy", "spin"}, id));

  const double* g = pc_system_gravity(system);
  planar_body data = {def->mass, def->inertia, {g[0], g[1]}};
  int heavy = g[0] != 0 || g[1] != 0;
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
