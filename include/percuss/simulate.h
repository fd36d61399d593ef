/// \file
/// A simulation: a system, a scheme, a state, and its observers.
#ifndef PERCUSS_SIMULATE_H
#define PERCUSS_SIMULATE_H

#include "percuss/found.h"
#include "percuss/scheme.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A system, a scheme and a state that moves. It belongs to one thread at a time.
typedef struct pc_sim pc_sim;

/// What to simulate, and how.
typedef struct pc_sim_def {
  const pc_system* system;      ///< frozen; must outlive the simulation
  const char* scheme;           ///< such as "moreau-jean"
  pc_scheme_settings settings;  ///< of the scheme, the time step among them
} pc_sim_def;

/// moreau-jean with its default settings
PC_API pc_sim_def pc_default_sim_def(void);

/// A simulation at the system's initial values. Everything a step needs is allocated here.
PC_API pc_status pc_sim_create(const pc_sim_def* def, pc_sim** sim, pc_error* error);
/// Releases a simulation; NULL is fine. The system stays.
PC_API void pc_sim_destroy(pc_sim* sim);

/// Where the energy of a step went [J]:
///     energy after = energy before + work - impact - friction - scheme.
typedef struct pc_balance {
  /// done by forces that neither T nor V accounts for: applied forces, dampers, and what moves by
  /// a law of time: drives (joints), walls (contacts), anchors of springs (potentials)
  double work;
  double impact;    ///< lost in the normal direction of contacts, -sum P_N mean(g_N')
  double friction;  ///< lost in friction, -sum P_F . mean(gamma_F)
  double scheme;    ///< what is left: the scheme's own dissipation (negative: gain)
  /// the energy given by forces and by what moves by a law of time, without what others of them
  /// take (dampers): at least `work`
  double supply;
} pc_balance;

/// The laws that a run may violate.
typedef enum pc_violated {
  PC_VIOLATED_POSITION,  ///< of a constraint: |g|
  PC_VIOLATED_VELOCITY,  ///< of a constraint: |g'| or |gamma|
  PC_VIOLATED_GAP,       ///< of a contact: penetration max(0, -g_N) [m]
  PC_VIOLATED_IMPACT,    ///< of a contact: the discrete impact law [m/s]
  PC_VIOLATED_FRICTION,  ///< of a contact: the discrete friction law [m/s]
  PC_VIOLATED_COUNT
} pc_violated;

/// "residual" (of a constraint), "penetration", "impact_law", "friction_law".
PC_API const char* pc_violated_name(pc_violated law);

/// The largest violation of a law so far, and when it occurred.
typedef struct pc_violation {
  pc_violated law;   ///< which law
  const char* part;  ///< the quantity of a constraint ("pin.position.1") or a contact; the system's
  const char* unit;  ///< of `value`: "m", "rad", "m/s" ...
  double value;      ///< 0 as long as it holds exactly
  double t;          ///< [s]
} pc_violation;

/// How many laws a system has: first the positions of the constraints, then their velocities, then
/// gap, impact and friction of each contact.
PC_API int pc_violation_count(const pc_system* system);
/// Fills a list of pc_violation_count entries.
PC_API void pc_list_violations(const pc_system* system, pc_violation* list);

/// What an observer sees after every step, and once before the first (`info->step` is 0).
typedef struct pc_observation {
  const pc_system* system;         ///< the simulation's
  const pc_state* state;           ///< at the end of the step
  const pc_step_info* info;        ///< how the step went
  const double* y;                 ///< position of every row: g, g_N
  const double* y_dot;             ///< velocity of every row: g', gamma, g_N', gamma_F
  const double* output;            ///< every output of the system
  double kinetic;                  ///< [J]
  double potential;                ///< [J]
  const double* y_dot_before;      ///< velocity of every row before the step
  const double* P_before;          ///< percussions of the step before
  pc_balance balance;              ///< of this step
  const pc_violation* violation;   ///< of every law, this step included: see pc_list_violations
  const pc_found_contacts* found;  ///< between shapes; NULL: the system has no shapes
} pc_observation;

/// What may happen to a contact in a step.
typedef enum pc_event_kind { PC_NO_EVENT, PC_CONTACT_CLOSED, PC_CONTACT_OPENED } pc_event_kind;

/// A contact that begins or ceases to carry a percussion. An impact is a closing with a negative
/// velocity before it.
typedef struct pc_event {
  pc_event_kind kind;      ///< closed or opened
  long step;               ///< in which it happened, from 1
  double t;                ///< [s], the end of the step
  int contact;             ///< of the system; PC_FOUND: one between shapes
  pc_contact_key key;      ///< of a contact between shapes: which one
  double P_N;              ///< percussion of the step [N s], not a force
  double P_F[3];           ///< [N s]; between shapes the inertial components of what is not normal
  double velocity_before;  ///< g_N' before the step [m/s]
  double velocity_after;   ///< and after it
} pc_event;

/// What happened to a contact in the step of an observation; `kind` is PC_NO_EVENT if nothing did.
PC_API pc_event pc_observe_event(const pc_observation* seen, int contact);

/// The same of contacts between shapes: those of `seen->found`, then those that opened.
PC_API int pc_found_event_count(const pc_observation* seen);
/// One of them, from 0.
PC_API pc_event pc_observe_found_event(const pc_observation* seen, int index);

/// Returns 0 to stop the run.
typedef int pc_observer(void* user, const pc_observation* seen);

/// Observers are called in the order in which they were added.
PC_API pc_status pc_sim_add_observer(pc_sim* sim, pc_observer* observer, void* user,
                                     pc_error* error);

/// One step. On failure the state is what it was before, and `error` tells step, time and cause.
PC_API pc_status pc_sim_step(pc_sim* sim, pc_error* error);

/// Steps while the next one ends at or before `until` [s] (to within 1e-9 of a step), showing
/// every state to the observers. PC_STOPPED if one of them asked to stop.
PC_API pc_status pc_sim_run(pc_sim* sim, double until, pc_error* error);

/// Takes `count` steps in the same way, from wherever the simulation is.
PC_API pc_status pc_sim_run_steps(pc_sim* sim, long count, pc_error* error);

/// A run has at most this many steps: at a microsecond each they take 12 days.
#define PC_STEPS_MAX 1e12

/// The number of steps that `pc_sim_run` would do from t = 0, or -1 if it is more than
/// PC_STEPS_MAX.
PC_API long pc_step_count(double dt, double until);

/// What the last step (or the initial state) looks like.
PC_API const pc_observation* pc_sim_observation(const pc_sim* sim);

/// The value of a quantity in an observation.
PC_API double pc_observe_quantity(const pc_observation* seen, int quantity);

/// How many steps did not go as asked.
typedef struct pc_step_trouble {
  long halved;            ///< steps that were subdivided (PC_ON_FAILURE_HALVE)
  long without_rebound;   ///< steps with contacts whose law has no solution with restitution
  long inaccurate;        ///< steps that did not meet their tolerance
  long noticeable;        ///< those of them whose error is above 1e-9, or not known
  long first_noticeable;  ///< the first of these, 0 if there is none
  long first_inaccurate;  ///< the first of them, 0 if there is none
  double
      inaccuracy_max;  ///< what was left at most, relative to the velocities and impulses at hand
} pc_step_trouble;

/// What a run amounts to so far.
typedef struct pc_summary {
  long steps;                            ///< steps done
  double time;                           ///< time reached [s]
  double penetration_max;                ///< of the states after each step [m]
  double penetration_known_max;          ///< the same of the contacts that the steps acted on [m]
  double overrun_max;                    ///< the same of stops of angles [rad]
  double constraint_position_max;        ///< largest |g| of lengths [m] ...
  double constraint_angle_max;           ///< ... and of angles [rad]
  double constraint_velocity_max;        ///< largest |g'|, |gamma| of lengths [m/s] ...
  double constraint_rate_max;            ///< ... and of angles [rad/s]
  double constraint_acceleration_max;    ///< largest |g''|, |gamma'|; NAN: no accelerations
  double impact_residual_max;            ///< [m/s]
  double friction_residual_max;          ///< [m/s]
  double energy_initial;                 ///< kinetic + potential [J]
  double energy_final;                   ///< the same at the last state [J]
  double energy_max_increase;            ///< largest rise in one step [J], 0 if it never rises
  int phase_count;                       ///< kinds of iterations of the scheme
  const char* const* phase;              ///< their names: "newton", "solver" ...; static
  int iterations_max[PC_PHASES_MAX];     ///< most in one step, of each kind
  double iterations_avg[PC_PHASES_MAX];  ///< mean over all steps, of each kind
  double residual_max;                   ///< [N s]
  double solver_residual_max;            ///< of the contact problems, see pc_problem_residual
  int contacts_active_max;               ///< most that could carry a percussion in one step
  long events_closed;                    ///< contacts that began to carry a percussion
  long events_opened;                    ///< contacts that ceased to
  pc_balance balance;                    ///< sums over all steps
  pc_step_trouble trouble;               ///< steps that did not go as asked
  long answered[PC_METHOD_COUNT];  ///< contact problems (islands) by the method that solved them
} pc_summary;

/// The summary of all steps so far.
PC_API pc_summary pc_sim_summary(const pc_sim* sim);

enum { PC_DOUBTS_MAX = 8 };

/// Whether the result of a run so far is plausible. Energy counts as made from nothing where it
/// exceeds E_0 + supply or E_0 + work (see pc_balance); it is compared with what is available, E_0
/// + supply less the smallest V so far: the energy that the motion would have if nothing were lost.
/// What the forces give to the system at rest in one step is below the resolution of any scheme,
/// and that much always counts as available.
typedef struct pc_verdict {
  double energy_gain;               ///< largest energy made from nothing [J]
  double energy_gain_time;          ///< when [s]
  double energy_available;          ///< [J]
  int doubt_count;                  ///< reasons to doubt the run; 0: there is none
  pc_warning doubt[PC_DOUBTS_MAX];  ///< the first `doubt_count` of them
} pc_verdict;

/// The run is doubtful if energy made from nothing exceeds a twentieth of what is available, or
/// energy given by impacts or by friction (a negative loss) a twentieth of the largest kinetic
/// energy; if a contact penetrates by more than a tenth of its smaller body; if the last steps
/// multiply the energy; or if a step was used although it was not solved to the acceptance limit.
PC_API pc_verdict pc_sim_judge(const pc_sim* sim);

/// What a contact has carried so far.
typedef struct pc_contact_tally {
  long closings;      ///< how often it began to carry a percussion
  long steps_closed;  ///< steps with a percussion
  double P_max;       ///< largest normal percussion of a step [N s] ...
  double t_max;       ///< ... and the end of that step [s]
  double P_sum;       ///< of all steps [N s] ...
  double P_closing;   ///< ... and of those in which it closed: impacts [N s]
} pc_contact_tally;

/// The contacts of the system are numbered; those that are found have a sum of their own, see
/// pc_sim_found_tally.
PC_API pc_contact_tally pc_sim_contact_tally(const pc_sim* sim, int contact);

enum { PC_PAIR_NAME_SIZE = 96 };

/// The same of all contacts that were found so far: the largest percussion and the deepest
/// penetration.
typedef struct pc_found_tally {
  int closed_max;                      ///< most that carried a percussion in one step
  double P_max;                        ///< [N s], at
  double t_max;                        ///< [s], in
  char P_name[PC_PAIR_NAME_SIZE];      ///< the two shapes, "a - b"
  double depth_max;                    ///< of the states, whatever rows a step had [m], at
  double depth_time;                   ///< [s], in
  char depth_name[PC_PAIR_NAME_SIZE];  ///< the two shapes
  /// of the pair that is deepest in proportion: the depth as a share of the inner radius of its
  /// smaller shape, that of the largest ball in it
  double depth_share;
} pc_found_tally;

/// Of all contacts between shapes so far; zero for a system without shapes.
PC_API pc_found_tally pc_sim_found_tally(const pc_sim* sim);

/// What the contacts between two shapes have carried so far, all of them together.
typedef struct pc_pair_tally {
  int shape[2];  ///< numbers of the two colliders, the smaller first
  pc_contact_tally
      tally;          ///< an impulse is the sum of those of a step, a closing is that of the first
  double depth_max;   ///< deepest penetration [m] ...
  double depth_time;  ///< ... and when [s]
} pc_pair_tally;

/// The pairs of shapes that have touched, by their numbers.
PC_API int pc_sim_pair_count(const pc_sim* sim);
/// One of them, from 0.
PC_API pc_pair_tally pc_sim_pair(const pc_sim* sim, int pair);

/// The first events of a run, up to 32; NULL past the last kept. `pc_summary` counts all.
PC_API const pc_event* pc_sim_event(const pc_sim* sim, int index);

/// Sets the simulation to a state that was reached before (see pc_state), so that it goes on from
/// there with the same bits. `q`, `u`, `P` and `memory` have the sizes of the system and scheme;
/// without `memory` (NULL) the scheme and the energy-growth monitor start anew from there. Contacts
/// between shapes carry nothing: see pc_sim_restore_found.
PC_API pc_status pc_sim_restore(pc_sim* sim, long step, const double* q, const double* u,
                                const double* P, const double* memory, pc_error* error);

/// What a state knows of contacts between shapes, of an observation (`found`) or of a result file.
/// To be called after pc_sim_restore, which forgets them, so that the run goes on with the same
/// bits. Only the keys and the memory are read. PC_BAD_ARGUMENT if they are not those of this
/// system and scheme.
PC_API pc_status pc_sim_restore_found(pc_sim* sim, const pc_found_contacts* found, pc_error* error);

/// Goes on from the present state with another system: other parameters, other forces. It has as
/// many coordinates, rows, contacts and outputs as the one before, else PC_BAD_ARGUMENT; it must
/// outlive the simulation. The arrays of the state stay where they are, observers stay, the
/// scheme's memory, the events and the summary start anew. On failure nothing has changed.
PC_API pc_status pc_sim_replace_system(pc_sim* sim, const pc_system* system, pc_error* error);

#ifdef __cplusplus
}
#endif
#endif
