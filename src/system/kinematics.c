/* What holds for the system as a whole: q' = B u + beta, and which terms there are. */
#include <string.h>

#include "linalg/copy.h"
#include "system/system.h"
#include "system/terms.h"

void pc_system_q_dot(const pc_system* s, double t, const double* q, const double* u, double* q_dot)
{
  if (s->plain_kinematics) {
    pc_copy(s->u_count, u, q_dot);
    return;
  }
  for (int i = 0; i < s->part_count; i++) {
    const pc_part* p = &s->part[i];
    if (p->kinematics.q_dot)
      p->kinematics.q_dot(p->user, t, q + p->q_first, u + p->u_first, q_dot + p->q_first);
    else
      memcpy(q_dot + p->q_first, u + p->u_first, (size_t)p->u_count * sizeof *u);
  }
}

int pc_system_plain_kinematics(const pc_system* s)
{
  return s->plain_kinematics;
}

unsigned pc_system_provides(const pc_system* s)
{
  unsigned provides = 0;
  for (int i = 0; i < s->element_count; i++) provides |= s->element[i].provides;
  return provides;
}

unsigned pc_system_constant(const pc_system* s)
{
  unsigned constant = PC_TERM_ALL;
  for (int i = 0; i < s->element_count; i++)
    constant &= s->element[i].constant | ~s->element[i].provides;
  return constant & pc_system_provides(s);
}
