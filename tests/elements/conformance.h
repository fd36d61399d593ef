/* What every element must fulfil: its derivatives are those of its terms. */
#ifndef PC_TESTS_CONFORMANCE_H
#define PC_TESTS_CONFORMANCE_H

#include "percuss/elements.h"

typedef struct conformance {
  double spread;         /* of the random coordinates about the initial ones */
  double tolerance;      /* of terms up to size 1; relative above */
  double step;           /* of the differences */
  double rate_tolerance; /* the same for slopes of h in momentum form; 0: no other */
  int applied;           /* not 0: there are forces without a potential */
} conformance;

conformance default_conformance(void);

/* Freezes the system and compares, at random points, all its terms with differences of the terms
 * they are derivatives of. Fails the test that calls it where they disagree. */
void check_conformance(pc_system* system, conformance options);

#endif
