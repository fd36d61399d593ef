/* Terms of contacts that are evaluated when somebody asks for them: the inside of pc_terms_defer.
 *
 * An element that has contacts and nothing else is deferred, where derivatives of W are asked for
 * or it has a bound of its gaps: an evaluation computes its gaps and notes that W and W_q are to be
 * done, at a copy of the point. Where the element has a bound of its gaps that is beyond the reach,
 * the gaps are left as well, and y is that bound. Whose W was asked for at the point before is
 * likely to be asked again: W then comes with the gaps. */
#ifndef PC_SYSTEM_DEFERRED_H
#define PC_SYSTEM_DEFERRED_H

#include "system/system.h"
#include "system/terms.h"

typedef struct pc_deferred {
  double reach; /* [m]: gaps beyond it may be lower bounds */
  double t;     /* the point of the last evaluation */
  double* q;    /* n_q */
  double* zero; /* as many zeros as an element has velocities at most */
  double* scratch;
  size_t capacity;
  int count; /* elements that the arrays are about: all, or those that are not found */
  unsigned char* is_deferred; /* by element */
  unsigned char* left;        /* by element: a mask of what is to be done, LEFT_* */
  unsigned char* asked;       /* by element: W was asked for at the point before */
  pc_local local;             /* the element at hand, with nothing asked for between evaluations */
} pc_deferred;

enum { PC_LEFT_Y = 1, PC_LEFT_W = 2, PC_LEFT_W_Q = 4 };

/* For the elements that are there now. */
pc_status pc_deferred_fit(pc_terms* terms);
void pc_deferred_destroy(pc_deferred* deferred); /* NULL is fine */

/* Whether found contacts are deferred: where derivatives of their rows are asked for, which cost
 * ten times as much as the rows. Gaps and rows alone are soon evaluated, and most of them are
 * needed: what was found is near. */
int pc_deferred_takes_found(const pc_terms* terms);

/* An evaluation begins at this point. */
void pc_deferred_begin(pc_terms* terms, const pc_at* at);

/* The gaps of a deferred element, of which `asked` are the terms that an evaluation would fill. */
void pc_deferred_note(pc_terms* terms, int element, const pc_local* asked);

/* Evaluates what is left of an element, as far as it is in `what`. */
void pc_deferred_complete(const pc_terms* terms, int element, unsigned what);

#endif
