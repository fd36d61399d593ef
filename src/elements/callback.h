/* An element of user code: its data and scratch, for adding it (callback.c) and for evaluating it
 * (callback_evaluate.c). */
#ifndef PC_ELEMENTS_CALLBACK_H
#define PC_ELEMENTS_CALLBACK_H

#include "system/element.h"

/* One part among the local coordinates. */
typedef struct pc_callback_part {
  int q_first, q_count;
  int u_first, u_count;
  pc_kinematics kinematics; /* NULL functions: q' = u */
  const void* user;
} pc_callback_part;

typedef struct pc_callback {
  pc_callback_def f; /* the functions and `user`; the lists of the definition are not kept */
  int n_q, n_u;
  int rows;
  int part_count;
  pc_callback_part* part;
} pc_callback;

void pc_callback_evaluate(const void* data, pc_local* l);
pc_status pc_callback_prepare(const void* data, unsigned mask, void** work);
void pc_callback_release(void* work);

#endif
