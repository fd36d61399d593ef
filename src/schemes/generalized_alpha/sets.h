/* The active sets (55)-(57): to which level a contact is closed, and what its friction does. */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_SETS_H
#define PC_SCHEMES_GENERALIZED_ALPHA_SETS_H

#include "schemes/generalized_alpha/model.h"
#include "solve/contact_mode.h"

/* Levels to which a contact's normal is closed: each implies those before it. */
typedef enum pc_alpha_level {
  PC_ALPHA_OPEN,
  PC_ALPHA_A, /* g_N = 0 */
  PC_ALPHA_B, /* and g_N' + e g_N'(-) = 0 */
  PC_ALPHA_S  /* and g_N'' = 0 in the smooth motion */
} pc_alpha_level;

/* Friction of a contact that is closed in the smooth motion is PC_CONTACT_STICK, gamma_F' = 0 with
 * lambda_F free, or PC_CONTACT_SLIP, lambda_F = -mu lambda_N t with t along gamma_F or, where slip
 * begins, against the force that could not hold it. */
typedef struct pc_alpha_sets {
  unsigned char* level;    /* contacts: pc_alpha_level */
  unsigned char* friction; /* contacts: pc_contact_mode, stick or slip */
  unsigned char* onset;    /* contacts, all levels at once: slip begins */
  double* ratio;           /* friction rows: lambda_F per lambda_N of a contact that slips */
  int changed;             /* contacts whose level the last update has changed */
  int closed;              /* contacts that are not open */
  int by_laws;             /* the levels come from contact problems, not from (55)-(57) */
  int all_levels;          /* the levels are solved at once */
  int smooth_by_laws;      /* with sets: the smooth level is a contact problem */
  unsigned char* smooth;   /* contacts, by laws: whether the smooth motion has a force */
  int no_smooth_contacts;  /* by laws: the accelerations of contacts have no solution */
  unsigned char* weighed;  /* contacts: the next two are known in this step */
  double* r;               /* contacts: of the activation criteria [kg] */
  double* m_F;             /* contacts: the least effective mass of its friction rows [kg] */
} pc_alpha_sets;

pc_status pc_alpha_sets_create(pc_alpha_sets* sets, const pc_alpha_model* model, pc_error* error);
void pc_alpha_sets_free(pc_alpha_sets* sets);

#endif
