/* An elastic bar on a line: linear rod finite elements, Acary (71), with the consistent mass
 * matrix.
 *
 *     M_e = rho S l/6 [2 1; 1 2],   K_e = E S/l [1 -1; -1 1],   l = L/N
 *
 * Its coordinates are the positions of its N + 1 nodes, from the root to the tip. It is one part
 * and one element, whose cells are the finite elements: neighbouring nodes are coupled and no
 * others, so everything grows with N alone. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "elements/chain.h"

enum { ELEMENTS_MAX = 1000000 };

typedef struct bar {
  int elements;
  double length;    /* of an element without strain: negative if the tip is on the left [m] */
  double mass;      /* rho S l/6 [kg] */
  double stiffness; /* E S/l [N/m] */
  double weight;    /* of half an element [N] */
} bar;

/* The cells' matrices are all the same: [diagonal, beside; beside, diagonal]. */
static void fill_cells(int count, double diagonal, double beside, double* cell)
{
  for (int c = 0; c < count; c++, cell += 4) {
    cell[0] = cell[3] = diagonal;
    cell[1] = cell[2] = beside;
  }
}

static void add_forces(const bar* b, const double* x, double* h)
{
  const double stiffness = b->stiffness, length = b->length, weight = 2 * b->weight;
  double left = 0; /* the tension of the element before */
  for (int i = 0, count = b->elements; i < count; i++) {
    double tension = stiffness * (x[i + 1] - x[i] - length);
    h[i] = tension - left + weight;
    left = tension;
  }
  h[0] -= b->weight;
  h[b->elements] = b->weight - left;
}

static void add_energy(const bar* b, const double* x, const double* u, double* energy)
{
  double motion = 0, strain = 0, height = 0;
  for (int i = 0; i < b->elements; i++) {
    double stretch = x[i + 1] - x[i] - b->length;
    motion += u[i] * (u[i] + u[i + 1]) + u[i + 1] * u[i + 1];
    strain += stretch * stretch;
    height += x[i] + x[i + 1];
  }
  energy[0] += b->mass * motion;
  energy[1] += b->stiffness * strain / 2 - b->weight * height;
}

static void evaluate(const void* data, pc_local* l)
{
  const bar* b = data;
  if (l->M) fill_cells(b->elements, 2 * b->mass, b->mass, l->M);
  if (l->h_q) fill_cells(b->elements, -b->stiffness, b->stiffness, l->h_q);
  if (l->h) add_forces(b, l->q, l->h);
  if (l->energy) add_energy(b, l->q, l->u, l->energy);
}

static const pc_element_ops ops = {.kind = "bar", .evaluate = evaluate};

static pc_status check(const pc_adding* a, const pc_bar_def* def)
{
  int dimension = pc_system_dimension(a->system);
  PC_TRY(pc_check_name(a));
  if (dimension != 1)
    return pc_fail(a->error, PC_BAD_MODEL, "bar '%s' needs a line; this system has dimension %d",
                   a->name, dimension);
  if (def->elements < 1 || def->elements > ELEMENTS_MAX)
    return pc_fail(a->error, PC_BAD_MODEL, "bar '%s': elements is %d; it must be from 1 to %d",
                   a->name, def->elements, (int)ELEMENTS_MAX);
  PC_TRY(pc_check_positive(a, "area", def->area));
  PC_TRY(pc_check_positive(a, "density", def->density));
  PC_TRY(pc_check_positive(a, "modulus", def->modulus));
  PC_TRY(pc_check_finite(a, "root", 1, def->root));
  PC_TRY(pc_check_finite(a, "tip", 1, def->tip));
  PC_TRY(pc_check_finite(a, "velocity", 1, def->velocity));
  if (def->root[0] == def->tip[0])
    return pc_fail(a->error, PC_BAD_MODEL, "bar '%s': root and tip are in one place", a->name);
  return PC_OK;
}

static pc_status add_part(const pc_adding* a, const pc_bar_def* def, pc_part_id* id)
{
  int last = def->elements;
  size_t count = (size_t)last + 1;
  double* number = pc_alloc(2 * count, sizeof *number); /* positions, then velocities */
  if (!number) return pc_no_memory(a->error);
  for (size_t i = 0; i < count; i++) {
    number[i] = ((double)(count - 1 - i) * def->root[0] + (double)i * def->tip[0]) / last;
    number[count + i] = def->velocity[0];
  }
  const pc_chain chain = {
      .kind = PC_PART_BAR,
      .last = last,
      .q_width = 1,
      .u_width = 1,
      .q_tail = (const char* const[]){"x"},
      .u_tail = (const char* const[]){"vx"},
      .q_unit = (const char* const[]){"m"},
      .u_unit = (const char* const[]){"m/s"},
  };
  pc_status status = pc_add_chain(a, &chain, number, number + count, id);
  free(number);
  return status;
}

pc_status pc_add_bar(pc_system* system, const pc_bar_def* def, pc_part_id* id, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_adding a = {system, ops.kind, def->name, error};
  PC_TRY(check(&a, def));
  double length = (def->tip[0] - def->root[0]) / def->elements, size = fabs(length);
  const bar data = {
      .elements = def->elements,
      .length = length,
      .mass = def->density * def->area * size / 6,
      .stiffness = def->modulus * def->area / size,
      .weight = def->density * def->area * size / 2 * pc_system_gravity(system)[0],
  };
  PC_TRY(pc_check_positive(&a, "the mass of an element", data.mass));
  PC_TRY(pc_check_positive(&a, "the stiffness of an element", data.stiffness));
  PC_TRY(add_part(&a, def, id));
  pc_element_def element = {
      .ops = &ops,
      .part_count = 1,
      .part = id,
      .cells = {def->elements, 1, 2},
      .provides = PC_TERM_M | PC_TERM_H | PC_TERM_H_Q | PC_TERM_ENERGY,
      .constant = PC_TERM_M | PC_TERM_H_Q,
  };
  return pc_add_copy(&a, &element, &data, sizeof data);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static const pc_chain_view view = {PC_PART_BAR, PC_PART_POINT_MASS, 1, 1};

int pc_bar_elements(const pc_system* system, pc_part_id id)
{
  if (!system) return 0;
  int last = pc_chain_last(system, id, &view);
  return last < 0 ? 0 : last;
}

pc_status pc_bar_node(pc_system* system, pc_part_id id, int node, pc_part_id* node_id,
                      pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  if (pc_chain_last(system, id, &view) < 0)
    return pc_fail(error, PC_BAD_MODEL, "part number %d is not a bar", id.index);
  return pc_chain_node(system, id, &view, ops.kind, node, node_id, error);
}
