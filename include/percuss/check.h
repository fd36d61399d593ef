/// \file
/// Looking at a system before it runs: freedom, redundancy, initial consistency, a sensible dt.
#ifndef PERCUSS_CHECK_H
#define PERCUSS_CHECK_H

#include "percuss/simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A joint (or a constraint of formulas) and what holds it at the start.
typedef struct pc_check_joint {
  const char* name;    ///< owned by the system
  int row;             ///< its first row; the others need not follow it
  int row_count;       ///< how many rows it has
  int redundant_rows;  ///< how many of them follow from rows before them
  double position;     ///< largest |g| of its rows [m or rad]
  double velocity;     ///< largest |g'|, |gamma| [m/s or rad/s]
  double force;        ///< Euclidean norm over its rows [N or N m]
} pc_check_joint;

/// A contact at the start.
typedef struct pc_check_contact {
  const char* name;         ///< owned by the system
  const char* state;        ///< "open", "leaving", "impact", "resting" or "sliding"
  int closed;               ///< the gap is at most 1e-10 m
  double gap;               ///< [m]
  double gap_velocity;      ///< [m/s]
  double force_normal;      ///< [N]
  int dimension;            ///< of friction
  double force_tangent[3];  ///< [N]
} pc_check_contact;

/// Two shapes that overlap at the start.
typedef struct pc_check_overlap {
  int shape[2];  ///< numbers of colliders
  double depth;  ///< [m]
} pc_check_overlap;

/// Shapes at the start.
typedef struct pc_check_found {
  int shape_count;            ///< colliders of the system
  int pair_count;             ///< pairs of shapes that may touch in the first step
  int closed_count;           ///< contacts between them whose gap is at most 1e-10 m
  int overlap_count;          ///< pairs that overlap
  pc_check_overlap* overlap;  ///< overlap_count, the deepest first
} pc_check_found;

/// How well the initial values fit joints and contacts, and where worst.
typedef struct pc_check_start {
  double position_max;              ///< largest |g| [m or rad]
  const char* position_joint;       ///< of that |g|
  double penetration_max;           ///< largest -g_N, or 0 [m]
  const char* penetration_contact;  ///< of that gap
  double velocity_max;              ///< largest |g'|, |gamma| [m/s or rad/s]
  const char* velocity_joint;       ///< of that velocity
  int impact_count;                 ///< closed contacts that approach: an impact in the first step
} pc_check_start;

/// Accelerations and forces at the start.
typedef struct pc_check_acceleration {
  int solved;                  ///< they were found
  double max;                  ///< largest |u'| [m/s^2 or rad/s^2]
  const char* of;              ///< the velocity that changes so fast, such as "rod.spin"
  double* value;               ///< u_count: all of them, in the order of u
  double constraint_residual;  ///< largest |g''|, |gamma'| that is left [m/s^2]
  double contact_residual;     ///< of the contact forces, see pc_problem_residual
} pc_check_acceleration;

/// A sensible time step, and what it follows from [s].
typedef struct pc_check_step {
  double dt;              ///< the smallest of the three that follow
  const char* reason;     ///< which one: "vibration", "waves", "rotation" or "closing gap"
  double vibration;       ///< 1/50 of the shortest period of the smooth motion; of finite elements,
                          ///< what the fastest wave takes from node to node ("waves")
  double rotation;        ///< directions of joints and contacts turn by 0.01 rad
  double closing;         ///< 1/20 of the time in which the next contact closes
  double explicit_limit;  ///< from here on, explicit schemes can be unstable: 2/rate_max
  /// the same for schemes that take only springs at given positions: 2/frequency
  double positions_limit;
  double rate_max;  ///< largest |eigenvalue| of the linearised motion [1/s]
} pc_check_step;

/// The report. Names are owned by the system, lists by the report; a name is "" where there is
/// nothing to name, a number NAN where there is none.
typedef struct pc_check_report {
  int q_count;           ///< coordinates
  int u_count;           ///< velocities
  int g_count;           ///< constraints on positions
  int gamma_count;       ///< constraints on velocities alone
  int rank;              ///< independent ones among them
  int dof;               ///< u_count - held_count - rank
  int held_count;        ///< coordinates that hold a quantity and do not move by themselves
  int contact_count;     ///< contacts of the model
  int closed_count;      ///< those whose gap is at most 1e-10 m
  pc_check_found found;  ///< shapes, and contacts between them
  int consistent;        ///< position and velocity hold and nothing penetrates: ready to run
  pc_check_start start;  ///< violations of the initial values
  pc_check_acceleration acceleration;  ///< of the initial state
  pc_check_step step;                  ///< how long a step may be
  const char* scheme;                  ///< a scheme for this system, such as "rattle"
  const char* scheme_reason;           ///< and why
  int joint_count;                     ///< joints and constraints
  int warning_count;                   ///< remarks, see pc_warning
  pc_check_joint* joint;               ///< joint_count
  pc_check_contact* contact;           ///< contact_count
  pc_warning* warning;                 ///< warning_count
  int warning_capacity;                ///< of the list, for those who extend it
} pc_check_report;

/// Examines a frozen system at its initial values. `settings` (may be NULL) and `until` (may be
/// NAN) are those of a run, for warnings about them. The report is to be freed with pc_check_free,
/// and not to be used after the system is gone. PC_NOT_FINITE and PC_SINGULAR tell which term of
/// the system cannot be computed with; an inconsistent start is no error but `consistent` = 0.
PC_API pc_status pc_check(const pc_system* system, const pc_scheme_settings* settings, double until,
                          pc_check_report* report, pc_error* error);

/// What to say before a run: the warnings of pc_check about initial values that violate a joint or
/// a contact, about redundant joints (in one warning) and about a dt that is far too large for the
/// scheme. `list` has space for `capacity` of them, `count` is how many were put there. Systems of
/// more than some hundred velocities or rows are looked at for initial values only, so that the run
/// does not wait.
PC_API pc_status pc_check_run(const pc_sim_def* def, double until, pc_warning* list, int capacity,
                              int* count, pc_error* error);

/// Releases the lists; a zeroed report is fine.
PC_API void pc_check_free(pc_check_report* report);

/// The joint of a name, or NULL.
PC_API const pc_check_joint* pc_check_find_joint(const pc_check_report* report, const char* name);
/// The contact of a name, or NULL.
PC_API const pc_check_contact* pc_check_find_contact(const pc_check_report* report,
                                                     const char* name);

#ifdef __cplusplus
}
#endif
#endif
