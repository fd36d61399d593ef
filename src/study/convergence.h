/* Convergence: errors against a reference in several norms, and the order they show. */
#ifndef PC_STUDY_CONVERGENCE_H
#define PC_STUDY_CONVERGENCE_H

#include <stdio.h>

#include "study/batch.h"

/* How differences e_n at the times t_n, n = 1 .. N, become one number. |.| is the largest
 * component. */
typedef enum norm {
  NORM_MAX,     /* max_n |e_n| */
  NORM_RATTLE,  /* max over components k of dt sum_n |e_n,k|: Breuling et al. (56), p = 1 */
  NORM_LOBATTO, /* dt sum_n sum_k |e_n,k|: (74) of the Lobatto IIIA-IIIB paper */
  NORM_L1,      /* (1/N) sum_n |e_n| */
  NORM_L2,      /* sqrt((1/N) sum_n |e_n|^2) */
  NORM_COUNT
} norm;

/* "max" ...; NORM_COUNT if there is none of this name. */
norm find_norm(const char* name);
const char* norm_name(norm n);

/* What is compared. Percussions of a step are compared with the sum of those of the reference over
 * the same interval; in the `_paper` way with those of the one small step of the reference that
 * ends at the same time. */
typedef enum part {
  PART_Q,
  PART_U,
  PART_P_N,
  PART_P_F,
  PART_P_N_PAPER,
  PART_P_F_PAPER,
  PART_COUNT
} part;

const char* part_name(part p);

/* Are there any numbers of this kind? */
int has_part(const pc_system* system, part p);

/* The error of a run; both start at the same time, and the reference, which has sums of
 * percussions, lasts at least as long. Where it has no state at t_n: q is interpolated linearly, u
 * is that of its last state before, and the percussion of its step is spread evenly. What is NAN in
 * the reference is not compared. NAN: no memory, or nothing to compare. */
double measure_error(const pc_system* system, const states* run, const states* reference, norm n,
                     part p);

/* Least squares of log(error) over log(dt), errors of zero left out. The order is NAN with fewer
 * than two points; so is its standard error with fewer than three. */
typedef struct fit {
  double order;
  double spread; /* standard error of the order */
} fit;

fit fit_order(const double* dt, const double* error, int count);

enum { STEPS_MAX = 64 };

/* What was found: for each step an error of each part that is present, and the orders. */
typedef struct convergence {
  const char* title;
  norm norm;
  int count;
  double dt[STEPS_MAX];
  int present[PART_COUNT];
  double error[PART_COUNT][STEPS_MAX];
  fit fit[PART_COUNT];
} convergence;

/* As a table for people, and as one JSON object. */
void print_convergence(const convergence* c, FILE* to);
void print_convergence_json(const convergence* c, FILE* to);

#endif
