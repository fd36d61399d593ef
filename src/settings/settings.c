/* Settings of the schemes: said once, in one table, for the command line, the model file and the
 * validation alike. */
#include "settings/settings.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

typedef enum kind {
  NUMBER,
  COUNT,
  CHOICE,
  FLAG,
  SOLVER,
  PAIR,         /* two numbers, "x,y" */
  OPTIONAL,     /* a number, or NAN where it was not given */
  OPTIONAL_PAIR /* two of them */
} kind;

/* Who reads what. */
#define THETA_SCHEMES "moreau-jean direct-projection combined-projection"
#define PROJECTIONS   "direct-projection combined-projection"
#define VARIATIONAL   "rattle lobatto"
#define ALPHA         "generalized-alpha"

enum { CHOICES_MAX = 7 };

/* A setting: where it lives, what is allowed, which schemes read it ("" means all). */
typedef struct field {
  const char* key;
  kind kind;
  size_t offset;
  double low, high; /* NUMBER and COUNT: both ends are allowed, unless `open` */
  int open;         /* the lower end is not allowed */
  const char* choice[CHOICES_MAX];
  const char* values;
  const char* schemes;
  const char* help;
} field;

#define AT(member) offsetof(pc_scheme_settings, member)

static const field fields[] = {
    {"dt", NUMBER, AT(dt), 0, 1e12, 1, {0}, "positive and at most 1e12 [s]", "", "time step"},
    {"theta",
     NUMBER,
     AT(theta),
     0.5,
     1,
     0,
     {0},
     "0.5 to 1",
     THETA_SCHEMES " schatzman-paoli",
     "implicitness: 0.5 is second order in smooth motion, 1 damps"},
    {"evaluation",
     CHOICE,
     AT(evaluation),
     0,
     0,
     0,
     {"mid", "trapezoid"},
     "mid|trapezoid",
     THETA_SCHEMES,
     "M and h at the theta point, or M at the end and h averaged over both ends"},
    {"rotation",
     CHOICE,
     AT(rotation),
     0,
     0,
     0,
     {"midpoint", "exact"},
     "midpoint|exact",
     THETA_SCHEMES,
     "quaternions by (18b), or by the exponential map of the step's angular velocity"},
    {"velocity",
     CHOICE,
     AT(velocity),
     0,
     0,
     0,
     {"mean", "central"},
     "mean|central",
     "schatzman-paoli",
     "velocity of a state: the mean over the last step, or over the last two, (20b)"},
    {"forecast",
     CHOICE,
     AT(forecast),
     0,
     0,
     0,
     {"explicit", "free", "semi-implicit", "implicit"},
     "explicit|free|semi-implicit|implicit",
     "moreau-jean direct-projection",
     "which contacts may act: by gap + gamma dt gap', by the motion without them, or (63), (64) by "
     "the gap at the end of each Newton iterate or of the solution, which may cycle"},
    {"gamma",
     OPTIONAL,
     AT(gamma),
     0,
     2,
     0,
     {0},
     "0 to 2",
     "moreau-jean direct-projection",
     "extrapolation of the explicit forecast, in steps; by default 0, and 1 for a contact that "
     "would get deeper than a twentieth of the smaller shape"},
    {"activation-tol",
     OPTIONAL,
     AT(activation_tolerance),
     0,
     HUGE_VAL,
     0,
     {0},
     "not negative [m]",
     "",
     "a contact counts as closed where its forecast gap is at most this; by default 1e-10 of the "
     "length of the model"},
    {"tol",
     NUMBER,
     AT(tolerance),
     0,
     HUGE_VAL,
     1,
     {0},
     "positive [N s]",
     "",
     "tolerance of a step's equations, relative to their terms or absolute (see --residual)"},
    {"abs-tol",
     OPTIONAL,
     AT(absolute_tolerance),
     0,
     HUGE_VAL,
     1,
     {0},
     "positive [m/s]",
     "schatzman-paoli " THETA_SCHEMES " " VARIATIONAL " " ALPHA,
     "the most that a relative --tol may leave of a velocity, and times inertia of a momentum; by "
     "default there is no such bound"},
    {"max-iterations",
     COUNT,
     AT(max_iterations),
     1,
     100000,
     0,
     {0},
     "1 to 100000",
     "",
     "limit of the Newton loop"},
    {"solver",
     SOLVER,
     AT(solver),
     0,
     0,
     0,
     {0},
     "auto|newton|nsgs|ipm|lemke|prox",
     "",
     "contact solver; by default chosen by size and friction dimension"},
    {"sweeps",
     COUNT,
     AT(sweeps),
     0,
     1000000,
     0,
     {0},
     "0 to 1000000",
     "moreau moreau-jean direct-projection combined-projection",
     "one contact problem per step (or pass of combined-projection), solved by this many "
     "Gauss-Seidel sweeps, the rest counted as inaccurate; 0: by --solver"},
    {"level",
     CHOICE,
     AT(level),
     0,
     0,
     0,
     {"velocity", "position"},
     "velocity|position",
     "moreau-jean",
     "contacts and joints on velocity level with restitution, or on position level"},
    {"project",
     CHOICE,
     AT(project),
     0,
     0,
     0,
     {"in", "after"},
     "in|after",
     PROJECTIONS,
     "project positions in each Newton iteration, or after the last one"},
    {"metric",
     CHOICE,
     AT(metric),
     0,
     0,
     0,
     {"auto", "identity", "mass"},
     "auto|identity|mass",
     PROJECTIONS,
     "metric of the projection: all coordinates alike, or weighted by inertia, which does not "
     "depend on units; auto: the latter where bodies both move and turn"},
    {"coupled",
     FLAG,
     AT(coupled),
     0,
     0,
     0,
     {"off", "on"},
     "on|off",
     PROJECTIONS,
     "solve for velocities and projection in one problem"},
    {"stages",
     COUNT,
     AT(variational.stages),
     2,
     20,
     0,
     {0},
     "2 to 20",
     "lobatto",
     "number of stages s: order 2s - 2 in smooth motion and persistent contact"},
    {"velocity-constraints",
     CHOICE,
     AT(variational.velocity_constraints),
     0,
     0,
     0,
     {"averaged", "paper"},
     "averaged|paper",
     VARIATIONAL,
     "nonholonomic constraints averaged over the stages, or at the end of each as published"},
    {"form",
     CHOICE,
     AT(variational.form),
     0,
     0,
     0,
     {"published", "momentum", "velocity"},
     "published|momentum|velocity",
     VARIATIONAL,
     "balance of momenta or velocities where a mass depends on coordinates; published: momentum in "
     "lobatto, velocity in rattle"},
    {"active-set",
     CHOICE,
     AT(variational.active_set),
     0,
     0,
     0,
     {"stages", "paper"},
     "stages|paper",
     VARIATIONAL,
     "contacts with an impact law: closed at any stage, or at the end of the step, Lobatto (67)"},
    {"residual",
     CHOICE,
     AT(residual),
     0,
     0,
     0,
     {"auto", "scaled", "absolute"},
     "auto|scaled|absolute",
     "schatzman-paoli " THETA_SCHEMES " " VARIATIONAL " " ALPHA,
     "--tol relative to the terms of each equation (scaled), or for the largest residual, as in "
     "the "
     "papers (absolute); auto: scaled unless --tol is given"},
    {"prox",
     NUMBER,
     AT(variational.prox),
     0,
     HUGE_VAL,
     0,
     {0},
     "not negative",
     VARIATIONAL,
     "proximal point parameter r of all contacts; 0: one per contact, from the Delassus diagonal"},
    {"frictionless",
     FLAG,
     AT(frictionless),
     0,
     0,
     0,
     {"off", "on"},
     "on|off",
     "",
     "leave out all friction"},
    {"rho",
     NUMBER,
     AT(alpha.rho),
     0,
     1,
     0,
     {0},
     "0 to 1",
     ALPHA,
     "share of the fastest vibrations that remains after a step: 1 all, 0 none (Chung and "
     "Hulbert)"},
    {"newmark",
     OPTIONAL_PAIR,
     AT(alpha.newmark),
     0,
     1,
     0,
     {0},
     "beta,gamma, each from 0 to 1",
     ALPHA,
     "Newmark's coefficients in place of --rho"},
    {"hht",
     OPTIONAL,
     AT(alpha.hht),
     0,
     1.0 / 3,
     0,
     {0},
     "0 to 1/3",
     ALPHA,
     "alpha of Hilber, Hughes and Taylor in place of --rho"},
    {"constraints",
     CHOICE,
     AT(alpha.constraints),
     0,
     0,
     0,
     {"pva", "pvv", "p", "v", "pv", "baumgarte", "ggl"},
     "pva|pvv|p|v|pv|baumgarte|ggl",
     ALPHA,
     "levels of the constraints; all but pva and pvv are for systems without contact"},
    {"baumgarte",
     PAIR,
     AT(alpha.baumgarte),
     0,
     HUGE_VAL,
     0,
     {0},
     "alpha,beta, not negative [1/s]",
     ALPHA,
     "coefficients of --constraints baumgarte"},
    {"strategy",
     COUNT,
     AT(alpha.strategy),
     1,
     3,
     0,
     {0},
     "1 to 3",
     ALPHA,
     "the smooth motion obeys 1 no constraints, 2 the joints, 3 closed contacts too"},
    {"monolithic",
     FLAG,
     AT(alpha.monolithic),
     0,
     0,
     0,
     {"off", "on"},
     "on|off",
     ALPHA,
     "one Newton iteration for all levels instead of one after the other"},
    {"initial",
     CHOICE,
     AT(alpha.initial),
     0,
     0,
     0,
     {"consistent", "shifted", "zero"},
     "consistent|shifted|zero",
     ALPHA,
     "accelerations at the start"},
    {"activation",
     CHOICE,
     AT(alpha.activation),
     0,
     0,
     0,
     {"history-free", "total"},
     "history-free|total",
     ALPHA,
     "impulses that decide whether a contact is closed: without or with those of earlier steps"},
    {"activation-factor",
     NUMBER,
     AT(alpha.activation_factor),
     0,
     HUGE_VAL,
     1,
     {0},
     "positive",
     ALPHA,
     "r of that criterion, in effective masses of the contact"},
    {"on-failure",
     CHOICE,
     AT(on_failure),
     0,
     0,
     0,
     {"stop", "halve", "continue"},
     "stop|halve|continue",
     "",
     "what to do with a step that cannot be solved"},
    {"solver-tol",
     NUMBER,
     AT(solver_tolerance),
     0,
     1,
     1,
     {0},
     "positive, at most 1",
     "",
     "relative tolerance of the contact solver"},
    {"restitution-above",
     NUMBER,
     AT(restitution_above),
     0,
     HUGE_VAL,
     0,
     {0},
     "not negative [m/s]",
     "moreau " THETA_SCHEMES " " VARIATIONAL " " ALPHA,
     "contacts that approach at no more than this speed do not rebound"},
    {"acceptance",
     NUMBER,
     AT(acceptance),
     0,
     1,
     1,
     {0},
     "positive, at most 1",
     "",
     "accept a step that misses its tolerance up to this relative error, and count it"},
};

enum { FIELD_COUNT = sizeof fields / sizeof *fields };

pc_scheme_settings pc_default_scheme_settings(void)
{
  return (pc_scheme_settings){
      .dt = 1e-3,
      .theta = 0.5,
      .evaluation = PC_EVALUATION_MID,
      .rotation = PC_ROTATION_MIDPOINT,
      .velocity = PC_VELOCITY_MEAN,
      .forecast = PC_FORECAST_EXPLICIT,
      .gamma = NAN,
      .activation_tolerance = NAN,
      .tolerance = 1e-10,
      .absolute_tolerance = NAN,
      .max_iterations = 50,
      .solver = NULL,
      .solver_tolerance = 1e-12,
      .acceptance = 1e-6,
      .metric = PC_METRIC_AUTO,
      .variational = {.stages = 3},
      .alpha = {.rho = 0.9,
                .newmark = {NAN, NAN},
                .hht = NAN,
                .constraints = PC_CONSTRAINTS_PVA,
                .baumgarte = {10, 10},
                .strategy = 3,
                .initial = PC_INITIAL_CONSISTENT,
                .activation = PC_ACTIVATION_HISTORY_FREE,
                .activation_factor = 5},
  };
}

int pc_setting_count(void)
{
  return FIELD_COUNT;
}

pc_setting pc_setting_at(int index)
{
  if ((unsigned)index >= (unsigned)pc_setting_count()) return (pc_setting){0};
  const field* f = &fields[index];
  return (pc_setting){f->key, f->values, f->help, f->schemes, f->kind == FLAG};
}

static pc_status refuse(const field* f, const char* value, pc_error* error)
{
  return pc_fail(error, PC_BAD_ARGUMENT, "%s is '%s'; it must be %s", f->key, value, f->values);
}

static int within(const field* f, double x)
{
  return isfinite(x) && x >= f->low && x <= f->high && !(f->open && x == f->low);
}

static pc_status set_number(const field* f, const char* value, void* to, pc_error* error)
{
  char* end;
  double x = strtod(value, &end);
  if (end == value || *end || !within(f, x)) return refuse(f, value, error);
  if (f->kind == COUNT) {
    if (x != floor(x)) return refuse(f, value, error);
    *(int*)to = (int)x;
  } else {
    *(double*)to = x;
  }
  return PC_OK;
}

static pc_status set_pair(const field* f, const char* value, double* to, pc_error* error)
{
  char *middle, *end;
  double x = strtod(value, &middle);
  if (middle == value || *middle != ',') return refuse(f, value, error);
  double y = strtod(middle + 1, &end);
  if (end == middle + 1 || *end || !within(f, x) || !within(f, y)) return refuse(f, value, error);
  to[0] = x;
  to[1] = y;
  return PC_OK;
}

static pc_status set_choice(const field* f, const char* value, void* to, pc_error* error)
{
  for (int i = 0; i < CHOICES_MAX && f->choice[i]; i++)
    if (!strcmp(f->choice[i], value)) {
      *(int*)to = i; /* all choices are enums that count from 0, flags are off or on */
      return PC_OK;
    }
  return refuse(f, value, error);
}

static pc_status set_solver(const field* f, const char* value, const char** to, pc_error* error)
{
  for (const char* const* name = pc_solver_names(); *name; name++)
    if (!strcmp(*name, value)) {
      *to = *name;
      return PC_OK;
    }
  return refuse(f, value, error);
}

pc_status pc_set_setting(pc_scheme_settings* settings, const char* key, const char* value,
                         pc_error* error)
{
  PC_TRY(pc_need(key, "key", error));
  for (int i = 0; i < FIELD_COUNT; i++) {
    const field* f = &fields[i];
    if (strcmp(f->key, key) != 0) continue;
    void* to = (char*)settings + f->offset;
    switch (f->kind) {
      case NUMBER:
      case OPTIONAL:
      case COUNT: return set_number(f, value, to, error);
      case PAIR:
      case OPTIONAL_PAIR: return set_pair(f, value, to, error);
      case FLAG:
      case CHOICE: return set_choice(f, value, to, error);
      case SOLVER: return set_solver(f, value, to, error);
    }
  }
  return pc_fail(error, PC_BAD_ARGUMENT, "there is no setting '%s'", key);
}

/* Numbers of a setting: two of a pair, one of any other. */
static pc_status check_numbers(const field* f, const double* x, int count, pc_error* error)
{
  int optional = f->kind == OPTIONAL || f->kind == OPTIONAL_PAIR;
  for (int i = 0; i < count; i++)
    if (!within(f, x[i]) && !(optional && isnan(x[0])))
      return pc_fail(error, PC_BAD_ARGUMENT, "%s is %g; it must be %s", f->key, x[i], f->values);
  return PC_OK;
}

pc_status pc_check_settings(const pc_scheme_settings* settings, pc_error* error)
{
  for (int i = 0; i < FIELD_COUNT; i++) {
    const field* f = &fields[i];
    const void* at = (const char*)settings + f->offset;
    if (f->kind == NUMBER || f->kind == OPTIONAL) PC_TRY(check_numbers(f, at, 1, error));
    if (f->kind == PAIR || f->kind == OPTIONAL_PAIR) PC_TRY(check_numbers(f, at, 2, error));
    if (f->kind == COUNT && !within(f, *(const int*)at))
      return pc_fail(error, PC_BAD_ARGUMENT, "%s is %d; it must be %s", f->key, *(const int*)at,
                     f->values);
  }
  return PC_OK;
}
