#include "elements/contact_plane.h"

#include "base/status.h"

pc_status pc_place_plane_contact(const pc_adding* a, const pc_plane_contact_def* def,
                                 pc_plane_contact* k)
{
  static const char* const field[2] = {"centre.part", "plane.part"};
  int n = pc_system_dimension(a->system);
  const pc_part_id part[2] = {def->centre->part, def->plane->part};
  PC_TRY(pc_check_finite(a, "centre.at", n, def->centre->at));
  PC_TRY(pc_check_finite(a, "plane.point", n, def->plane->point));
  PC_TRY(pc_check_direction(a, "plane.normal", def->plane->normal, k->normal));
  if (def->rolls) {
    PC_TRY(pc_attach_pair(a, PC_HOLDS_POINTS, part, field, &k->pair));
    k->friction.rows = n - 1;
  } else {
    PC_TRY(pc_attach_contact(a, def->law, part, field, &k->pair, &k->friction));
  }
  for (int i = 0; i < n; i++) {
    k->centre[i] = def->centre->at[i];
    k->point[i] = def->plane->point[i];
  }
  pc_choose_plane_tangents(k->normal, &k->friction);
  pc_hang_point(&k->pair.place[0], k->centre);
  pc_hang_direction(&k->pair.place[1]);
  return PC_OK;
}

/* A joint's rows are those of a contact in the same order: the gap stays 0, and the slip. */
pc_status pc_add_plane_contact(const pc_adding* a, const pc_element_ops* ops,
                               const pc_plane_contact_def* def, const pc_plane_contact* k,
                               const void* data, size_t size, unsigned constant)
{
  const pc_part_id part[2] = {def->centre->part, def->plane->part};
  pc_element_def element = {
      .ops = ops,
      .part_count = 2,
      .part = part,
      .provides = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q,
      .constant = constant,
  };
  if (def->rolls) {
    element.g_count = 1;
    element.gamma_count = k->friction.rows;
  } else {
    element.contact_count = 1;
    element.contact = def->law;
    element.contact_dimension = &k->friction.rows;
  }
  return pc_add_copy(a, &element, data, size);
}

void pc_shape_on_plane(const pc_plane_contact* k, pc_shape* s)
{
  const double at[2][3] = {{k->centre[0], k->centre[1], k->centre[2]},
                           {k->point[0], k->point[1], k->point[2]}};
  for (int i = 0; i < 3; i++) s->axis[i] = k->normal[i];
  s->kind = PC_SHAPE_PLANE;
  pc_place_shape(&k->pair, at, s);
}

/* ---- rolling ------------------------------------------------------------------------------ */

pc_status pc_add_rolling(pc_system* system, const pc_rolling_def* def, pc_joint_id* id,
                         pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_next_joint(system, id);
  pc_adding a = {system, "rolling", def->name, error};
  PC_TRY(pc_check_name(&a));
  PC_TRY(pc_check_positive(&a, "radius", def->radius));
  PC_TRY(pc_check_no_line(&a));
  int has_axis = def->axis[0] != 0 || def->axis[1] != 0 || def->axis[2] != 0;
  if (has_axis && pc_system_dimension(system) == 2)
    return pc_fail(error, PC_BAD_MODEL, "%s '%s': axis is given, but in the plane it is z", a.kind,
                   a.name);
  return has_axis ? pc_add_rolling_edge(&a, def) : pc_add_rolling_disc(&a, def);
}
