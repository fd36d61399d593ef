/* The coefficients of the generalized-alpha formulas, alpha (58)-(61). */
#ifndef PC_SCHEMES_GENERALIZED_ALPHA_COEFFICIENTS_H
#define PC_SCHEMES_GENERALIZED_ALPHA_COEFFICIENTS_H

#include "percuss/scheme.h"

typedef struct pc_alpha_coefficients {
  double alpha_m, alpha_f; /* weights of the old values in (60) */
  double beta, gamma;      /* Newmark's */
  double s;                /* (1 - alpha_f)/(1 - alpha_m): da_n+1/dv'_n+1 */
} pc_alpha_coefficients;

/* By Newmark or Hilber, Hughes and Taylor where the settings name their numbers, else by Chung and
 * Hulbert from rho. Refuses both at once, and coefficients with which a step is not implicit. */
pc_status pc_alpha_choose_coefficients(const pc_scheme_settings* settings,
                                       pc_alpha_coefficients* coefficients, pc_error* error);

#endif
