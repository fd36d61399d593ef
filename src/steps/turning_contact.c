#include "steps/turning_contact.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"

/* More than a fifth of a radian is much: tan(x) differs from x by more than a percent. A tenth will do. */
static const double MUCH = 0.2, FINE = 0.1;

/* The rate of turning is seen over this part of the step: over a whole one a pin may have gone through the
 * middle of its bore. */
static const double PART = 1e-3;

typedef struct search {
  pc_terms *here, *ahead;
  double *q, *inertia; /* at the end of the motion that is looked at, n_q; n_u */
} search;

static void clear(search* s)
{
  pc_terms_destroy(s->here);
  pc_terms_destroy(s->ahead);
  free(s->q);
  free(s->inertia);
}

static pc_status create(search* s, const pc_system* system, pc_error* error)
{
  PC_TRY(pc_terms_create(system, PC_TERM_Y | PC_TERM_W | PC_TERM_M, &s->here, error));
  PC_TRY(pc_terms_create(system, PC_TERM_Y | PC_TERM_W | PC_TERM_M, &s->ahead, error));
  s->q = pc_alloc((size_t)pc_system_q_count(system), sizeof *s->q);
  s->inertia = pc_alloc((size_t)pc_system_u_count(system), sizeof *s->inertia);
  return s->q && s->inertia ? PC_OK : pc_no_memory(error);
}

/* a . b over the inertias. */
static double product(const search* s, pc_row a, pc_row b)
{
  const double *x = a.w, *y = b.w;
  double sum = 0;
  for (int k = 0; k < a.block_count; k++)
    for (int i = a.block[k].first; i < a.block[k].first + a.block[k].width; i++, x++, y++)
      if (s->inertia[i] > 0) sum += *x * *y / s->inertia[i];
  return sum;
}

/* The angle between the directions of a row here and ahead, which is seen to 1e-7 rad or so. */
static double angle(const search* s, int row)
{
  pc_row a = s->here->row[row], b = s->ahead->row[row];
  double aa = product(s, a, a), bb = product(s, b, b), ab = product(s, a, b);
  return aa > 0 && bb > 0 ? pc_acos(fmax(-1, fmin(1, ab / sqrt(aa * bb)))) : 0;
}

static void look_ahead(search* s, double t, const double* q, const double* u, double dt)
{
  const pc_system* system = s->here->system;
  pc_system_q_dot(system, t, q, u, s->q);
  for (int i = 0; i < pc_system_q_count(system); i++) s->q[i] = q[i] + dt * s->q[i];
  pc_terms_evaluate(s->ahead, &(pc_at){t + dt, s->q, u, NULL});
}

/* Whether the contact is closed or may close: its gap is no longer than what it changes by in the step. */
static int is_near(const search* s, int row, double change)
{
  return s->here->y[row] <= fabs(change);
}

static void examine(search* s, double dt, pc_turning_contact* found)
{
  const pc_system* system = s->here->system;
  double most = MUCH;
  for (int k = 0; k < pc_system_contact_count(system); k++) {
    int row = pc_system_contact(system, k).row;
    double turned = angle(s, row) / PART, change = (s->ahead->y[row] - s->here->y[row]) / PART;
    if (!is_near(s, row, change) || !(turned > most)) continue;
    most = turned;
    *found = (pc_turning_contact){k, turned, dt * FINE / turned};
  }
}

pc_status pc_find_turning_contact(const pc_system* system, double t, const double* q,
                                  const double* u, double dt, pc_turning_contact* found,
                                  pc_error* error)
{
  search s = {0};
  *found = (pc_turning_contact){.contact = -1};
  pc_status status = create(&s, system, error);
  if (status == PC_OK) {
    pc_terms_evaluate(s.here, &(pc_at){t, q, u, NULL});
    pc_terms_own_inertia(s.here, s.inertia);
    look_ahead(&s, t, q, u, PART * dt);
    examine(&s, dt, found);
  }
  clear(&s);
  return status;
}
