/* A disc, a sphere or a point against a plane: g_N = n . (c - p) - R with the plane's unit normal n.
 *
 * Slip is the velocity of the disc's material point c - R n, relative to that of the plane's point
 * below it, c - (R + g_N) n. */
#include "base/status.h"
#include "elements/attach.h"

typedef struct disc_plane {
  pc_pair pair; /* 0 the disc, 1 the plane */
  double centre[3];
  double radius;
  double point[3]; /* of the plane */
  double normal[3];
  int friction; /* rows */
} disc_plane;

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const disc_plane* k = data;
  const pc_place *p0 = &k->pair.place[0], *p1 = &k->pair.place[1];
  pc_frame f0 = pc_frame_at(p0, l->q), f1 = pc_frame_at(p1, l->q);
  pc_vec arm0 = pc_frame_vec(s, &f0, k->centre), arm1 = pc_frame_vec(s, &f1, k->point);
  pc_vec n = pc_frame_vec(s, &f1, k->normal);
  pc_vec c = pc_vec_plus(s, pc_frame_origin(s, &f0, l->q), 1, arm0);
  pc_vec p = pc_vec_plus(s, pc_frame_origin(s, &f1, l->q), 1, arm1);
  pc_vec r = pc_vec_plus(s, c, -1, p);
  pc_jet height = pc_vec_dot(s, n, r);
  if (l->y) l->y[0] = height.v - k->radius;
  if (!l->W && !s.n) return;
  arm0 = pc_vec_plus(s, arm0, -k->radius, n);
  arm1 = pc_vec_plus(s, arm1, 1, pc_vec_plus(s, r, -1, pc_vec_times(s, n, height)));
  pc_put_row(s, &k->pair, l, 0, n, p0, arm0, p1, arm1);
  if (k->friction) pc_put_friction_rows(s, &k->pair, l, 1, n, p0, arm0, p1, arm1);
}

static void evaluate(const void* data, pc_local* l)
{
  const disc_plane* k = data;
  pc_run_kernel(kernel, data, l, k->pair.dimension, l->W_q != NULL);
}

static const pc_element_ops ops = {.kind = "disc-plane", .evaluate = evaluate};

static pc_status check(const pc_adding* a, const pc_disc_plane_def* def)
{
  int n = pc_system_dimension(a->system);
  PC_TRY(pc_check_name(a));
  PC_TRY(pc_check_finite(a, "centre.at", n, def->centre.at));
  PC_TRY(pc_check_not_negative(a, "radius", def->radius));
  PC_TRY(pc_check_finite(a, "plane.point", n, def->plane.point));
  PC_TRY(pc_check_finite(a, "plane.normal", n, def->plane.normal));
  for (int i = 0; i < n; i++)
    if (def->plane.normal[i] != 0) return PC_OK;
  return pc_fail(a->error, PC_BAD_MODEL, "%s '%s': plane.normal is zero; it must have a direction",
                 a->kind, a->name);
}

static void fill(disc_plane* k, const pc_disc_plane_def* def)
{
  double normal[3] = {0, 0, 0};
  for (int i = 0; i < k->pair.dimension; i++) {
    k->centre[i] = def->centre.at[i];
    k->point[i] = def->plane.point[i];
    normal[i] = def->plane.normal[i];
  }
  double length = hypot(hypot(normal[0], normal[1]), normal[2]);
  for (int i = 0; i < 3; i++) k->normal[i] = normal[i] / length;
  k->radius = def->radius;
  pc_hang_point(&k->pair.place[0], k->centre);
  pc_hang_direction(&k->pair.place[1]);
}

pc_status pc_add_disc_plane(pc_system* system, const pc_disc_plane_def* def, pc_error* error)
{
  pc_adding a = {system, ops.kind, def->law.name, error};
  PC_TRY(check(&a, def));
  const pc_part_id part[2] = {def->centre.part, def->plane.part};
  disc_plane data = {0};
  PC_TRY(pc_check_law(&a, &def->law, &data.friction));
  PC_TRY(pc_attach_pair(&a, PC_HOLDS_POINTS, part,
                        (const char* const[]){"centre.part", "plane.part"}, &data.pair));
  fill(&data, def);
  int turns = data.pair.place[0].turned || data.pair.place[1].turned;
  pc_element_def element = {
      .ops = &ops,
      .part_count = 2,
      .part = part,
      .contact_count = 1,
      .contact = &def->law,
      .contact_dimension = &data.friction,
      .provides = PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q,
      .constant = turns ? 0 : PC_TERM_W | PC_TERM_W_Q,
  };
  return pc_add_copy(&a, &element, &data, sizeof data);
}
