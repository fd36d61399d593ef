/* Adding a beam: checks, the arc it lies on, its nodes. */
#include "elements/beam.h"
#include "base/length.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "elements/chain.h"

enum { ELEMENTS_MAX = 1000000 };

static const double PI = 3.14159265358979323846;

pc_beam_shape pc_beam_shape_of(int nodes, double length)
{
  double l = length;
  if (nodes == 2) {
    return (pc_beam_shape){
        .nodes = 2,
        .points = 1,
        .weight = {l},
        .N = {{0.5, 0.5}},
        .slope = {{-1 / l, 1 / l}},
        .mass = {{l / 3, l / 6}, {l / 6, l / 3}},
        .load = {l / 2, l / 2},
    };
  }
  pc_beam_shape s = {
      .nodes = 3,
      .points = 2,
      .weight = {l / 2, l / 2},
      .mass = {{2 * l / 15, l / 15, -l / 30},
               {l / 15, 8 * l / 15, l / 15},
               {-l / 30, l / 15, 2 * l / 15}},
      .load = {l / 6, 2 * l / 3, l / 6},
  };
  for (int g = 0; g < 2; g++) {
    double x = (g ? 1 : -1) / sqrt(3.0); /* from -1 to 1 over the element */
    s.N[g][0] = x * (x - 1) / 2;
    s.N[g][1] = 1 - x * x;
    s.N[g][2] = x * (x + 1) / 2;
    s.slope[g][0] = (2 * x - 1) / l;
    s.slope[g][1] = -4 * x / l;
    s.slope[g][2] = (2 * x + 1) / l;
  }
  return s;
}

double pc_beam_length(const pc_beam_def* def, int dimension)
{
  double chord = pc_distance(dimension, def->root, def->tip), half = def->turn / 2;
  return half == 0 ? chord : chord * half / pc_sin(half);
}

void pc_beam_arc(double length, double turn, double share, double place[2], double* angle)
{
  double half = turn * share / 2;
  double chord = length * share * (half == 0 ? 1 : pc_sin(half) / half);
  place[0] = chord * pc_cos(half);
  place[1] = chord * pc_sin(half);
  *angle = turn * share;
}

static pc_status check_counts(const pc_adding* a, const pc_beam_def* def)
{
  if (def->elements < 1 || def->elements > ELEMENTS_MAX)
    return pc_fail(a->error, PC_BAD_MODEL, "beam '%s': elements is %d; it must be from 1 to %d",
                   a->name, def->elements, (int)ELEMENTS_MAX);
  if (def->nodes != 2 && def->nodes != 3)
    return pc_fail(a->error, PC_BAD_MODEL, "beam '%s': nodes is %d; it must be 2 or 3", a->name,
                   def->nodes);
  return PC_OK;
}

static pc_status check_material(const pc_adding* a, const pc_beam_def* def)
{
  PC_TRY(pc_check_positive(a, "area", def->area));
  PC_TRY(pc_check_positive(a, "inertia", def->inertia));
  PC_TRY(pc_check_positive(a, "density", def->density));
  PC_TRY(pc_check_positive(a, "modulus", def->modulus));
  PC_TRY(pc_check_positive(a, "shear_factor", def->shear_factor));
  PC_TRY(pc_check_not_negative(a, "damping", def->damping));
  if (!(def->poisson > -1 && def->poisson <= 0.5))
    return pc_fail(a->error, PC_BAD_MODEL,
                   "beam '%s': poisson is %g; it must be above -1 and at most 0.5", a->name,
                   def->poisson);
  return PC_OK;
}

static pc_status check_place(const pc_adding* a, const pc_beam_def* def)
{
  int dimension = pc_system_dimension(a->system);
  PC_TRY(pc_check_finite(a, "root", dimension, def->root));
  PC_TRY(pc_check_finite(a, "tip", dimension, def->tip));
  PC_TRY(pc_check_finite(a, "velocity", dimension, def->velocity));
  PC_TRY(pc_check_finite(a, "spin", 3, def->spin));
  if (!(fabs(def->turn) < 2 * PI))
    return pc_fail(a->error, PC_BAD_MODEL,
                   "beam '%s': turn is %g; it must be between -2 pi and 2 pi", a->name, def->turn);
  double length = pc_beam_length(def, dimension);
  if (!(length > 0))
    return pc_fail(a->error, PC_BAD_MODEL, "beam '%s': root and tip are in one place", a->name);
  return pc_check_positive(a, "its length", length);
}

pc_status pc_add_beam(pc_system* system, const pc_beam_def* def, pc_part_id* id, pc_error* error)
{
  PC_TRY(pc_need(def, "def", error));
  pc_adding a = {system, "beam", def->name, error};
  PC_TRY(pc_check_name(&a));
  int dimension = pc_system_dimension(system);
  if (dimension == 1)
    return pc_fail(error, PC_BAD_MODEL, "beam '%s' needs a plane or space; this system is a line",
                   a.name);
  PC_TRY(check_counts(&a, def));
  PC_TRY(check_material(&a, def));
  PC_TRY(check_place(&a, def));
  if (dimension == 2) return pc_add_planar_beam(&a, def, id);
  PC_TRY(pc_check_finite(&a, "up", 3, def->up));
  PC_TRY(pc_check_not_negative(&a, "inertia_2", def->inertia_2));
  PC_TRY(pc_check_not_negative(&a, "torsion", def->torsion));
  return pc_add_spatial_beam(&a, def, id);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static const pc_chain_view view = {PC_PART_BEAM, PC_PART_PLANAR_BODY, 3, 3};

/* The first node of a beam in space, where each is a part; NULL for any other part. */
static const pc_part* first_of_chain(const pc_system* system, pc_part_id id)
{
  const pc_part* part = NULL;
  if (pc_system_part(system, id, &part, NULL) != PC_OK || !part) return NULL;
  size_t length = strlen(part->name);
  int is_root = length > 5 && strcmp(part->name + length - 5, ".root") == 0;
  return part->kind == PC_PART_SPATIAL_BODY && part->chain > 0 && is_root ? part : NULL;
}

int pc_beam_last_node(const pc_system* system, pc_part_id id)
{
  if (!system) return 0;
  const pc_part* first = first_of_chain(system, id);
  return first ? first->chain : pc_chain_last(system, id, &view);
}

pc_status pc_beam_node(pc_system* system, pc_part_id id, int node, pc_part_id* node_id,
                       pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  const pc_part* first = first_of_chain(system, id);
  if (first && (node < 0 || node > first->chain))
    return pc_fail(error, PC_BAD_MODEL, "beam '%.*s' has no node %d; its nodes are 0 to %d",
                   (int)strlen(first->name) - 5, first->name, node, first->chain);
  if (first) {
    *node_id = (pc_part_id){id.index + node};
    return PC_OK;
  }
  if (pc_chain_last(system, id, &view) < 0)
    return pc_fail(error, PC_BAD_MODEL, "part number %d is not a beam", id.index);
  return pc_chain_node(system, id, &view, "beam", node, node_id, error);
}
