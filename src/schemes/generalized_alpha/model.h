/* What a run of generalized-alpha is about: the system, the settings, and what follows from them.
 *
 * Filled once, at creation; constant from then on. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_MODEL_H
#define PC_SCHEMES_GENERALIZED_ALPHA_MODEL_H

#include "schemes/generalized_alpha/coefficients.h"
#include "system/system.h"

/* The constraint that determines the forces lambda of the smooth motion. */
typedef enum pc_alpha_constraint {
  PC_ALPHA_ACCELERATION,    /* W v' + zeta = 0                                        (65b) */
  PC_ALPHA_SMOOTH_VELOCITY, /* the velocity without its jump obeys the constraint: PVV      */
  PC_ALPHA_VELOCITY,        /* W u + chi = 0                                                */
  PC_ALPHA_POSITION,        /* g = 0                                                        */
  PC_ALPHA_BAUMGARTE        /* g'' + 2 alpha g' + beta^2 g = 0                        (71c) */
} pc_alpha_constraint;

/* The form of the constraints, --constraints. */
typedef struct pc_alpha_form {
  const char* name;
  pc_alpha_constraint constraint;
  int position; /* U and nu exist */
  int velocity; /* the jump and Lambda exist */
  int ggl;      /* U = W'(q_n) nu, without M: (73) */
} pc_alpha_form;

typedef struct pc_alpha_model {
  const pc_system* system;
  pc_scheme_settings settings;
  pc_alpha_coefficients c;
  pc_alpha_form form;
  int n_q, n_u;
  int rows;      /* of W: g, gamma, then for each contact its normal and its friction rows */
  int g;         /* rows of position constraints; gamma follow up to ... */
  int bilateral; /* ... this row */
  int contacts;
  pc_contact_info* contact; /* contacts; without friction rows if friction is switched off */
  int has_friction;
  int has_restitution_above; /* contacts rebound from some speed on only */
  int does_work;             /* there are forces f of which no energy tells */
  int constant_mass;
  int constant_rows;
  int constant_forces;  /* h depends on neither q nor u, so that the tangent of the forces is M */
  int constant_tangent; /* M, h_q and h_u are constant */
} pc_alpha_model;

/* Refuses settings that make no sense for the system. */
pc_status pc_alpha_model_create(pc_alpha_model* model, const pc_system* system,
                                const pc_scheme_settings* settings, pc_error* error);
void pc_alpha_model_free(pc_alpha_model* model);

/* Impulses that obey a law of velocities and have no part in the smooth motion: constraints of
 * velocity level in strategy 1, friction in strategies 1 and 2 and in `pvv`. Acting throughout the
 * step, Lambda moves the positions by dt/2 M^-1 W' Lambda, too: without that a block at rest on an
 * incline would creep down with dt/2 g sin(angle), its velocity being zero. */
static inline int pc_alpha_joints_move_positions(const pc_alpha_model* model)
{
  return model->form.position && model->settings.alpha.strategy == 1;
}

static inline int pc_alpha_friction_moves_positions(const pc_alpha_model* model)
{
  return model->has_friction &&
         (model->settings.alpha.strategy < 3 || model->form.constraint != PC_ALPHA_ACCELERATION);
}

#endif
