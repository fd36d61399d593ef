#include "steps/turning_contact.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "steps/consistent_start.h"
#include "system/inspect.h"

/* More than a fifth of a radian is much: tan(x) differs from x by more than a percent. A tenth will
 * do. */
static const double MUCH = 0.2, FINE = 0.1;

/* The same for the path of one body alone, of which the other body goes along with the most
 * part. */
static const double MUCH_ALONE = 2, FINE_ALONE = 1;

/* The rate of turning is seen over this part of the step: over a whole one a pin may have gone
 * through the middle of its bore. */
static const double PART = 1e-3;

typedef struct search {
  pc_terms *here, *ahead;
  double *q, *inertia; /* at the end of the motion that is looked at, n_q; n_u */
  char* near;          /* for each contact: it is closed or about to close */
  double *u, *a,
      *lambda; /* what a step would move with, and the accelerations and forces at its start */
} search;

static void clear(search* s)
{
  pc_terms_destroy(s->here);
  pc_terms_destroy(s->ahead);
  free(s->q);
  free(s->inertia);
  free(s->u);
  free(s->a);
  free(s->lambda);
  free(s->near);
}

static pc_status create(search* s, const pc_system* system, pc_error* error)
{
  PC_TRY(pc_terms_create(system, PC_TERM_Y | PC_TERM_W | PC_TERM_M, &s->here, error));
  PC_TRY(pc_terms_create(system, PC_TERM_Y | PC_TERM_W | PC_TERM_M, &s->ahead, error));
  s->q = pc_alloc((size_t)pc_system_q_count(system), sizeof *s->q);
  size_t n_u = (size_t)pc_system_u_count(system);
  s->inertia = pc_alloc(n_u, sizeof *s->inertia);
  s->u = pc_alloc(n_u, sizeof *s->u);
  s->a = pc_alloc(n_u, sizeof *s->a);
  s->lambda = pc_alloc((size_t)pc_system_row_count(system), sizeof *s->lambda);
  s->near = pc_alloc((size_t)pc_system_contact_count(system), sizeof *s->near);
  int bad = !s->q || !s->inertia || !s->u || !s->a || !s->lambda || !s->near;
  return bad ? pc_no_memory(error) : PC_OK;
}

/* The velocity that the accelerations of the start lead to by the end of the step: a pin that is at
 * rest in its bore may be at the other side by then. Where no forces are found, it is that of the
 * start. */
static pc_status accelerate(search* s, double t, const double* q, const double* u, double dt,
                            pc_error* error)
{
  const pc_system* system = s->here->system;
  pc_consistent_start* start;
  pc_solver_info info;
  pc_error ignored = {0};
  PC_TRY(pc_consistent_start_create(system, NULL, &start, error));
  pc_status status = pc_consistent_start_solve(start, t, q, u, s->a, s->lambda, &info, &ignored);
  for (int i = 0; i < pc_system_u_count(system); i++)
    s->u[i] = status == PC_OK && isfinite(s->a[i]) ? u[i] + dt * s->a[i] : u[i];
  pc_consistent_start_destroy(start);
  return PC_OK;
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

/* Whether the contact is closed or may close: its gap is no longer than what it changes by in the
 * step. */
static int is_near(const search* s, int row, double change)
{
  return s->here->y[row] <= fabs(change);
}

/* The velocity of one body of the contact alone, in s->u. */
static void move_alone(search* s, int row, const double* u)
{
  const pc_block* body = s->here->row[row].block;
  for (int i = 0; i < pc_system_u_count(s->here->system); i++)
    s->u[i] = i >= body->first && i < body->first + body->width ? u[i] : 0;
}

/* The two bodies of a contact may go a long way together, and in a step with an impact elsewhere
 * one of them stops: contacts that are closed or about to close and whose play is short for
 * that. */
static void examine_paths(search* s, double t, const double* q, const double* u, double dt,
                          pc_turning_contact* found)
{
  const pc_system* system = s->here->system;
  double most = MUCH_ALONE;
  for (int k = 0; k < pc_system_contact_count(system); k++) {
    int row = pc_system_contact_row(system, k);
    if (!s->near[k] || s->here->row[row].block_count < 2) continue;
    move_alone(s, row, u);
    look_ahead(s, t, q, s->u, PART * dt);
    double turned = angle(s, row) / PART;
    if (!(turned > most)) continue;
    most = turned;
    *found = (pc_turning_contact){k, 1, turned, dt * FINE_ALONE / turned};
  }
}

static void examine(search* s, double dt, pc_turning_contact* found)
{
  const pc_system* system = s->here->system;
  double most = MUCH;
  for (int k = 0; k < pc_system_contact_count(system); k++) {
    int row = pc_system_contact_row(system, k);
    double turned = angle(s, row) / PART, change = (s->ahead->y[row] - s->here->y[row]) / PART;
    int near = is_near(s, row, change);
    s->near[k] |= (char)near;
    if (!near || !(turned > most)) continue;
    most = turned;
    *found = (pc_turning_contact){k, 0, turned, dt * FINE / turned};
  }
}

/* With the velocities of the start, then with those of the end, then with those of one body
 * alone. */
static pc_status look(search* s, double t, const double* q, const double* u, double dt,
                      pc_turning_contact* found, pc_error* error)
{
  pc_terms_evaluate(s->here, &(pc_at){t, q, u, NULL});
  pc_terms_own_inertia(s->here, s->inertia);
  look_ahead(s, t, q, u, PART * dt);
  examine(s, dt, found);
  if (found->contact >= 0) return PC_OK;
  PC_TRY(accelerate(s, t, q, u, dt, error));
  look_ahead(s, t, q, s->u, PART * dt);
  examine(s, dt, found);
  if (found->contact < 0) examine_paths(s, t, q, u, dt, found);
  return PC_OK;
}

pc_status pc_find_turning_contact(const pc_system* system, double t, const double* q,
                                  const double* u, double dt, pc_turning_contact* found,
                                  pc_error* error)
{
  search s = {0};
  *found = (pc_turning_contact){.contact = -1};
  pc_status status = create(&s, system, error);
  if (status == PC_OK) status = look(&s, t, q, u, dt, found, error);
  clear(&s);
  return status;
}
