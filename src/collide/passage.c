#include "collide/passage.h"

#include <math.h>

/* A shape may move so many times the way through a pair in a step, before samples get farther
 * apart. */
enum { SAMPLES_MAX = 64 };

/* At the coordinates in between. */
static pc_pose pose_between(const pc_passage* p, int body, double share)
{
  if (body == PC_COLLIDER_GROUND) return pc_pose_identity();
  const pc_world_body* b = &p->world->body[body];
  const double *from = p->q + b->q_first, *to = p->q_end + b->q_first;
  double own[7];
  for (int i = 0; i < pc_carrier_q_count(b->carrier, p->world->dimension); i++)
    own[i] = share < 1 ? from[i] + share * (to[i] - from[i]) : to[i];
  return pc_carrier_pose(b->carrier, p->world->dimension, own);
}

/* The nearest contact has the signed distance of the shapes as its gap. */
static int is_deep_at(const pc_passage* p, double share, pc_narrow_phase* narrow,
                      pc_found_list* found)
{
  const pc_collider* const c[2] = {&p->world->collider[p->shape[0]],
                                   &p->world->collider[p->shape[1]]};
  const pc_pose body[2] = {pose_between(p, c[0]->body, share), pose_between(p, c[1]->body, share)};
  found->count = 0;
  if (pc_narrow_phase_find(narrow, c, body, 0, found, NULL) != PC_OK) return 1;
  for (int i = 0; i < found->count; i++)
    if (found->item[i].gap < -p->half) return 1;
  return 0;
}

int pc_passage_is_resolved(const pc_passage* p)
{
  return p->way <= SAMPLES_MAX * p->half;
}

int pc_passage_is_deep(const pc_passage* p, pc_narrow_phase* narrow, pc_found_list* found)
{
  int count = pc_passage_is_resolved(p) ? (int)ceil(p->way / p->half) : SAMPLES_MAX;
  for (int k = 1; k <= count; k++)
    if (is_deep_at(p, (double)k / count, narrow, found)) return 1;
  return 0;
}
