#include "steps/projection.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "contact/contact_problem.h"
#include "linalg/copy.h"
#include "steps/lengths.h"
#include "system/found.h"
#include "system/inspect.h"

/* The violation tolerance of Acary, section 6.4, where the model has a length of a metre, as there,
 * or more [m]; else of that length. */
static const double GAP_TOLERANCE = 1e-10;

/* Within a Newton loop a projection that could do better than that is done once more: it converges
 * quadratically, so that gaps end at round-off. */
static const double ROUND_OFF = PC_ROUND_OFF;

/* Up to what gaps and (28b) hold. */
typedef struct projection_limits {
  double displacement; /* of (28b), as lengths [m] */
  double gap;          /* [m] */
  double accepted;     /* gaps are used up to this where no more can be done [m] */
  double round_off;    /* of gaps at the positions at hand [m]: see note_round_off */
  pc_lengths lengths;
} projection_limits;

/* The rows of a problem with tau free, joints first, */
typedef struct fixed_rows {
  int count;
  pc_row* row;
  int* place; /* in tau */
  double *c, *tau;
} fixed_rows;

/* and its one-sided ones. */
typedef struct one_sided_rows {
  int count;
  pc_row* row;
  int* place; /* in tau */
  double *b, *x;
  pc_cone* cone;
} one_sided_rows;

/* What the problem has taken: rows that never change need not be taken again. */
typedef struct taken_rows {
  int constant_W;            /* of the system */
  const pc_assembly* metric; /* whose factors, or NULL: none, */
  long factor_count;         /* and which of its factorisations */
  int same;                  /* the rows that were collected are those of last time */
} taken_rows;

struct pc_projection {
  const pc_system* system;
  int max_iterations;
  projection_limits limits;
  int polish;   /* aim at round-off */
  int polished; /* the positions at hand have been brought there: see approach */
  int accept;   /* an answer that is not good enough, rather than none */
  int g_count, contact_count;
  size_t contact_capacity, fixed_capacity;
  int* normal; /* the normal row of each contact */
  pc_projection_role* role;
  char* candidate;    /* one-sided contacts that were violated in this step: they stay */
  int relaxed;        /* in this step all contacts are one-sided: see relax */
  int adds;           /* in this step problems add to the displacement: see add_up */
  pc_assembly* unity; /* metric identity; NULL: metric mass */
  pc_contact_problem* problem;
  taken_rows taken; /* by it */
  double* tau;      /* g_count + contact_count */
  double* d;        /* n_u */
  double left;      /* of (28b) at the end of a run, or NAN: see pc_projection_left */

  fixed_rows fixed;
  one_sided_rows one_sided;
};

void pc_projection_destroy(pc_projection* p)
{
  if (!p) return;
  pc_assembly_destroy(p->unity);
  pc_lengths_clear(&p->limits.lengths);
  pc_contact_problem_destroy(p->problem);
  void* array[] = {p->normal,
                   p->role,
                   p->candidate,
                   p->tau,
                   p->d,
                   p->fixed.row,
                   p->one_sided.row,
                   p->fixed.place,
                   p->one_sided.place,
                   p->fixed.c,
                   p->one_sided.b,
                   p->one_sided.x,
                   p->fixed.tau,
                   p->one_sided.cone};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(p);
}

/* Arrays for all contacts of the system; those from number `first` on are new. */
static pc_status take_system(pc_projection* p, int first, pc_error* error)
{
  const pc_array by_contact[] = {PC_ARRAY(p->normal),          PC_ARRAY(p->role),
                                 PC_ARRAY(p->candidate),       PC_ARRAY(p->one_sided.row),
                                 PC_ARRAY(p->one_sided.b),     PC_ARRAY(p->one_sided.x),
                                 PC_ARRAY(p->one_sided.place), PC_ARRAY(p->one_sided.cone)};
  const pc_array fixed[] = {PC_ARRAY(p->tau), PC_ARRAY(p->fixed.row), PC_ARRAY(p->fixed.place),
                            PC_ARRAY(p->fixed.c), PC_ARRAY(p->fixed.tau)};
  p->contact_count = pc_system_contact_count(p->system);
  p->taken = (taken_rows){.constant_W = (pc_system_constant(p->system) & PC_TERM_W) != 0};
  size_t contacts = (size_t)p->contact_count;
  if (pc_reserve_arrays(8, by_contact, &p->contact_capacity, contacts) != PC_OK ||
      pc_reserve_arrays(5, fixed, &p->fixed_capacity, contacts + (size_t)p->g_count) != PC_OK)
    return pc_no_memory(error);
  for (int k = first; k < p->contact_count; k++) {
    p->normal[k] = pc_system_contact_row(p->system, k);
    p->one_sided.cone[k] = (pc_cone){k, 0, 0};
  }
  return PC_OK;
}

pc_status pc_projection_refit(pc_projection* p, pc_error* error)
{
  PC_TRY(take_system(p, pc_system_fixed_contact_count(p->system), error));
  return pc_contact_problem_reserve(p->problem, p->g_count + p->contact_count, p->contact_count,
                                    error);
}

/* A tolerance that is given is the paper's one, in metres and radians. */
static pc_status set_tolerances(pc_projection* p, const pc_scheme_settings* settings,
                                pc_error* error)
{
  PC_TRY(pc_lengths_create(&p->limits.lengths, p->system, error));
  p->limits.gap = GAP_TOLERANCE * p->limits.lengths.length;
  p->limits.accepted = settings->acceptance * p->limits.lengths.length;
  p->limits.displacement =
      settings->tolerance * (pc_is_scaled(settings) ? p->limits.lengths.length : 1);
  return PC_OK;
}

static pc_status create_parts(pc_projection* p, const pc_scheme_settings* settings, pc_error* error)
{
  int n = pc_system_u_count(p->system);
  if (!(p->d = pc_alloc((size_t)n, sizeof *p->d))) return pc_no_memory(error);
  PC_TRY(take_system(p, 0, error));
  PC_TRY(set_tolerances(p, settings, error));
  int alike = settings->metric == PC_METRIC_AUTO ? !p->limits.lengths.is_mixed
                                                 : settings->metric == PC_METRIC_IDENTITY;
  if (alike) PC_TRY(pc_assembly_create_identity(n, &p->unity, error));
  pc_contact_problem_def def = {.n = n,
                                .bilateral_max = p->g_count + p->contact_count,
                                .contact_max = p->contact_count,
                                .grows = pc_system_is_extended(p->system),
                                .solver = settings->solver,
                                .held_tolerance = p->limits.gap,
                                .settings = pc_default_solver_settings()};
  /* Gaps have a tolerance of their own: a looser solver would only take more problems. */
  def.settings.tolerance = fmin(settings->solver_tolerance, def.settings.tolerance);
  def.settings.acceptance = settings->acceptance;
  return pc_contact_problem_create(&def, &p->problem, error);
}

pc_status pc_projection_create(const pc_system* system, const pc_scheme_settings* settings,
                               pc_projection** projection, pc_error* error)
{
  *projection = NULL;
  pc_projection* p = pc_alloc(1, sizeof *p);
  if (!p) return pc_no_memory(error);
  p->system = system;
  p->max_iterations = settings->max_iterations;
  p->polish = settings->project == PC_PROJECT_IN;
  p->accept = settings->on_failure == PC_ON_FAILURE_CONTINUE;
  p->g_count = pc_system_g_count(system);
  pc_status status = create_parts(p, settings, error);
  if (status != PC_OK) {
    pc_projection_destroy(p);
    return status;
  }
  *projection = p;
  return PC_OK;
}

void pc_projection_begin(pc_projection* p)
{
  memset(p->tau, 0, (size_t)(p->g_count + p->contact_count) * sizeof *p->tau);
  memset(p->candidate, 0, (size_t)p->contact_count * sizeof *p->candidate);
  p->relaxed = p->adds = 0;
}

void pc_projection_forget(pc_projection* p, pc_theta_step* step)
{
  pc_projection_begin(p);
  if (step->displaced) pc_zero(step->n_u, step->d);
  step->displaced = 0;
}

/* The role of a contact, as the step has it by now. */
static pc_projection_role role_of(const pc_projection* p, int contact)
{
  pc_projection_role role = p->role[contact];
  return p->relaxed && role == PC_PROJECT_FREE ? PC_PROJECT_ONE_SIDED : role;
}

pc_projection_role* pc_projection_roles(pc_projection* p)
{
  return p->role;
}

double* pc_projection_tau(pc_projection* p)
{
  return p->tau;
}

int pc_projection_candidate(pc_projection* p, int contact, double gap)
{
  if (gap < 0) p->candidate[contact] = 1;
  return p->candidate[contact];
}

const pc_assembly* pc_projection_metric(const pc_projection* p, const pc_theta_step* step)
{
  return p->unity ? p->unity : step->stage.tangent;
}

/* The round-off of gaps among coordinates of this size, at least the last digit of the model's
 * length: of a mass that rests on a stop at the origin all coordinates vanish. */
static void note_round_off(pc_projection* p, const pc_theta_step* step)
{
  const pc_lengths* lengths = &p->limits.lengths;
  p->limits.round_off =
      pc_larger(DBL_EPSILON * lengths->length, ROUND_OFF * pc_lengths_reach(lengths, step->q));
}

/* What a gap may be, no less than its round-off. */
static double gap_limit(const pc_projection* p)
{
  return pc_larger(p->limits.gap, p->limits.round_off);
}

/* A negative correction that moves its gap by no more than the round-off of the coordinates. */
static int is_zero(const pc_projection* p, const pc_theta_step* step, int k, double tau)
{
  pc_row row = pc_terms_row(step->end.terms, p->normal[k]);
  pc_assembly_solve_row(pc_projection_metric(p, step), row, p->d);
  double unit = pc_lengths_of_gap(&p->limits.lengths, k);
  return -tau * unit * pc_row_dot(row, p->d) <= p->limits.round_off;
}

static int contact_holds(const pc_projection* p, int k, const pc_theta_step* step, double tolerance)
{
  pc_projection_role role = role_of(p, k);
  if (role == PC_PROJECT_NOT) return 1;
  double gap =
      pc_lengths_of_gap(&p->limits.lengths, k) * pc_terms_gap(step->end.terms, p->normal[k]);
  if (role == PC_PROJECT_FREE) return fabs(gap) <= tolerance;
  double tau = p->tau[p->g_count + k]; /* may be negative if the contact was free before */
  return gap >= -tolerance &&
         (tau == 0 || ((tau > 0 || is_zero(p, step, k, tau)) && gap <= tolerance));
}

/* By how much the position of a joint's row is violated [m]. */
static double joint_violation(const pc_projection* p, const pc_theta_step* step, int row)
{
  double left = fabs(step->end.terms->y[row]);
  return left == 0
             ? 0
             : left * pc_lengths_of_row(&p->limits.lengths, pc_terms_row(step->end.terms, row));
}

static int holds(const pc_projection* p, const pc_theta_step* step, double tolerance)
{
  for (int r = 0; r < p->g_count; r++)
    if (!(joint_violation(p, step, r) <= tolerance)) return 0;
  for (int k = 0; k < p->contact_count; k++)
    if (!contact_holds(p, k, step, tolerance)) return 0;
  return 1;
}

int pc_projection_holds(pc_projection* p, const pc_theta_step* step)
{
  note_round_off(p, step);
  return holds(p, step, gap_limit(p));
}

/* The largest of d - N W tau; in a model that is shorter than a metre, as a length. */
static double largest_difference(const pc_projection* p, const pc_theta_step* step)
{
  const double* of_u = p->limits.lengths.of_u;
  double largest = 0;
  for (int i = 0; i < step->n_u; i++) {
    double left = fabs(p->d[i] - (step->displaced ? step->d[i] : 0));
    largest = pc_larger(largest, of_u ? of_u[i] * left : left);
  }
  return largest;
}

double pc_projection_defect(pc_projection* p, const pc_theta_step* step)
{
  const pc_terms* terms = step->end.terms;
  int acts = step->displaced;
  pc_zero(step->n_u, p->d);
  for (int i = 0; i < p->g_count + p->contact_count; i++) {
    if (p->tau[i] == 0) continue;
    pc_row_add(pc_terms_row(terms, i < p->g_count ? i : p->normal[i - p->g_count]), p->tau[i],
               p->d);
    acts = 1;
  }
  if (!acts) return 0;
  pc_assembly_solve(pc_projection_metric(p, step), p->d);
  return largest_difference(p, step);
}

double pc_projection_left(const pc_projection* p)
{
  return p->left;
}

int pc_projection_converged(pc_projection* p, const pc_theta_step* step)
{
  note_round_off(p, step);
  return pc_projection_defect(p, step) <= pc_larger(p->limits.displacement, p->limits.round_off);
}

static void add_fixed(pc_projection* p, int place, pc_row row, double c)
{
  p->taken.same &= p->fixed.place[p->fixed.count] == place;
  p->fixed.place[p->fixed.count] = place;
  p->fixed.row[p->fixed.count] = row;
  p->fixed.tau[p->fixed.count] = p->tau[place];
  p->fixed.c[p->fixed.count++] = c;
}

static void add_one_sided(pc_projection* p, int place, pc_row row, double b)
{
  p->taken.same &= p->one_sided.place[p->one_sided.count] == place;
  p->one_sided.place[p->one_sided.count] = place;
  p->one_sided.row[p->one_sided.count] = row;
  p->one_sided.x[p->one_sided.count] = p->tau[place];
  p->one_sided.b[p->one_sided.count++] = b;
}

/* The rows of the problem, with g(q^n) - G'(q^n) d^n, or g(q^n) where it adds to d^n. Contacts that
 * were never violated in this step stay out; should the projection of the others violate one, it
 * comes in next time. */
static void collect(pc_projection* p, const pc_theta_step* step)
{
  const pc_terms* terms = step->end.terms;
  double tolerance = p->polish ? p->limits.round_off : gap_limit(p);
  int fixed = p->fixed.count, one_sided = p->one_sided.count;
  p->fixed.count = p->one_sided.count = 0;
  p->taken.same = 1;
  for (int i = 0; i < p->g_count + p->contact_count; i++) {
    int k = i - p->g_count, r = k < 0 ? i : p->normal[k];
    if (k >= 0 && pc_lengths_of_gap(&p->limits.lengths, k) * terms->y[r] < -tolerance)
      p->candidate[k] = 1;
    pc_projection_role role = k < 0 ? PC_PROJECT_FREE : role_of(p, k);
    int acts = role == PC_PROJECT_FREE ||
               (role == PC_PROJECT_ONE_SIDED && (p->candidate[k] || p->tau[i] > 0));
    if (!acts) {
      p->tau[i] = 0;
      continue;
    }
    pc_row row = pc_terms_row(terms, r);
    int whole = step->displaced && !p->adds;
    double c = pc_terms_gap(terms, r) - (whole ? pc_row_dot(row, step->d) : 0);
    if (role == PC_PROJECT_FREE)
      add_fixed(p, i, row, c);
    else
      add_one_sided(p, i, row, c);
  }
  p->taken.same &= p->fixed.count == fixed && p->one_sided.count == one_sided;
}

/* The rows that were collected, unless the problem has them. */
static pc_status take_rows(pc_projection* p, const pc_assembly* metric, pc_error* error)
{
  taken_rows* taken = &p->taken;
  long factor_count = pc_assembly_factor_count(metric);
  if (taken->constant_W && taken->same && taken->metric == metric &&
      taken->factor_count == factor_count)
    return PC_OK;
  taken->metric = NULL;
  PC_TRY(pc_contact_problem_set_bilateral(p->problem, metric, p->fixed.count, p->fixed.row, error));
  PC_TRY(pc_contact_problem_set_contacts(p->problem, p->one_sided.count, p->one_sided.cone,
                                         p->one_sided.row, NULL, error));
  taken->metric = metric;
  taken->factor_count = factor_count;
  return PC_OK;
}

/* The largest gap without the displacement, of the rows of the problem [m]. */
static double largest_gap(const pc_projection* p)
{
  double largest = 0;
  for (int i = 0; i < p->fixed.count; i++) largest = pc_larger(largest, fabs(p->fixed.c[i]));
  for (int i = 0; i < p->one_sided.count; i++)
    largest = pc_larger(largest, fabs(p->one_sided.b[i]));
  return largest;
}

/* Whether d is a correction. Where rows nearly depend on each other, a solution of the linear
 * problem may lie far beyond the mechanism, where a pin is out of its bore and the gap is open
 * again. No correction is longer than the model, or than its coordinates reach if that is more. A
 * body that begins deep in the ground may have to go farther than that: by its gap, and as far
 * again for those that lie on it. */
static int is_near(const pc_projection* p, const pc_state* state, int n_u)
{
  const pc_lengths* lengths = &p->limits.lengths;
  double farthest = pc_larger(lengths->length, pc_lengths_reach(lengths, state->q));
  farthest = pc_larger(farthest, 2 * largest_gap(p));
  for (int i = 0; i < n_u; i++)
    if (!(fabs(lengths->of_u ? lengths->of_u[i] * p->d[i] : p->d[i]) <= farthest)) return 0;
  return 1;
}

/* An answer that leaves gaps so many times larger than it has found them is none. */
static const double DIVERGED = 1e3;

/* Whether d makes sense, by the gaps that it leaves to first order. Where one-sided rows depend on
 * fixed ones, a solver may run away: what it finds is then a solution relative to its own size
 * alone. */
static int makes_sense(const pc_projection* p, const pc_theta_step* step)
{
  const pc_terms* terms = step->end.terms;
  double before = gap_limit(p), after = 0;
  for (int i = 0; i < p->fixed.count; i++) {
    int k = p->fixed.place[i] - p->g_count, r = k < 0 ? p->fixed.place[i] : p->normal[k];
    before = pc_larger(before, fabs(pc_terms_gap(terms, r)));
    after = pc_larger(after, fabs(p->fixed.c[i] + pc_row_dot(p->fixed.row[i], p->d)));
  }
  for (int i = 0; i < p->one_sided.count; i++) {
    before =
        pc_larger(before, fabs(pc_terms_gap(terms, p->normal[p->one_sided.place[i] - p->g_count])));
    after = pc_larger(after, -p->one_sided.b[i] - pc_row_dot(p->one_sided.row[i], p->d));
  }
  return after <= DIVERGED * before;
}

/* tau and d of one problem (58), (60). */
static pc_status solve(pc_projection* p, const pc_theta_step* step, const pc_state* state,
                       pc_error* error)
{
  pc_solver_info info;
  collect(p, step);
  pc_zero(step->n_u, p->d);
  PC_TRY(take_rows(p, pc_projection_metric(p, step), error));
  PC_TRY(pc_contact_problem_solve(p->problem, p->fixed.c, p->one_sided.b, p->d, p->fixed.tau,
                                  p->one_sided.x, &info, error));
  if (!info.accepted && !(p->accept && isfinite(info.residual)))
    return pc_fail(error, PC_NOT_CONVERGED,
                   "the projection's solver (%s) stopped after %d iterations with a residual of "
                   "%.3g; try a smaller dt, another --solver or a larger --acceptance",
                   info.solver, info.iterations, info.residual);
  if (!is_near(p, state, step->n_u) || !makes_sense(p, step))
    return pc_fail(error, PC_NOT_CONVERGED,
                   "the projection of positions has no solution; try a smaller dt");
  for (int i = 0; i < p->fixed.count; i++) p->tau[p->fixed.place[i]] = p->fixed.tau[i];
  for (int i = 0; i < p->one_sided.count; i++) p->tau[p->one_sided.place[i]] = p->one_sided.x[i];
  return PC_OK;
}

static double largest_violation(const pc_projection* p, const pc_theta_step* step)
{
  const double* y = step->end.terms->y;
  double worst = 0;
  for (int r = 0; r < p->g_count; r++) worst = pc_larger(worst, joint_violation(p, step, r));
  for (int k = 0; k < p->contact_count; k++)
    if (!contact_holds(p, k, step, 0)) {
      double unit = pc_lengths_of_gap(&p->limits.lengths, k);
      worst = pc_larger(worst, unit * fabs(y[p->normal[k]]));
    }
  return worst;
}

/* From the positions of the velocities alone. */
static void begin_anew(pc_projection* p, pc_theta_step* step, const pc_state* state)
{
  memset(p->tau, 0, (size_t)(p->g_count + p->contact_count) * sizeof *p->tau);
  memset(step->d, 0, (size_t)step->n_u * sizeof *step->d);
  pc_theta_step_locate(step, state);
}

/* Contacts of a heap can close in a ring of bodies that cannot move with respect to each other:
 * then no position has g = 0 for all contacts with a percussion. For the rest of the step they are
 * kept from penetrating, 0 <= g _|_ tau >= 0, which can be fulfilled; the step counts as
 * inaccurate. What was tried without success may have led far away: it is forgotten. */
static void relax(pc_projection* p, pc_theta_step* step, const pc_state* state)
{
  p->relaxed = 1;
  for (int k = 0; k < p->contact_count; k++)
    if (p->role[k] == PC_PROJECT_FREE) p->candidate[k] = 1;
  begin_anew(p, step, state);
}

/* Problems in a row that leave the largest violation where it was, after which gaps are not
 * expected to hold: a solution is approached quadratically, or, where contacts open and close,
 * after a few problems more. */
enum { STALLS_MAX = 8 };

/* The smallest share of a problem's displacement that is taken, and the problems in a row that come
 * closer with a share before it is doubled: with a share of a quarter, the violation falls by no
 * more than a quarter each time. */
static const double SHARE_MIN = 0.125;
enum { GAINS_MIN = 4 };

/* To the displacement d. */
static void displace(const pc_projection* p, pc_theta_step* step, const pc_state* state,
                     pc_step_info* info)
{
  memcpy(step->d, p->d, (size_t)step->n_u * sizeof *step->d);
  step->displaced = 1;
  info->iterations[2]++;
  pc_theta_step_locate(step, state);
}

/* Problems until the gaps hold and d = N W tau with W at the end, (28b), which W one problem before
 * does not tell; `done` tells whether the gaps do. Where d no longer comes closer, it is left.
 * Where it moves away, as where a normal turns by much within the displacement and d goes to and
 * fro, a share of it is taken, until it comes closer again. */
static pc_status iterate(pc_projection* p, pc_theta_step* step, const pc_state* state,
                         pc_step_info* info, int* done, pc_error* error)
{
  int polish = p->polish && !p->polished;
  double left = HUGE_VAL, last, worst = HUGE_VAL, share = 1;
  *done = 0;
  p->left = NAN;
  for (int n = 0, stalls = 0, gains = 0; n < p->max_iterations && stalls < STALLS_MAX; n++) {
    last = left;
    left = pc_projection_defect(p, step);
    note_round_off(p, step);
    int exact = polish && holds(p, step, p->limits.round_off);
    if (exact || holds(p, step, gap_limit(p))) {
      int converged = left <= pc_larger(p->limits.displacement, p->limits.round_off) ||
                      (n > 1 && left > last / 2);
      *done = 1;
      p->left = left;
      if (converged && (!polish || exact)) return PC_OK;
      p->left = NAN;
      if (converged) polish = 0;
    }
    double violation = *done ? 0 : largest_violation(p, step);
    stalls = *done || violation < worst ? 0 : stalls + 1;
    worst = fmin(worst, violation);
    gains = left < last ? gains + 1 : 0;
    if (n > 1 && left > last && share > SHARE_MIN) {
      share /= 2;
      stalls = 0;
    } else if (share < 1 && gains >= GAINS_MIN) {
      share *= 2;
      gains = 0;
    }
    pc_status status = solve(p, step, state, error);
    if (status == PC_NOT_CONVERGED && *done) return PC_OK; /* they hold as they are */
    PC_TRY(status);
    for (int i = 0; i < step->n_u; i++)
      p->d[i] = share < 1 ? step->d[i] + share * (p->d[i] - step->d[i]) : p->d[i];
    displace(p, step, state, info);
  }
  *done = pc_projection_holds(p, step);
  return PC_OK;
}

/* Whether another way may lead farther. */
static int fails(pc_status status, int done)
{
  return status == PC_NOT_CONVERGED || (status == PC_OK && !done);
}

/* With the roles as they are, then relaxed. */
static pc_status attempt(pc_projection* p, pc_theta_step* step, const pc_state* state,
                         pc_step_info* info, int* done, pc_error* error)
{
  pc_status status = iterate(p, step, state, info, done, error);
  if (p->relaxed || !fails(status, *done)) return status;
  relax(p, step, state);
  return iterate(p, step, state, info, done, error);
}

/* Where normals turn by much within the displacement, (28b) need not have a solution near the
 * velocities' positions: a contact is violated without tau by W at its end, and open with it, and
 * the problems go to and fro. Then each of them adds what the gaps need to the displacement that is
 * there, as Newton's method for the gaps alone. They hold and (28b) does not; that is a residual of
 * the step, which counts as inaccurate. */
static pc_status add_up(pc_projection* p, pc_theta_step* step, const pc_state* state,
                        pc_step_info* info, int* done, pc_error* error)
{
  relax(p, step, state);
  p->adds = 1;
  for (int n = 0; n < p->max_iterations && !(*done = pc_projection_holds(p, step)); n++) {
    PC_TRY(solve(p, step, state, error));
    for (int i = 0; i < step->n_u; i++) p->d[i] += step->d[i];
    displace(p, step, state, info);
  }
  return PC_OK;
}

/* Gaps that do not hold are used within the acceptance limit, or if any are. */
static pc_status judge(const pc_projection* p, const pc_theta_step* step, pc_step_info* info,
                       pc_error* error)
{
  double violation = largest_violation(p, step);
  if (!p->accept && !(violation <= p->limits.accepted))
    return pc_fail(
        error, PC_NOT_CONVERGED,
        "the projection of positions stopped with a violation of %.3g m; try a smaller dt",
        violation);
  info->inaccurate = 1;
  info->inaccuracy = pc_larger(info->inaccuracy, violation / p->limits.lengths.length);
  return PC_OK;
}

pc_status pc_projection_finish(pc_projection* p, pc_theta_step* step, const pc_state* state,
                               pc_step_info* info, pc_error* error)
{
  int done = 0;
  pc_status status = p->adds ? PC_OK : attempt(p, step, state, info, &done, error);
  if (fails(status, done)) status = add_up(p, step, state, info, &done, error);
  PC_TRY(status);
  if (p->relaxed) info->inaccurate = 1;
  return done ? PC_OK : judge(p, step, info, error);
}

pc_status pc_projection_run(pc_projection* p, pc_theta_step* step, const pc_state* state,
                            pc_step_info* info, pc_error* error)
{
  p->polished = 0;
  return pc_projection_finish(p, step, state, info, error);
}

/* Where the problem has no solution a run may find other ways. */
pc_status pc_projection_approach(pc_projection* p, pc_theta_step* step, const pc_state* state,
                                 pc_step_info* info, pc_error* error)
{
  if (p->relaxed || p->adds) return pc_projection_run(p, step, state, info, error);
  double left = pc_projection_defect(p, step);
  note_round_off(p, step);
  p->polished = 0;
  p->left = NAN;
  int converged = left <= pc_larger(p->limits.displacement, p->limits.round_off);
  if (converged && holds(p, step, p->limits.round_off)) {
    p->left = left;
    return PC_OK;
  }
  int polished = converged && holds(p, step, gap_limit(p));
  pc_status status = solve(p, step, state, error);
  if (status == PC_NOT_CONVERGED) return pc_projection_run(p, step, state, info, error);
  PC_TRY(status);
  displace(p, step, state, info);
  p->polished = polished;
  return PC_OK;
}
