#include "steps/contact_step.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/inline.h"
#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "contact/contact_problem.h"
#include "linalg/copy.h"
#include "solve/contact_mode.h"
#include "steps/lengths.h"
#include "system/found.h"

/* What a step needs of a contact. */
typedef struct step_contact {
  int row, dimension;
  double mu;
} step_contact;

/* The coefficients of one that may rebound. */
typedef struct step_restitution {
  double e_N, e_F;
} step_restitution;

/* What there is besides as soon as some contact may rebound; else it is empty. */
typedef struct step_rebounds {
  step_restitution* of; /* of all contacts of the system */
  size_t capacity;
  double* kept; /* n_u, bilateral_count: free velocities and guess of a solve */
} step_rebounds;

/* The rows of the active contacts, one contact after the other. For sweeps without joints nothing
 * is copied: then c and the rows of cones are by the rows of the system. */
typedef struct active_rows {
  int listed;    /* they are those of the active contacts */
  int of_system; /* nothing is copied, and there are no `row`, `place` and P */
  int count;
  pc_row* row;
  int* place; /* the system's row of each */
  double* c;  /* xi without percussions and without W'u; not where it is chi: see has_offsets */
  double* P;
  pc_cone* cone;  /* of each active contact */
  pc_spare spare; /* see pc_contact_step_spend */
} active_rows;

/* What the contact problem has taken. */
typedef struct taken_parts {
  const pc_assembly* tangent; /* whose factors, */
  long factor_count;          /* and which of its factorisations */
  int contacts;               /* the active contacts */
  const pc_terms* terms;      /* the rows and */
  const double* before;       /* y'(-) of the last solution */
} taken_parts;

struct pc_contact_step {
  const pc_system* system;
  size_t contact_capacity, row_capacity, copy_capacity;
  int frictionless;
  pc_lengths lengths;
  double activation_tolerance; /* [m] */
  double gap_round_off;        /* [m] */
  int accept;                  /* an answer that is not good enough, rather than none */
  int constant_W;              /* of the system: its rows are those of the last solve */
  int row_count;               /* of the system */
  int bilateral_count;
  step_contact* contact; /* all of the system */
  int contact_count;
  int* active; /* indices of the active ones, increasing */
  int active_count;
  active_rows rows;
  double* mass;       /* of each active contact [kg]: the inverse of its mean Delassus diagonal */
  double* impact_law; /* violations, all contacts [m/s] */
  double* friction_law;
  pc_contact_problem* problem;
  taken_parts taken;
  double* step_before; /* y'(-) of the step, or NULL: see pc_contact_step_begin */
  int without_rebound; /* contacts whose y'(-) was set to zero in this step */
  step_rebounds rebound;
};

static pc_status create_problem(pc_contact_step* s, const pc_scheme_settings* settings,
                                pc_error* error)
{
  int friction = 0, may_find = pc_system_is_extended(s->system);
  for (int k = 0; k < s->contact_count; k++)
    if (s->contact[k].dimension > friction) friction = s->contact[k].dimension;
  if (may_find) friction = pc_system_dimension(s->system) == 3 ? 3 : 1;
  pc_contact_problem_def def = {.n = pc_system_u_count(s->system),
                                .bilateral_max = s->bilateral_count,
                                .contact_max = s->row_count - s->bilateral_count,
                                .grows = may_find,
                                .friction = friction,
                                .solver = settings->solver,
                                .sweeps = settings->sweeps,
                                .threads = pc_system_threads(s->system),
                                .settings = pc_default_solver_settings()};
  def.settings.tolerance = settings->solver_tolerance;
  def.settings.acceptance = settings->acceptance;
  return pc_contact_problem_create(&def, &s->problem, error);
}

/* Contacts that are worth sharing among threads. */
enum { SHARED_LEAST = 128 };

/* Contacts of a step as the threads share them. */
typedef struct contact_loop {
  pc_contact_step* step;
  const pc_terms* terms;
  const double* before;
  double* P;
  int first;           /* where a loop over contacts of the system begins */
  atomic_int rebounds; /* some contact does */
} contact_loop;

static void share(contact_loop* l, int count, pc_threads* threads, pc_threads_task* task)
{
  if (count < SHARED_LEAST)
    task(l, 0, 0, count);
  else
    pc_threads_run(threads, count, SHARED_LEAST, task, l);
}

static void take_infos(void* user, int worker, int first, int last)
{
  contact_loop* l = user;
  pc_contact_step* s = l->step;
  int rebounds = 0;
  (void)worker;
  for (int k = l->first + first; k < l->first + last; k++) {
    pc_contact_info c = pc_system_contact(s->system, k);
    rebounds |= (c.e_N != 0) | (c.e_F != 0);
    s->contact[k] = (step_contact){c.row, s->frictionless ? 0 : c.dimension, c.mu};
    if (s->rebound.of) s->rebound.of[k] = (step_restitution){c.e_N, c.e_F};
  }
  if (rebounds) atomic_store(&l->rebounds, 1);
}

/* Whether c is other than chi of the system's rows: these are copied, or some contact rebounds. */
static inline int has_offsets(const pc_contact_step* s)
{
  return !s->rows.of_system || s->rebound.kept;
}

/* Space for c and for copies of all rows, unless there are none. */
static pc_status reserve_copies(pc_contact_step* s)
{
  const pc_array copies[] = {PC_ARRAY(s->rows.row), PC_ARRAY(s->rows.place), PC_ARRAY(s->rows.P)};
  const pc_array offsets = PC_ARRAY(s->rows.c);
  size_t rows = (size_t)(s->row_count - s->bilateral_count);
  if (has_offsets(s)) PC_TRY(pc_reserve_arrays(1, &offsets, &s->row_capacity, rows));
  return s->rows.of_system ? PC_OK : pc_reserve_arrays(3, copies, &s->copy_capacity, rows);
}

/* Space for what contacts need once some of them rebounds: coefficients of all, and what a solve
 * begins with. */
static pc_status reserve_rebounds(pc_contact_step* s)
{
  const pc_array by_contact = PC_ARRAY(s->rebound.of);
  PC_TRY(pc_reserve_arrays(1, &by_contact, &s->rebound.capacity, (size_t)s->contact_count));
  size_t count = (size_t)pc_system_u_count(s->system) + (size_t)s->bilateral_count;
  if (!s->rebound.kept) s->rebound.kept = pc_alloc(count, sizeof *s->rebound.kept);
  return s->rebound.kept ? PC_OK : PC_OUT_OF_MEMORY;
}

/* What the system says about the contacts from number `first` on; returns whether some of them
 * rebounds. */
static int take_contact_infos(pc_contact_step* s, int first)
{
  contact_loop loop = {.step = s, .first = first};
  share(&loop, s->contact_count - first, pc_system_threads(s->system), take_infos);
  return atomic_load(&loop.rebounds);
}

/* Arrays for all rows and contacts of the system, and what it says about the contacts from number
 * `first` on. */
static pc_status take_system(pc_contact_step* s, int first, pc_error* error)
{
  const pc_array by_contact[] = {PC_ARRAY(s->contact),    PC_ARRAY(s->active),
                                 PC_ARRAY(s->rows.cone),  PC_ARRAY(s->mass),
                                 PC_ARRAY(s->impact_law), PC_ARRAY(s->friction_law)};
  s->row_count = pc_system_row_count(s->system);
  s->contact_count = pc_system_contact_count(s->system);
  s->constant_W = (pc_system_constant(s->system) & PC_TERM_W) != 0;
  if (pc_reserve_arrays(6, by_contact, &s->contact_capacity, (size_t)s->contact_count) != PC_OK)
    return pc_no_memory(error);
  if (s->rebound.of && reserve_rebounds(s) != PC_OK) return pc_no_memory(error);
  if (take_contact_infos(s, first) && !s->rebound.of) {
    if (reserve_rebounds(s) != PC_OK) return pc_no_memory(error);
    take_contact_infos(s, 0);
  }
  return reserve_copies(s) == PC_OK ? PC_OK : pc_no_memory(error);
}

pc_status pc_contact_step_create(const pc_system* system, const pc_scheme_settings* settings,
                                 pc_contact_step** contact_step, pc_error* error)
{
  *contact_step = NULL;
  pc_contact_step* s = pc_alloc(1, sizeof *s);
  if (!s) return pc_no_memory(error);
  s->system = system;
  s->accept = settings->on_failure == PC_ON_FAILURE_CONTINUE;
  s->frictionless = settings->frictionless;
  s->bilateral_count = pc_system_g_count(system) + pc_system_gamma_count(system);
  s->rows.of_system = settings->sweeps > 0 && s->bilateral_count == 0;
  pc_status status = take_system(s, 0, error);
  if (status == PC_OK) status = pc_lengths_create(&s->lengths, system, error);
  s->activation_tolerance = pc_lengths_activation(&s->lengths, settings);
  if (status == PC_OK) status = create_problem(s, settings, error);
  if (status != PC_OK) {
    pc_contact_step_destroy(s);
    return status;
  }
  *contact_step = s;
  return PC_OK;
}

pc_status pc_contact_step_refit(pc_contact_step* s, pc_error* error)
{
  PC_TRY(take_system(s, pc_system_fixed_contact_count(s->system), error));
  s->active_count = s->rows.listed = s->taken.contacts = 0;
  s->taken.tangent = NULL;
  return pc_contact_problem_reserve(s->problem, s->bilateral_count,
                                    s->row_count - s->bilateral_count, error);
}

int pc_contact_step_rebounds(const pc_contact_step* s)
{
  return s->rebound.of != NULL;
}

void pc_contact_step_set_friction(pc_contact_step* s, const double* mu)
{
  for (int k = 0; k < s->contact_count; k++) s->contact[k].mu = mu[k];
  s->rows.listed = 0;
}

void pc_contact_step_destroy(pc_contact_step* s)
{
  if (!s) return;
  free(s->contact);
  free(s->rebound.of);
  free(s->active);
  free(s->rows.row);
  free(s->rows.place);
  free(s->rows.cone);
  free(s->rows.c);
  free(s->rows.P);
  free(s->mass);
  free(s->impact_law);
  free(s->friction_law);
  pc_contact_problem_destroy(s->problem);
  free(s->rebound.kept);
  pc_lengths_clear(&s->lengths);
  free(s);
}

void pc_contact_step_locate(pc_contact_step* s, const double* q)
{
  if (s->contact_count > 0) s->gap_round_off = 8 * DBL_EPSILON * pc_lengths_reach(&s->lengths, q);
}

double pc_contact_step_length(const pc_contact_step* s, int contact, double gap)
{
  return pc_lengths_of_gap(&s->lengths, contact) * gap;
}

double pc_contact_step_closed_gap(const pc_contact_step* s)
{
  double tolerance = s->activation_tolerance;
  return tolerance > 0 ? pc_larger(tolerance, s->gap_round_off) : tolerance;
}

int pc_contact_step_activate(pc_contact_step* s, const double* forecast)
{
  int count = 0, same = 1;
  double tolerance = pc_contact_step_closed_gap(s);
  for (int k = 0; k < s->contact_count; k++) {
    if (!(pc_lengths_of_gap(&s->lengths, k) * forecast[k] <= tolerance)) continue;
    same &= count < s->active_count && s->active[count] == k;
    s->active[count++] = k;
  }
  if (!same || count != s->active_count) s->rows.listed = 0;
  s->active_count = count;
  return count;
}

const int* pc_contact_step_active(const pc_contact_step* s, int* count)
{
  *count = s->active_count;
  return s->active;
}

void pc_contact_step_set_masses(pc_contact_step* s, const double* mass)
{
  for (int i = 0; i < s->active_count; i++) s->mass[i] = mass[i];
  s->taken.contacts = 0; /* whose masses are others */
}

static void list_rows(void* user, int worker, int first, int last)
{
  const contact_loop* l = user;
  active_rows* rows = &l->step->rows;
  (void)worker;
  for (int i = first; i < last; i++) {
    const step_contact* c = &l->step->contact[l->step->active[i]];
    for (int d = 0; d <= c->dimension; d++) rows->place[rows->cone[i].row + d] = c->row + d;
  }
}

/* What goes with the choice of active contacts; the laws of the others hold. */
static void list_contacts(pc_contact_step* s)
{
  contact_loop loop = {.step = s};
  int count = 0;
  for (int i = 0; i < s->active_count; i++) {
    const step_contact* c = &s->contact[s->active[i]];
    s->rows.cone[i] = (pc_cone){s->rows.of_system ? c->row : count, c->dimension, c->mu};
    count += 1 + c->dimension;
  }
  if (!s->rows.of_system) share(&loop, s->active_count, pc_system_threads(s->system), list_rows);
  pc_zero(s->contact_count, s->impact_law);
  pc_zero(s->contact_count, s->friction_law);
  s->rows.count = count;
  s->taken.contacts = 0;
  s->rows.listed = 1;
}

/* Rows that an evaluation has left for later are for one thread. */
static pc_threads* threads_for(const pc_contact_step* s, const pc_terms* terms)
{
  int left = s->active_count > 0 && s->contact[s->active[0]].row < terms->deferred_end;
  return left ? NULL : pc_system_threads(s->system);
}

/* Where neither the bilateral rows nor the tangent have changed since the last time, they and the
 * contacts stay as they are. */
static int has_bilateral(const pc_contact_step* s, const pc_assembly* tangent)
{
  return s->constant_W && s->taken.tangent == tangent &&
         s->taken.factor_count == pc_assembly_factor_count(tangent);
}

static pc_status take_bilateral(pc_contact_step* s, const pc_terms* terms,
                                const pc_assembly* tangent, pc_error* error)
{
  s->taken.contacts = 0;
  s->taken.tangent = NULL;
  PC_TRY(
      pc_contact_problem_set_bilateral(s->problem, tangent, s->bilateral_count, terms->row, error));
  s->taken.tangent = tangent;
  s->taken.factor_count = pc_assembly_factor_count(tangent);
  return PC_OK;
}

static void take_rows(void* user, int worker, int first, int last)
{
  const contact_loop* l = user;
  active_rows* rows = &l->step->rows;
  (void)worker;
  for (int r = first; r < last; r++) rows->row[r] = pc_terms_row(l->terms, rows->place[r]);
}

static void take_masses(void* user, int worker, int first, int last)
{
  const contact_loop* l = user;
  (void)worker;
  for (int i = first; i < last; i++)
    l->step->mass[i] = pc_contact_problem_mass(l->step->problem, i);
}

void pc_contact_step_spend(pc_contact_step* s, const pc_terms* terms)
{
  s->rows.spare = pc_terms_spare(terms);
}

/* The rows of the active contacts where they are, for sweeps; if there can be none, the rows are
 * copied from now on. */
static pc_status take_rows_of_system(pc_contact_step* s, const pc_terms* terms, pc_error* error)
{
  int taken;
  for (int i = 0; i < s->active_count; i++) {
    const step_contact* c = &s->contact[s->active[i]];
    if (c->row >= terms->deferred_end) break; /* rows increase: the others are all there */
    for (int d = 0; d <= c->dimension; d++) pc_terms_row(terms, c->row + d);
  }
  PC_TRY(pc_contact_problem_set_swept(s->problem, s->active_count, s->rows.cone, terms->row,
                                      s->rows.spare, &taken, error));
  s->rows.spare = (pc_spare){NULL, 0};
  if (taken) return PC_OK;
  s->rows.of_system = 0;
  if (reserve_copies(s) != PC_OK) return pc_no_memory(error);
  list_contacts(s);
  return PC_OK;
}

/* The rows of the active contacts, and their masses. */
static pc_status take_contacts(pc_contact_step* s, const pc_terms* terms, pc_error* error)
{
  contact_loop loop = {.step = s, .terms = terms};
  if (s->rows.of_system) PC_TRY(take_rows_of_system(s, terms, error));
  if (!s->rows.of_system) {
    share(&loop, s->rows.count, threads_for(s, terms), take_rows);
    PC_TRY(pc_contact_problem_set_contacts(s->problem, s->active_count, s->rows.cone, s->rows.row,
                                           NULL, error));
  }
  share(&loop, s->active_count, pc_system_threads(s->system), take_masses);
  s->taken.contacts = 1;
  return PC_OK;
}

/* c = chi + e y'(-) of row r of the active ones, which is `row` of the system, and the guess. */
PC_INLINE void fill_row(const contact_loop* l, int r, int row, double e)
{
  const active_rows* rows = &l->step->rows;
  rows->c[r] = l->terms->chi[row] + e * l->before[row];
  if (!rows->of_system) rows->P[r] = l->P[row];
}

/* The same of active contacts. */
PC_INLINE void fill_range(const contact_loop* l, int first, int last)
{
  const pc_contact_step* s = l->step;
  for (int i = first; i < last; i++) {
    const step_contact* c = &s->contact[s->active[i]];
    const step_restitution* e = &s->rebound.of[s->active[i]];
    int r = s->rows.cone[i].row;
    fill_row(l, r, c->row, e->e_N);
    for (int d = 1; d <= c->dimension; d++) fill_row(l, r + d, c->row + d, e->e_F);
  }
}

static void fill_rows(void* user, int worker, int first, int last)
{
  (void)worker;
  fill_range(user, first, last);
}

/* A loop that threads may share lives in memory: few contacts have one of their own. */
PC_APART void fill_by_threads(pc_contact_step* s, const pc_terms* terms, const double* before,
                              double* P)
{
  contact_loop loop = {.step = s, .terms = terms, .before = before, .P = P};
  pc_threads_run(pc_system_threads(s->system), s->active_count, SHARED_LEAST, fill_rows, &loop);
}

/* The same of the copied rows where nothing rebounds. */
static void fill_without_rebounds(void* user, int worker, int first, int last)
{
  const contact_loop* l = user;
  const active_rows* rows = &l->step->rows;
  (void)worker;
  for (int r = first; r < last; r++) {
    rows->c[r] = l->terms->chi[rows->place[r]];
    rows->P[r] = l->P[rows->place[r]];
  }
}

PC_INLINE void fill_problem(pc_contact_step* s, const pc_terms* terms, const double* before,
                            double* P)
{
  if (!s->rebound.of) {
    contact_loop loop = {.step = s, .terms = terms, .P = P};
    if (!s->rows.of_system)
      share(&loop, s->rows.count, pc_system_threads(s->system), fill_without_rebounds);
    return;
  }
  if (s->active_count >= SHARED_LEAST) {
    fill_by_threads(s, terms, before, P);
    return;
  }
  const contact_loop loop = {.step = s, .terms = terms, .before = before, .P = P};
  fill_range(&loop, 0, s->active_count);
}

static void put_rows(void* user, int worker, int first, int last)
{
  const contact_loop* l = user;
  const active_rows* rows = &l->step->rows;
  (void)worker;
  for (int r = first; r < last; r++) l->P[rows->place[r]] = rows->P[r];
}

PC_APART void put_by_threads(pc_contact_step* s, double* P)
{
  contact_loop loop = {.step = s, .P = P};
  pc_threads_run(pc_system_threads(s->system), s->rows.count, SHARED_LEAST, put_rows, &loop);
}

/* P of all rows between those of the active contacts is zero. */
static void zero_between(const pc_contact_step* s, double* P)
{
  int from = s->bilateral_count;
  if (s->rows.count == s->row_count - from) return; /* there are none */
  for (int i = 0; i < s->active_count; i++) {
    const step_contact* c = &s->contact[s->active[i]];
    pc_zero(c->row - from, P + from);
    from = c->row + 1 + c->dimension;
  }
  pc_zero(s->row_count - from, P + from);
}

/* The impulses of the active contacts, to their rows of the system. */
static void put_impulses(pc_contact_step* s, double* P)
{
  const active_rows* rows = &s->rows;
  int count = rows->count;
  if (count >= SHARED_LEAST) {
    put_by_threads(s, P);
    return;
  }
  for (int r = 0; r < count; r++) P[rows->place[r]] = rows->P[r];
}

/* An answer is used if it meets the tolerance or the acceptance limit, or if any is. */
PC_RARE pc_status judge(const pc_contact_step* s, const pc_solver_info* info, pc_error* error)
{
  if (info->accepted || (s->accept && isfinite(info->residual))) return PC_OK;
  return pc_fail(error, PC_NOT_CONVERGED,
                 "the contact solver (%s) stopped after %d iterations with a residual of %.3g; "
                 "try a smaller dt, another --solver or a larger --acceptance",
                 info->solver, info->iterations, info->residual);
}

void pc_contact_step_begin(pc_contact_step* s, double* before)
{
  s->step_before = before;
  s->without_rebound = 0;
}

void pc_contact_step_be_rough(pc_contact_step* s, double roughness)
{
  pc_contact_problem_be_rough(s->problem, roughness);
}

/* Whether an active contact rebounds. */
static int rebounds(const pc_contact_step* s, int i, const double* before)
{
  const step_contact* c = &s->contact[s->active[i]];
  const step_restitution* e = &s->rebound.of[s->active[i]];
  for (int d = 0; d <= c->dimension; d++)
    if ((d == 0 ? e->e_N : e->e_F) * before[c->row + d] != 0) return 1;
  return 0;
}

/* Takes the rebounds out of the islands that were not solved. Returns whether there were any. */
static int leave_out_rebounds(pc_contact_step* s)
{
  int count = s->without_rebound;
  for (int i = 0; i < s->active_count; i++) {
    const step_contact* c = &s->contact[s->active[i]];
    if (!pc_contact_problem_refused(s->problem, i) || !rebounds(s, i, s->step_before)) continue;
    pc_zero(1 + c->dimension, s->step_before + c->row);
    s->without_rebound++;
  }
  return s->without_rebound > count;
}

/* The percussions of the active contacts, in the system where its rows are used, or copies. */
static double* contact_P(const pc_contact_step* s, double* P)
{
  return s->rows.of_system ? P : s->rows.P;
}

static const double* offsets_of(const pc_contact_step* s, const pc_terms* terms)
{
  return has_offsets(s) ? s->rows.c : terms->chi;
}

/* The same problem without the rebounds that have no solution, from the free velocities that were
 * kept. A number that is not finite has another cause. */
PC_RARE pc_status solve_without_rebounds(pc_contact_step* s, const pc_terms* terms,
                                         const double* before, double* u, double* P,
                                         pc_solver_info* info, pc_error* error)
{
  int n_u = pc_system_u_count(s->system);
  if (!isfinite(info->residual) || !leave_out_rebounds(s)) return PC_OK;
  pc_copy(n_u, s->rebound.kept, u);
  pc_copy(s->bilateral_count, s->rebound.kept + n_u, P);
  fill_problem(s, terms, before, P);
  return pc_contact_problem_solve(s->problem, terms->chi, offsets_of(s, terms), u, P,
                                  contact_P(s, P), info, error);
}

pc_status pc_contact_step_solve(pc_contact_step* s, const pc_terms* terms,
                                const pc_assembly* tangent, const double* before, double* u,
                                double* P, pc_solver_info* info, pc_error* error)
{
  if (!s->rows.listed) list_contacts(s);
  if (s->active_count == 0 && s->bilateral_count == 0) { /* nothing is in the way of u */
    *info = (pc_solver_info){.converged = 1, .accepted = 1};
    pc_zero(s->row_count, P);
    return PC_OK;
  }
  if (!has_bilateral(s, tangent)) PC_TRY(take_bilateral(s, terms, tangent, error));
  if (!s->taken.contacts) PC_TRY(take_contacts(s, terms, error));
  s->taken.terms = terms;
  s->taken.before = before;
  fill_problem(s, terms, before, P);
  int may_retry = s->rebound.kept && before == s->step_before;
  if (may_retry) {
    int n_u = pc_system_u_count(s->system);
    pc_copy(n_u, u, s->rebound.kept);
    pc_copy(s->bilateral_count, P, s->rebound.kept + n_u);
  }
  PC_TRY(pc_contact_problem_solve(s->problem, terms->chi, offsets_of(s, terms), u, P,
                                  contact_P(s, P), info, error));
  if (!info->accepted) {
    if (may_retry) PC_TRY(solve_without_rebounds(s, terms, before, u, P, info, error));
    PC_TRY(judge(s, info, error));
  }
  zero_between(s, P);
  if (!s->rows.of_system) put_impulses(s, P);
  return PC_OK;
}

pc_status pc_contact_step_correct(pc_contact_step* s, const pc_terms* terms, const double* before,
                                  double* u, double* P, pc_solver_info* info, int* done,
                                  pc_error* error)
{
  *done = 0;
  if (!s->rows.listed || !s->taken.tangent || !s->taken.contacts || s->rows.of_system ||
      !pc_contact_problem_can_correct(s->problem))
    return PC_OK;
  contact_loop loop = {.step = s, .terms = terms};
  share(&loop, s->rows.count, threads_for(s, terms), take_rows);
  s->taken.terms = terms;
  s->taken.before = before;
  fill_problem(s, terms, before, P);
  PC_TRY(
      pc_contact_problem_correct(s->problem, terms->chi, s->rows.c, u, P, s->rows.P, info, error));
  put_impulses(s, P);
  *done = info->converged;
  return PC_OK;
}

/* p := the nearest point of the ball of the given radius. */
static void project_ball(int n, double* p, double radius)
{
  double square = 0;
  for (int d = 0; d < n; d++) square += p[d] * p[d];
  double length = sqrt(square);
  if (length <= radius) return;
  for (int d = 0; d < n; d++) p[d] *= radius / length;
}

/* The natural maps of the laws of active contact i, as velocities; `xi` of its rows are W u + chi +
 * e y'(-). */
PC_INLINE double impact_violation(const pc_contact_step* s, int i, const double* xi,
                                  const double* P)
{
  double m = s->mass[i], P_N = P[0];
  return fabs(P_N - pc_larger(0, P_N - m * xi[0])) / m;
}

static double friction_violation(const pc_contact_step* s, int i, const double* xi, const double* P)
{
  const step_contact* c = &s->contact[s->active[i]];
  double m = s->mass[i], p[3] = {0}, worst = 0;
  for (int d = 0; d < c->dimension; d++) p[d] = P[1 + d] - m * xi[1 + d];
  project_ball(c->dimension, p, c->mu * pc_larger(0, P[0]));
  for (int d = 0; d < c->dimension; d++) worst = pc_larger(worst, fabs(P[1 + d] - p[d]) / m);
  return worst;
}

typedef struct law_loop {
  pc_contact_step* step;
  const pc_terms* terms;
  const double *before, *u, *P;
  int solved; /* rows and velocities are those of the last solution */
} law_loop;

/* xi of the rows of active contact i, with the rows and offsets of the last solution. */
PC_INLINE const double* solved_duals(const law_loop* l, int i, double xi[PC_CONE_ROWS_MAX])
{
  const double* known = pc_contact_problem_dual(l->step->problem, i);
  if (known) return known;
  const active_rows* rows = &l->step->rows;
  pc_cone cone = rows->cone[i];
  for (int d = 0; d <= cone.dimension; d++)
    xi[d] = pc_row_dot(rows->row[cone.row + d], l->u) + rows->c[cone.row + d];
  return xi;
}

/* The same with those of the terms. */
static const double* duals_of(const law_loop* l, int i, double xi[PC_CONE_ROWS_MAX])
{
  int k = l->step->active[i];
  const step_contact* c = &l->step->contact[k];
  pc_terms_row_velocities(l->terms, c->row, c->row + 1 + c->dimension, l->u, xi);
  if (!l->step->rebound.of) return xi;
  const step_restitution e = l->step->rebound.of[k];
  xi[0] += e.e_N * l->before[c->row];
  for (int d = 1; d <= c->dimension; d++) xi[d] += e.e_F * l->before[c->row + d];
  return xi;
}

/* The largest violations of some contacts. */
typedef struct law_violation {
  double impact, friction;
} law_violation;

/* Of active contact i; it is kept for the contact. */
PC_INLINE law_violation measure_contact(const law_loop* l, int i)
{
  pc_contact_step* s = l->step;
  int k = s->active[i];
  law_violation v = {0, 0};
  if (s->mass[i] > 0) { /* else it is between things that cannot move each other */
    double own[PC_CONE_ROWS_MAX];
    const step_contact* c = &s->contact[k];
    const double* xi = l->solved ? solved_duals(l, i, own) : duals_of(l, i, own);
    const double* P = l->P + c->row;
    v.impact = impact_violation(s, i, xi, P);
    if (c->dimension > 0) v.friction = friction_violation(s, i, xi, P);
  }
  s->impact_law[k] = v.impact;
  s->friction_law[k] = v.friction;
  return v;
}

static law_violation join(law_violation a, law_violation b)
{
  return (law_violation){pc_larger(a.impact, b.impact), pc_larger(a.friction, b.friction)};
}

static void measure_laws(void* user, int worker, int first, int last)
{
  (void)worker;
  for (int i = first; i < last; i++) measure_contact(user, i);
}

/* Of many contacts, by threads. */
PC_APART law_violation measure_by_threads(law_loop loop)
{
  const pc_contact_step* s = loop.step;
  law_violation all = {0, 0};
  pc_threads_run(threads_for(s, loop.terms), s->active_count, SHARED_LEAST, measure_laws, &loop);
  for (int i = 0; i < s->active_count; i++)
    all = join(all, (law_violation){s->impact_law[s->active[i]], s->friction_law[s->active[i]]});
  return all;
}

PC_INLINE void find_violations(law_loop loop, pc_step_info* info)
{
  pc_contact_step* s = loop.step;
  law_violation all = {0, 0};
  info->active_contacts = s->active_count;
  info->without_rebound = s->without_rebound;
  info->impact_law = s->impact_law;
  info->friction_law = s->friction_law;
  if (!s->rows.listed) list_contacts(s);
  if (s->active_count >= SHARED_LEAST)
    all = measure_by_threads(loop);
  else
    for (int i = 0; i < s->active_count; i++) all = join(all, measure_contact(&loop, i));
  info->impact_residual = all.impact;
  info->friction_residual = all.friction;
}

void pc_contact_step_violation(pc_contact_step* s, const pc_terms* terms, const double* before,
                               const double* u, const double* P, pc_step_info* info)
{
  find_violations((law_loop){s, terms, before, u, P, 0}, info);
}

void pc_contact_step_solved_violation(pc_contact_step* s, const double* u, const double* P,
                                      pc_step_info* info)
{
  const taken_parts* taken = &s->taken;
  find_violations((law_loop){s, taken->terms, taken->before, u, P, taken->contacts}, info);
}

int pc_contact_step_holds(const pc_contact_step* s, const pc_terms* terms,
                          const pc_measure* measure, double round_off)
{
  for (int i = 0; i < s->active_count; i++) {
    const step_contact* c = &s->contact[s->active[i]];
    double worst = pc_larger(s->impact_law[s->active[i]], s->friction_law[s->active[i]]);
    int holds = worst == 0;
    for (int d = 0; !holds && d <= c->dimension; d++)
      holds = pc_measure_row_holds(measure, pc_terms_row(terms, c->row + d), worst, round_off);
    if (!holds) return 0;
  }
  return 1;
}
