/* The contacts of a step: found once, at its start, with a margin, and the same for all its
 * iterations.
 *
 * A contact is in the set if its gap is at most the distance by which its shapes can approach each
 * other in the step: for each body dt times the speed of the fastest point of its shape, which may
 * grow within the step by dt times an acceleration, times a factor, plus a fixed margin. The set is
 * a function of q, u and dt alone: what was found before does not matter, so that a run that is
 * resumed or whose steps are subdivided finds the same. It is sorted by key (shape, shape,
 * feature), the same on every machine and for any order of additions before. Arrays grow while
 * contacts are found; when they have grown, nothing is allocated. */
#ifndef PC_COLLIDE_CONTACT_SET_H
#define PC_COLLIDE_CONTACT_SET_H

#include "base/threads.h"
#include "collide/narrow_phase.h"
#include "collide/world.h"
#include "linalg/row.h"
#include "percuss/found.h"

/* There are many of them: what the world says of its shapes is read there. */
typedef struct pc_set_contact {
  pc_contact_key key;
  const pc_world* world;
  int row;                  /* the first of its rows among those of the set, */
  int entry;                /* and the first of their entries of W */
  unsigned char rows;       /* 1 + those of friction */
  unsigned char carrier[2]; /* pc_carrier */
  unsigned char above;      /* it rebounds from some speed on */
  unsigned char curve;      /* its friction depends on the speed */
  double gap;               /* where it was found [m] */
  pc_contact_geometry geometry;
} pc_set_contact;

/* The body of one of its shapes, of the world, or PC_COLLIDER_GROUND. */
static inline int pc_set_contact_body(const pc_set_contact* c, int side)
{
  return c->world->collider[c->key.shape[side]].body;
}

/* Its law, from the materials of its shapes. */
static inline pc_material pc_set_contact_law(const pc_set_contact* c)
{
  const pc_collider* of = c->world->collider;
  return pc_material_between(c->world->material, of[c->key.shape[0]].material,
                             of[c->key.shape[1]].material);
}

/* pc_contact_key_compare, for loops. */
static inline int pc_compare_keys(const pc_contact_key* a, const pc_contact_key* b)
{
  if (a->shape[0] != b->shape[0]) return a->shape[0] < b->shape[0] ? -1 : 1;
  if (a->shape[1] != b->shape[1]) return a->shape[1] < b->shape[1] ? -1 : 1;
  return (a->feature > b->feature) - (a->feature < b->feature);
}

typedef struct pc_contact_set pc_contact_set;

/* How far contacts are looked for. */
typedef struct pc_find_settings {
  /* On the distance that shapes can move in a step: 1 for free motion, more where they can get
   * faster within it. */
  double factor;
  double margin;       /* [m], in addition, for both shapes of a pair together */
  double acceleration; /* of bodies that are free [m/s^2]: gravity */
  /* Coordinates and velocities that the step may reach, or NULL */
  const double *q_end, *u_end;
} pc_find_settings;

/* The world must outlive the set and be frozen; so must the threads that share its work, NULL for
 * none. */
pc_status pc_contact_set_create(const pc_world* world, pc_threads* threads, pc_contact_set** set,
                                pc_error* error);
void pc_contact_set_destroy(pc_contact_set* set);

/* Finds the contacts for a step of length dt [s] (not negative) from q and u on. */
pc_status pc_contact_set_find(pc_contact_set* set, const double* q, const double* u, double dt,
                              const pc_find_settings* settings, pc_error* error);

/* Whether the shapes move no farther than contacts were looked for: from q to q_end, or in dt at
 * the velocities u_end. */
int pc_contact_set_covers(const pc_contact_set* set, const double* q, const double* q_end,
                          const double* u_end, double dt);

/* Whether some shape moves from q to q_end so much farther than contacts were looked for that it
 * may be half-way through one that it did not touch. */
int pc_contact_set_may_pass(const pc_contact_set* set, const double* q, const double* q_end);

/* The first contact whose shapes get more than half-way through each other between q and q_end, and
 * were not where it was found, or -1: on the other side they would be taken for shapes that come
 * from there. */
int pc_contact_set_passed(pc_contact_set* set, const double* q, const double* q_end);

/* How far the points of a shape are from each other for q and q_end, at most [m]. */
double pc_world_way(const pc_world* world, int collider, const double* q, const double* q_end);

/* Finds those contacts again that have a shape which may move farther, by these settings, than it
 * was thought to when `set` was found: all others are in `set`. */
pc_status pc_contact_set_find_farther(pc_contact_set* found, const pc_contact_set* set,
                                      const double* q, const double* u, double dt,
                                      const pc_find_settings* settings, pc_error* error);

/* Whether every contact of `part` is in `set`, by its key. */
int pc_contact_set_contains(const pc_contact_set* set, const pc_contact_set* part);

int pc_contact_set_count(const pc_contact_set* set);
int pc_contact_set_row_count(const pc_contact_set* set);
int pc_contact_set_entry_count(const pc_contact_set* set); /* of W */
const pc_set_contact* pc_contact_set_get(const pc_contact_set* set, int contact);
pc_set_contact* pc_contact_set_at(pc_contact_set* set, int contact); /* the same */

/* ---- rows ---------------------------------------------------------------------------------- */

/* The runs of velocities and of coordinates that the rows of a contact touch, one for each body
 * that moves; how many they are. The values of a row of W lie one run after the other, as in
 * pc_row; those of W_q for each of them likewise over the coordinates. */
int pc_contact_set_blocks(const pc_contact_set* set, int contact, pc_block u[2], pc_block q[2]);

/* Gap, W (rows x n_u) and W_q (rows x n_u x n_q) of a contact at q: pc_contact_rows. */
void pc_contact_set_rows(const pc_contact_set* set, int contact, const double* q, double* gap,
                         double* W, double* W_q);

/* The same from the coordinates of its two bodies; NULL for the ground. */
void pc_set_contact_rows(const pc_set_contact* contact, const double* const q[2], double* gap,
                         double* W, double* W_q);

/* Normal and points at q. */
pc_contact_point pc_contact_set_point(const pc_contact_set* set, int contact, const double* q);

/* ---- what persists ------------------------------------------------------------------------- */

/* What belongs to the rows of a contact, as an impulse P does, in inertial components: those of the
 * vector that acts on body 0, and that of the row of spin about the normal; zero where there is
 * none. Tangents are chosen anew in every step, so that these are what can be kept. And the other
 * way. Normals and tangents are those where the contacts were found. */
void pc_contact_set_to_inertial(const pc_contact_set* set, int contact, const double* P,
                                double component[4]);
void pc_contact_set_from_inertial(const pc_contact_set* set, int contact, const double component[4],
                                  double* P);

#endif
