/* What contacts of a body with a plane share, whatever the shape of the body: the plane, the
 * friction on it, and the choice between a contact and a joint that rolls (contact_plane.c). */
#ifndef PC_ELEMENTS_CONTACT_PLANE_H
#define PC_ELEMENTS_CONTACT_PLANE_H

#include "elements/attach.h"

typedef struct pc_plane_contact {
  pc_pair pair;     /* 0 the body, 1 the plane */
  double centre[3]; /* of the shape, in the frame of the body */
  double point[3];  /* of the plane, in the frame of its part */
  double normal[3]; /* unit vector, likewise */
  pc_friction friction;
} pc_plane_contact;

/* A definition, but for the shape. `rolls`: the shape stays on the plane and does not slip; of the
 * law only the name is used then. */
typedef struct pc_plane_contact_def {
  const pc_contact_law* law;
  const pc_point* centre;
  const pc_plane* plane;
  int rolls;
} pc_plane_contact_def;

/* Checks a definition and finds the places of its parts. */
pc_status pc_place_plane_contact(const pc_adding* adding, const pc_plane_contact_def* def,
                                 pc_plane_contact* contact);

/* Adds the element; `data` begins with `contact` and owns nothing else. */
pc_status pc_add_plane_contact(const pc_adding* adding, const pc_element_ops* ops,
                               const pc_plane_contact_def* def, const pc_plane_contact* contact,
                               const void* data, size_t size, unsigned constant);

/* The plane and the centre of a shape, for pc_element_ops.shape. */
void pc_shape_on_plane(const pc_plane_contact* contact, pc_shape* shape);

/* The joint's share of pc_add_rolling, in the files of its shapes. */
pc_status pc_add_rolling_disc(const pc_adding* adding, const pc_rolling_def* def);
pc_status pc_add_rolling_edge(const pc_adding* adding, const pc_rolling_def* def);

/* A contact at a configuration: the centre c, a point p of the plane, r = c - p. */
typedef struct pc_plane_view {
  pc_scene scene;
  pc_vec arm0, arm1; /* from the parts' origins to c and p */
  pc_vec n, r;
  pc_jet height; /* n . r */
} pc_plane_view;

PC_INLINE pc_plane_view pc_plane_view_at(pc_space s, const pc_plane_contact* k, const double* q,
                                         pc_turns* turns)
{
  pc_plane_view v;
  v.scene = pc_scene_at(s, &k->pair, q, turns);
  const pc_frame *f0 = &v.scene.frame[0], *f1 = &v.scene.frame[1];
  v.arm0 = pc_frame_vec(s, f0, k->centre);
  v.arm1 = pc_frame_vec(s, f1, k->point);
  v.n = pc_frame_vec(s, f1, k->normal);
  pc_vec c = pc_vec_plus(s, pc_frame_origin(s, f0, q), 1, v.arm0);
  pc_vec p = pc_vec_plus(s, pc_frame_origin(s, f1, q), 1, v.arm1);
  v.r = pc_vec_plus(s, c, -1, p);
  v.height = pc_vec_dot(s, v.n, v.r);
  return v;
}

/* The rows of a shape whose deepest point is c + reach, `depth` below c. */
PC_INLINE void pc_put_plane_contact(pc_space s, const pc_plane_contact* k, const pc_plane_view* v,
                                    const pc_local* l, pc_vec reach, pc_jet depth)
{
  pc_jet gap = pc_jet_plus(s.n, v->height, -1, depth);
  if (l->y) l->y[0] = gap.v;
  if (!l->W && !s.n) return;
  pc_vec below = pc_vec_plus(s, v->r, 1, reach);
  pc_vec arm0 = pc_vec_plus(s, v->arm0, 1, reach);
  pc_vec arm1 = pc_vec_plus(s, v->arm1, 1, pc_vec_plus(s, below, -1, pc_vec_times(s, v->n, gap)));
  pc_put_row(s, &v->scene, l, 0, v->n, 0, arm0, arm1);
  pc_put_plane_friction(s, &v->scene, l, &k->friction, v->n, arm0, arm1);
}

#endif
