/// \file
/// The mechanical system: what moves, what ties it together, what it may hit.
///
/// A system is made of *parts*, which own coordinates q and velocities u (a body, a formula's
/// coordinate), and of *elements*, which contribute terms to
///
///     M(t,q) du = h(t,q,u) dt + W_g dP_g + W_gamma dP_gamma + W_N dP_N + W_F dP_F
///
/// It is built once (`pc_system_create`, the `pc_add_*` functions of elements.h), then frozen.
/// A frozen system never changes: it is `const` for everybody, and any number of simulations in any
/// number of threads may use it at the same time.
///
/// The rows of all W are numbered once: position constraints g first, then velocity constraints
/// gamma, then for each contact its normal row followed by its friction rows. A vector of
/// percussions P and a vector of row velocities have this layout.
#ifndef PERCUSS_SYSTEM_H
#define PERCUSS_SYSTEM_H

#include "percuss/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Parts and elements: a mechanism.
typedef struct pc_system pc_system;

/// Names a part of one system. `PC_GROUND` is the inertial frame, a part without coordinates.
typedef struct pc_part_id {
  int index;  ///< from 0, in the order of pc_add_body and the like; -1: the ground
} pc_part_id;

/// Names a joint of one system: given by pc_add_revolute and the like, where it may be NULL, or
/// found by its name.
typedef struct pc_joint_id {
  int index;  ///< from 0, in the order of adding
} pc_joint_id;

/// Names a contact of one system: given by pc_add_disc_plane and the like, where it may be NULL, or
/// found by its name. Its index counts the contacts from 0, as in pc_system_contact. Where several
/// contacts are added (arcs, clearances) it is the first; a compliant contact has no rows, and the
/// index -1.
typedef struct pc_contact_id {
  int index;  ///< from 0, in the order of adding
} pc_contact_id;

/// The inertial frame.
#ifdef __cplusplus
#define PC_GROUND (pc_part_id{-1})
#else
#define PC_GROUND ((pc_part_id){-1})
#endif

/// What holds for the whole system.
typedef struct pc_system_def {
  int dimension;      ///< 1 line, 2 plane, 3 space
  double gravity[3];  ///< acceleration [m/s^2]; components past `dimension` are ignored
} pc_system_def;

/// A plane without gravity.
PC_API pc_system_def pc_default_system_def(void);

/// An empty system, to be destroyed by the caller.
PC_API pc_status pc_system_create(const pc_system_def* def, pc_system** system, pc_error* error);

/// Releases a system; NULL is fine. No simulation may use it any more.
PC_API void pc_system_destroy(pc_system* system);

/// Checks the system, fixes its layout and freezes it. Nothing can be added afterwards.
PC_API pc_status pc_system_freeze(pc_system* system, pc_error* error);

/// \name Sizes
/// @{

/// 1, 2 or 3.
PC_API int pc_system_dimension(const pc_system* system);
PC_API int pc_system_q_count(const pc_system* system);      ///< n_q
PC_API int pc_system_u_count(const pc_system* system);      ///< n_u
PC_API int pc_system_g_count(const pc_system* system);      ///< rows of W_g
PC_API int pc_system_gamma_count(const pc_system* system);  ///< rows of W_gamma
/// Contacts with rows; compliant ones have none.
PC_API int pc_system_contact_count(const pc_system* system);
PC_API int pc_system_row_count(const pc_system* system);  ///< all rows: g, gamma, contacts
/// @}

/// \name Initial values, owned by the system
/// @{

/// Initial coordinates, n_q numbers.
PC_API const double* pc_system_q0(const pc_system* system);
/// Initial velocities, n_u numbers.
PC_API const double* pc_system_u0(const pc_system* system);
/// @}

/// A contact: two bodies that may touch at one point.
typedef struct pc_contact_info {
  const char* name;   ///< owned by the system
  int row;            ///< its normal row; its friction rows follow
  int dimension;      ///< friction rows: 0 frictionless, 1 planar, 2 spatial, 3 with spin
  double mu;          ///< friction coefficient
  double e_N;         ///< Newton restitution in the normal direction, 0 to 1
  double e_F;         ///< Newton restitution in the tangential direction, 0 to 1
  double e_above;     ///< approach speed up to which there is no restitution [m/s]
  double stribeck;    ///< 0, or the speed of Stribeck's curve from mu to mu_kinetic [m/s]
  double mu_kinetic;  ///< friction coefficient at speed
  int is_angle;       ///< its gap is an angle [rad], its impulse [N m s]: a stop of an angle
} pc_contact_info;

/// A contact by its number, from 0.
PC_API pc_contact_info pc_system_contact(const pc_system* system, int contact);

/// The contact of a name; PC_BAD_ARGUMENT where there is none, compliant ones included.
PC_API pc_status pc_system_find_contact(const pc_system* system, const char* name,
                                        pc_contact_id* contact, pc_error* error);

/// A joint: an element with constraints. Its rows are numbered once the system is frozen.
typedef struct pc_joint_info {
  const char* name;  ///< owned by the system
  const char* kind;  ///< "revolute", ...; static
  int g_row;         ///< the first of its constraints at position level
  int g_count;       ///< how many it has
  int gamma_row;     ///< the first of those at velocity level alone
  int gamma_count;   ///< how many it has
} pc_joint_info;

/// What a joint is, and where its rows are.
PC_API pc_joint_info pc_system_joint(const pc_system* system, pc_joint_id joint);

/// The joint of a name; PC_BAD_ARGUMENT where there is none.
PC_API pc_status pc_system_find_joint(const pc_system* system, const char* name, pc_joint_id* joint,
                                      pc_error* error);

/// What a quantity is measured from; see `pc_quantity`.
typedef enum pc_quantity_kind {
  PC_QUANTITY_Q,             ///< a coordinate
  PC_QUANTITY_U,             ///< a velocity
  PC_QUANTITY_ROW_POSITION,  ///< g or g_N of a row
  PC_QUANTITY_ROW_VELOCITY,  ///< g', gamma, g_N' or gamma_F of a row
  PC_QUANTITY_ROW_P,         ///< the percussion of a row over the last step
  PC_QUANTITY_OUTPUT         ///< a function of all of these, see pc_add_output
} pc_quantity_kind;

/// A scalar with a name, such as `crank.angle`, `floor.gap` or `pin.P.1`: what can be recorded.
typedef struct pc_quantity {
  const char* name;       ///< owned by the system
  const char* unit;       ///< "m", "rad/s", "N s", "" where unknown; owned by the system or static
  pc_quantity_kind kind;  ///< which array it stands in
  int index;              ///< into q, u, the rows or the outputs
} pc_quantity;

/// How many quantities can be recorded.
PC_API int pc_system_quantity_count(const pc_system* system);
/// A quantity by its number, from 0.
PC_API pc_quantity pc_system_quantity(const pc_system* system, int quantity);

/// The index of a quantity, or -1.
PC_API int pc_system_find_quantity(const pc_system* system, const char* name);

/// What an output is computed from: a state and its rows. The layouts are those of the system.
typedef struct pc_output_at {
  double t;             ///< [s]
  double dt;            ///< the step that P was transferred in [s]
  const double* q;      ///< coordinates
  const double* u;      ///< velocities
  const double* y;      ///< positions of the rows
  const double* y_dot;  ///< velocities of the rows
  const double* P;      ///< percussions over the last step
  /// \name For outputs with `forces` only, NULL where the system has none; see pc_add_force_output
  /// @{
  const double* a;       ///< accelerations u'
  const double* y_ddot;  ///< accelerations of the rows
  const double* lambda;  ///< forces of the rows
  /// @}
  struct pc_loads* loads;  ///< what elements do to parts, for outputs with `loads` only, else NULL
} pc_output_at;

/// A quantity made of others: the angle of a joint, the position of a tip. It has no influence on
/// the motion; simulations compute it after every step, and recorders write it.
typedef struct pc_output_def {
  const char* name;  ///< copied; its quantities are called after it
  const char* unit;  ///< copied
  /// called from any thread that simulates; must depend on nothing but its arguments
  double (*value)(const void* user, const pc_output_at* at);
  void* user;                   ///< handed to `value`
  void (*destroy)(void* user);  ///< may be NULL; also called when the output is refused
  /// 0, or the period of a value that is known up to multiples of it: an angle. A simulation adds
  /// the multiple that brings it nearest to its last value, so that it counts any number of turns.
  double period;
  int forces;  ///< not 0: `value` reads a, y_ddot or lambda, which simulations compute for it
  int loads;   ///< the same for `loads`, of outputs that models define
} pc_output_def;

/// Adds an output. Quantities of rows can be found (pc_system_find_quantity) once the first output
/// has been added or pc_system_close_rows was called; neither parts nor elements can be added then.
PC_API pc_status pc_add_output(pc_system* system, const pc_output_def* def, pc_error* error);

/// Adds an output that is an acceleration or a force, by its name: of a part `.ax .ay .az` and,
/// beside `.spin .wx .wy .wz`, `.alpha .alpha_x .alpha_y .alpha_z`; of a coordinate `x''`; of a
/// joint `.lambda` and `.acceleration`, numbered like `.P`; of a contact `.lambda_N .lambda_F
/// .gap_acceleration .slip_acceleration`. generalized-alpha has them as unknowns. For other schemes
/// they are what belongs to the state at the end of a step, M a = h + W lambda with constraints and
/// laws of the contacts as accelerations; contacts are closed that carried a percussion and are at
/// rest. Where contacts have no such forces they are NAN. PC_BAD_ARGUMENT if there is no such
/// quantity.
PC_API pc_status pc_add_force_output(pc_system* system, const char* name, pc_error* error);

/// A coordinate that holds a number while steps are computed: the command of a sampled controller,
/// the load of a joint. A simulation sets it at the start of a step; in between nothing moves it.
typedef struct pc_held_def {
  pc_part_id part;  ///< from pc_add_held
  int quantity;     ///< whose value it takes, by its number; not one of `part` itself
  double interval;  ///< [s]: the value is taken at multiples of it; 0: at the start of every step
  /// the quantity depends on impulses, which only a step gives: the first step is computed in
  /// advance, so that it begins with loads, too
  int of_impulses;
} pc_held_def;

/// Says what a coordinate holds, after the rows have been closed.
PC_API pc_status pc_hold_quantity(pc_system* system, const pc_held_def* def, pc_error* error);

/// How many quantities are held.
PC_API int pc_system_held_count(const pc_system* system);

/// Numbers and names the rows: from here on only outputs can be added, and held quantities.
PC_API pc_status pc_system_close_rows(pc_system* system, pc_error* error);

/// How many outputs the system has.
PC_API int pc_system_output_count(const pc_system* system);
/// The value of an output.
PC_API double pc_system_output(const pc_system* system, int output, const pc_output_at* at);
/// The period of an output, 0 if it has none.
PC_API double pc_system_output_period(const pc_system* system, int output);

#ifdef __cplusplus
}
#endif
#endif
