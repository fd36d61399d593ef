#include "collide/found_element.h"

/* x_r = 0 from r on, of at most four: a loop would be made one of vectors, which costs more than it
 * does. */
static inline void clear_from(int r, int rows, double* x)
{
  if (r == 0) x[0] = 0;
  if (rows > 1) x[1] = 0;
  if (rows > 2) x[2] = 0;
  if (rows > 3) x[3] = 0;
}

static const double* behind(const pc_set_contact* c, const double* q)
{
  return q + pc_carrier_q_count(c->carrier[0], c->world->dimension);
}

/* y, W and W_q; a shape moves by nothing but its body, so that chi vanishes. */
static void evaluate(const void* data, pc_local* l)
{
  const pc_set_contact* c = data;
  const double* const q[2] = {l->q, behind(c, l->q)};
  pc_set_contact_rows(c, q, l->y, l->W, l->W_q);
  if (l->y) clear_from(1, c->rows, l->y);
  if (l->chi) clear_from(0, c->rows, l->chi);
}

static void evaluate_rows(const void* data, const double* own, const double* second, double* y,
                          double* W)
{
  const pc_set_contact* c = data;
  const double* const q[2] = {own, second ? second : behind(c, own)};
  pc_set_contact_rows(c, q, y, W, NULL);
  if (y) clear_from(1, c->rows, y);
}

static pc_contact_law law(const void* data)
{
  const pc_material m = pc_set_contact_law(data);
  return (pc_contact_law){.mu = m.mu,
                          .e_N = m.e_N,
                          .e_F = m.e_F,
                          .e_above = m.e_above,
                          .stribeck = m.stribeck,
                          .mu_kinetic = m.mu_kinetic};
}

static const pc_element_ops ops = {
    .kind = "contact of shape", .evaluate = evaluate, .evaluate_rows = evaluate_rows, .law = law};

typedef struct source {
  pc_contact_set* set;
  const pc_colliders* colliders;
} source;

static pc_part_id part_of(const pc_colliders* c, int body)
{
  return body == PC_COLLIDER_GROUND ? PC_GROUND : c->part[body];
}

static pc_found_contact get(const void* user, int index)
{
  const source* from = user;
  pc_set_contact* c = pc_contact_set_at(from->set, index);
  const pc_collider *a = &c->world->collider[c->key.shape[0]],
                    *b = &c->world->collider[c->key.shape[1]];
  return (pc_found_contact){
      .name = from->colliders->name[c->key.shape[0]],
      .part = {part_of(from->colliders, a->body), part_of(from->colliders, b->body)},
      .data = c,
      .row = c->row,
      .entry = c->entry,
      .dimension = c->rows - 1,
      .law = {a->material, b->material},
      .has = (c->above ? (unsigned)PC_LAW_ABOVE : 0u) | (c->curve ? (unsigned)PC_LAW_CURVE : 0u)};
}

pc_status pc_contact_set_extend(pc_contact_set* set, const pc_colliders* colliders,
                                pc_system* extended, pc_error* error)
{
  const source from = {set, colliders};
  const pc_found_sizes sizes = {pc_contact_set_count(set), pc_contact_set_row_count(set),
                                pc_contact_set_entry_count(set)};
  return pc_system_set_found(extended, &ops, &sizes, get, &from, error);
}
