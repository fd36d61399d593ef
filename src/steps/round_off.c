#include "steps/round_off.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Residuals of beams and bars are seen to stay within two or three times the sample below. */
static const double MARGIN = 8;

/* Every number is changed by its last digit, up or down as drawn by lots, so that neighbours move
 * apart; the lots are the same each time. */
static void shake(int n, const double* x, unsigned* lot, double* by)
{
  for (int i = 0; i < n; i++) {
    *lot = 1664525u * *lot + 1013904223u;
    by[i] = (*lot >> 31 ? DBL_EPSILON : -DBL_EPSILON) * x[i];
  }
}

void pc_forces_round_off(const pc_terms* terms, const double* q, const double* u, unsigned drawing,
                         double* scratch, double* h_off)
{
  int n_q = pc_system_q_count(terms->system), n_u = pc_system_u_count(terms->system);
  unsigned lot = 1 + 2654435769u * drawing, provides = pc_system_provides(terms->system);
  memset(h_off, 0, (size_t)n_u * sizeof *h_off);
  if (!(provides & (PC_TERM_H_Q | PC_TERM_H_U))) return;
  shake(n_q, q, &lot, scratch);
  pc_terms_add_h_q_times(terms, 1, scratch, h_off);
  shake(n_u, u, &lot, scratch);
  pc_terms_add_h_u_times(terms, 1, scratch, h_off);
  for (int i = 0; i < n_u; i++) h_off[i] = MARGIN * fabs(h_off[i]);
}
