/// \file
/// Time-stepping schemes: their names, their settings, the state they advance.
#ifndef PERCUSS_SCHEME_H
#define PERCUSS_SCHEME_H

#include "percuss/solver.h"
#include "percuss/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What moves. All that a scheme remembers from step to step is here, so that a copy of a state is
/// a checkpoint and going back to a copy undoes a step.
typedef struct pc_state {
  long step;         ///< steps done
  double t;          ///< [s]
  double* q;         ///< n_q
  double* u;         ///< n_u
  double* P;         ///< percussions over the last step, one per row; also the next warm start
  double* memory;    ///< what scheme and simulation keep besides, `memory_count` numbers
  int memory_count;  ///< fixed by system and scheme
} pc_state;

/// Where the theta scheme takes M and h: at the theta point, or M at the end and h averaged over
/// both ends.
typedef enum pc_evaluation { PC_EVALUATION_MID, PC_EVALUATION_TRAPEZOID } pc_evaluation;

/// How a step turns a body in space.
typedef enum pc_rotation {
  PC_ROTATION_MIDPOINT,  ///< q' = B u at the theta point, Acary (18b): 4 atan(w dt/4) for w dt
  PC_ROTATION_EXACT      ///< by the exponential map: w dt about a fixed axis
} pc_rotation;

/// What to do with a step that cannot be solved to its tolerance.
typedef enum pc_on_failure {
  PC_ON_FAILURE_STOP,     ///< end the run at the last good state
  PC_ON_FAILURE_HALVE,    ///< try again in two steps of half the length, and so on up to 1/1024
  PC_ON_FAILURE_CONTINUE  ///< go on with what was found; the step is counted as inaccurate
} pc_on_failure;

/// Schatzman-Paoli: the velocity of a state, the mean over the last step, or over two, Acary (20b).
typedef enum pc_velocity { PC_VELOCITY_MEAN, PC_VELOCITY_CENTRAL } pc_velocity;

/// Which contacts may act in a step: by gap + gamma dt gap', by the motion without them, or by the
/// gap at the end of the step as it comes out with them, of each Newton iterate or of the solution.
typedef enum pc_forecast {
  PC_FORECAST_EXPLICIT,
  PC_FORECAST_FREE,
  PC_FORECAST_SEMI_IMPLICIT,
  PC_FORECAST_IMPLICIT
} pc_forecast;

/// Where the projection of positions stands: in every Newton iteration, or after the last one.
typedef enum pc_project { PC_PROJECT_IN, PC_PROJECT_AFTER } pc_project;

/// In which metric positions are projected, N of Acary (59): all coordinates alike, which adds
/// metres and radians, or that of the mass, which does not depend on units. AUTO: the mass where
/// bodies both move and turn, else the identity of (58).
typedef enum pc_metric { PC_METRIC_AUTO, PC_METRIC_IDENTITY, PC_METRIC_MASS } pc_metric;

/// What the theta scheme demands of contacts and joints at the end of a step.
typedef enum pc_level { PC_LEVEL_VELOCITY, PC_LEVEL_POSITION } pc_level;

/// Where velocity constraints hold within a step of a variational scheme: in the mean over its
/// stages, which keeps the order, or at the end of each, as published (RATTLE (29a), Lobatto (51)).
typedef enum pc_velocity_constraints {
  PC_VELOCITY_AVERAGED,
  PC_VELOCITY_PAPER
} pc_velocity_constraints;

/// What the stages of a variational scheme balance where a mass depends on coordinates or time:
/// velocities times the mass of their own stage, RATTLE (25), or momenta, Lobatto (47), which is
/// symplectic.
typedef enum pc_form {
  PC_FORM_PUBLISHED,  ///< as its paper has it: momenta in lobatto, velocities in rattle
  PC_FORM_MOMENTUM,
  PC_FORM_VELOCITY
} pc_form;

/// The contacts to which the impact law of a variational scheme applies: those that were closed at
/// any stage of the step, or those that are closed at its end, Lobatto (67).
typedef enum pc_active_set { PC_ACTIVE_SET_STAGES, PC_ACTIVE_SET_PAPER } pc_active_set;

/// How what is left of a step's equations is measured: each by its own terms, or by the largest
/// entry alone [N s, m, m/s], as in RATTLE's Table 1 and Acary's Table 3.
typedef enum pc_residual {
  PC_RESIDUAL_AUTO,  ///< scaled with the default tolerance, absolute with one that was asked for
  PC_RESIDUAL_SCALED,
  PC_RESIDUAL_ABSOLUTE
} pc_residual;

/// At which levels generalized-alpha demands the constraints: position, velocity, acceleration.
typedef enum pc_constraints {
  PC_CONSTRAINTS_PVA,  ///< all three; the smooth motion obeys them as accelerations
  PC_CONSTRAINTS_PVV,  ///< position and velocity; the smooth motion obeys them as velocities
  PC_CONSTRAINTS_P,    ///< position alone (index 3)
  PC_CONSTRAINTS_V,    ///< velocity alone (index 2)
  PC_CONSTRAINTS_PV,   ///< position and velocity, corrected at the end of a step, alpha paper (74)
  PC_CONSTRAINTS_BAUMGARTE,  ///< a sum of the three, alpha paper (71c)
  PC_CONSTRAINTS_GGL  ///< Gear, Gupta and Leimkuhler: corrected at its start, alpha paper (73)
} pc_constraints;

/// Accelerations that generalized-alpha begins with.
typedef enum pc_initial {
  PC_INITIAL_CONSISTENT,  ///< of the initial state
  PC_INITIAL_SHIFTED,     ///< the averaged one as it is (alpha_m - alpha_f) dt later
  PC_INITIAL_ZERO         ///< none: as after an impact
} pc_initial;

/// Which impulses decide in generalized-alpha whether a contact is closed.
typedef enum pc_activation {
  PC_ACTIVATION_HISTORY_FREE,  ///< without what the averages remember of earlier steps
  PC_ACTIVATION_TOTAL          ///< the total ones, alpha paper (55), (56)
} pc_activation;

/// Settings of the variational schemes, rattle and lobatto.
typedef struct pc_variational_settings {
  int stages;                                    ///< of a Lobatto scheme, 2 or more
  pc_velocity_constraints velocity_constraints;  ///< where they hold within a step
  pc_form form;                                  ///< what the stages balance
  pc_active_set active_set;                      ///< of the impact law
  double prox;  ///< proximal point parameter of all contacts; 0: from the Delassus diagonal
} pc_variational_settings;

/// Settings of generalized-alpha.
typedef struct pc_alpha_settings {
  double rho;         ///< spectral radius at infinite frequency (Chung and Hulbert), 0 to 1
  double newmark[2];  ///< Newmark's beta and gamma in place of rho; NAN: not given
  double hht;         ///< alpha of Hilber, Hughes and Taylor in place of rho; NAN: not given
  pc_constraints constraints;  ///< levels at which they are demanded
  double baumgarte[2];         ///< alpha and beta of (71c) [1/s]
  int strategy;              ///< constraints on the smooth motion: 1 none, 2 joints, 3 contacts too
  int monolithic;            ///< one Newton iteration for all levels instead of block sweeps
  pc_initial initial;        ///< accelerations at the start
  pc_activation activation;  ///< criterion for closed contacts
  double activation_factor;  ///< its r, in effective masses of the contact
} pc_alpha_settings;

/// Settings of all schemes; a scheme reads those that it knows (see `pc_setting`).
typedef struct pc_scheme_settings {
  double dt;                 ///< time step [s]
  double theta;              ///< implicitness, 1/2 to 1
  pc_evaluation evaluation;  ///< where M and h are taken, Acary (18a)
  pc_rotation rotation;      ///< how q follows from u, Acary (18b)
  pc_velocity velocity;      ///< of schatzman-paoli, Acary (20b)
  pc_forecast forecast;      ///< which contacts may carry a percussion, Acary (61) to (64)
  /// extrapolation of the explicit forecast, 0 to 2; NAN: 0, and 1 for a contact that would get
  /// deeper than a twentieth of the smaller shape's inner radius by the end of the step
  double gamma;
  /// a contact counts as closed where its forecast gap is at most this [m]; NAN: 1e-10 of the
  /// model's length
  double activation_tolerance;
  double tolerance;  ///< of the step's equations, see pc_residual
  /// the most that a relative tolerance may leave of a velocity [m/s, rad/s]; NAN: no bound, so
  /// that a motion does not depend on units
  double absolute_tolerance;
  int max_iterations;       ///< of the Newton loop
  const char* solver;       ///< contact solver, NULL: chosen by size and friction dimension
  int sweeps;               ///< not 0: a step is so many Gauss-Seidel sweeps, whatever they leave
  double solver_tolerance;  ///< of the contact solver, see pc_problem_residual
  /// a step is used up to this error, relative to the velocities and impulses at hand
  double acceptance;
  double restitution_above;  ///< contacts that approach at no more than this [m/s] do not rebound
  pc_on_failure on_failure;  ///< what happens if a step cannot be solved
  pc_level level;            ///< of contacts and joints in the theta scheme
  pc_project project;        ///< of a projection scheme
  pc_metric metric;          ///< of its projection
  int coupled;               ///< solve velocities and projection together, Acary (53)
  int frictionless;          ///< leave out all friction
  pc_residual residual;      ///< measure of the equations
  /// that share the work of a step with found contacts; results do not depend on it; 0, 1: none
  int threads;
  pc_variational_settings variational;  ///< of rattle and lobatto
  pc_alpha_settings alpha;              ///< of generalized-alpha
} pc_scheme_settings;

/// dt 1e-3 s, theta 1/2, the metric AUTO of projections, tolerances 1e-10 (of the contact
/// solver 1e-12, acceptance 1e-6), 50 iterations, three stages, rho 0.9; a step that cannot be
/// solved stops the run.
PC_API pc_scheme_settings pc_default_scheme_settings(void);

/// A setting as the command line and the model file see it.
typedef struct pc_setting {
  const char* key;      ///< "theta"; on the command line "--theta"
  const char* values;   ///< what is allowed, for a person: "0.5 to 1", "mid|trapezoid"
  const char* help;     ///< one line
  const char* schemes;  ///< names of the schemes that read it, separated by spaces; "" for all
  int flag;             ///< on or off: on the command line it stands without a value
} pc_setting;

/// How many settings there are.
PC_API int pc_setting_count(void);
/// A setting by its number, from 0.
PC_API pc_setting pc_setting_at(int index);

/// Sets one by its key from a text; PC_BAD_ARGUMENT says what is allowed. `settings->solver` points
/// to static storage afterwards.
PC_API pc_status pc_set_setting(pc_scheme_settings* settings, const char* key, const char* value,
                                pc_error* error);

/// Does a scheme read the setting of this key? `readers` (may be NULL) gets the names of those that
/// do, separated by spaces, "" for all.
PC_API int pc_scheme_reads(const char* scheme, const char* key, const char** readers);

/// A setting as a person gives it.
typedef struct pc_given_setting {
  const char* key;    ///< as in pc_setting
  const char* value;  ///< as text
} pc_given_setting;

/// Sets those that the scheme reads. PC_BAD_ARGUMENT for a value that is not allowed, and for a
/// setting that has no effect beside another one that is given.
PC_API pc_status pc_set_given(pc_scheme_settings* settings, const char* scheme,
                              const pc_given_setting* given, int count, pc_error* error);

/// Known schemes, ended by NULL.
PC_API const char* const* pc_scheme_names(void);

/// A line about a scheme, or NULL if there is none of this name.
PC_API const char* pc_scheme_summary(const char* name);

enum { PC_PHASES_MAX = 4 };

/// How a step went.
typedef struct pc_step_info {
  long step;                      ///< the step just done, from 1; 0 for the initial state
  double dt;                      ///< length of the step [s]
  int phase_count;                ///< kinds of iterations of the scheme, up to PC_PHASES_MAX
  const char* const* phase;       ///< names of the scheme's iterations: "newton", "solver" ...
  int iterations[PC_PHASES_MAX];  ///< of each
  double residual;                ///< of the step's equations at the end [N s]
  double solver_residual;         ///< of the contact problem, see pc_problem_residual
  double impact_residual;         ///< largest violation of the discrete impact law [m/s]
  double friction_residual;       ///< largest violation of the discrete friction law [m/s]
  double acceleration;            ///< largest |g''|, |gamma'| of a scheme with accelerations
  const double* lambda;           ///< its smooth forces of all rows at the end [N]; NULL: none
  int active_contacts;            ///< that could carry a percussion
  const double* impact_law;       ///< violation of the impact law by each contact [m/s]
  const double* friction_law;     ///< violation of the friction law by each contact [m/s]
  double work;         ///< of forces that no energy accounts for [J], the scheme's quadrature
  double work_turned;  ///< that of forces which took energy as the step began, if positive [J]
  /// contacts that closed without one: their law has no solution with restitution
  int without_rebound;
  int inaccurate;  ///< the step did not meet its tolerance, but was used
  /// and what is left, relative to the velocities and impulses at hand; 1: unknown
  double inaccuracy;
  int answered[PC_METHOD_COUNT];  ///< contact problems (islands) by the method that solved them
  int substeps;  ///< into which it was subdivided: 1, or more with PC_ON_FAILURE_HALVE
} pc_step_info;

#ifdef __cplusplus
}
#endif
#endif
