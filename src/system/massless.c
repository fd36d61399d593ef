/* Which velocity has no mass: the pivots of M, body by body. For messages. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "system/system.h"
#include "system/terms.h"

/* Velocities of one body that are looked at: 8 MB. */
enum { BODY_MAX = 1000 };

static const char* velocity_name(const pc_system* s, int index)
{
  for (int i = 0; i < s->quantity.count; i++) {
    pc_quantity q = pc_system_quantity(s, i);
    if (q.kind == PC_QUANTITY_U && q.index == index) return q.name;
  }
  for (int i = 0; i < s->part_count; i++) /* a node, whose quantities are those of its beam */
    if (index >= s->part[i].u_first && index < s->part[i].u_first + s->part[i].u_count)
      return s->part[i].name;
  return "";
}

/* Cholesky's factorisation as far as it goes, M = L L': the index of the first pivot that is not
 * positive, but for round-off, or n. */
static int first_bad_pivot(int n, double* M, double* pivot)
{
  for (int i = 0; i < n; i++) {
    double *row = M + (size_t)i * (size_t)n, diagonal = row[i];
    for (int j = 0; j < i; j++) {
      const double* above = M + (size_t)j * (size_t)n;
      for (int k = 0; k < j; k++) row[j] -= row[k] * above[k];
      row[j] /= above[j];
      row[i] -= row[j] * row[j];
    }
    *pivot = fabs(row[i]) <= n * DBL_EPSILON * fabs(diagonal) ? 0 : row[i];
    if (!(*pivot > 0)) return i;
    row[i] = sqrt(row[i]);
  }
  return n;
}

/* Looks at the body with the `n` velocities from `first` on. */
static int look_at_body(const pc_terms* t, int first, int n, double* M, char* what, size_t size)
{
  for (int i = 0; i < n * n; i++) M[i] = 0;
  pc_terms_add_M_of_body(t, first, n, M);
  for (int i = 0; i < n; i++)
    if (M[i * n + i] == 0)
      return snprintf(what, size, "%s has no mass", velocity_name(t->system, first + i)), 1;
  double pivot = 0;
  int bad = first_bad_pivot(n, M, &pivot);
  if (bad == n || !isfinite(pivot)) return 0;
  snprintf(what, size, "a motion with %s has %s kinetic energy",
           velocity_name(t->system, first + bad), pivot < 0 ? "negative" : "no");
  return 1;
}

int pc_find_massless(const pc_terms* t, char* what, size_t size)
{
  snprintf(what, size, "something that moves has no mass");
  int n_u = t->system->u_count, found = 0, largest = 0;
  int* first = pc_alloc((size_t)n_u + 1, sizeof *first);
  int bodies = first ? pc_system_find_bodies(t->system, first) : 0;
  for (int b = 0; b < bodies; b++) {
    int n = first[b + 1] - first[b];
    if (n > largest && n <= BODY_MAX) largest = n;
  }
  double* M = pc_alloc((size_t)largest * (size_t)largest, sizeof *M);
  for (int b = 0; M && b < bodies && !found; b++) {
    int n = first[b + 1] - first[b];
    if (n <= BODY_MAX) found = look_at_body(t, first[b], n, M, what, size);
  }
  free(M);
  free(first);
  return found;
}
