/* A square matrix that is a sum of small dense matrices on fixed index sets, factorised by parts.
 *
 * Mass matrices, stiffness and damping all have this form: an element couples the velocities of its
 * few parts. At creation the index sets are joined to connected components. A component is
 * factorised on its own: small ones dense (LU with partial pivoting), chains of finite elements as
 * a narrow band, other large ones sparse (KLU, whose pattern is analysed once and refactorised
 * afterwards; LDL where the matrix is known to be symmetric positive definite). None of them calls
 * BLAS: the same bits on every machine. A heap of stones, a mechanism with springs and a beam of a
 * thousand elements are the same object.
 *
 * Nothing here allocates after creation and the first factorisation. */
#ifndef PC_LINALG_ASSEMBLY_H
#define PC_LINALG_ASSEMBLY_H

#include "base/threads.h"
#include "linalg/row.h"
#include "percuss/base.h"

typedef struct pc_assembly pc_assembly;

/* One index set: the runs of indices on which a dense matrix sits, in the matrix's order. */
typedef struct pc_index_set {
  int block_count;
  const pc_block* block; /* copied */
  int is_diagonal;       /* its matrix has nothing off its diagonal */
} pc_index_set;

typedef enum pc_symmetry {
  PC_UNSYMMETRIC,
  PC_POSITIVE_DEFINITE /* symmetric; a matrix that is not positive definite is PC_SINGULAR */
} pc_symmetry;

pc_status pc_assembly_create(int n, int set_count, const pc_index_set* set, pc_symmetry symmetry,
                             pc_assembly** assembly, pc_error* error);
void pc_assembly_destroy(pc_assembly* assembly); /* NULL is fine */

/* The identity of order n, factorised. */
pc_status pc_assembly_create_identity(int n, pc_assembly** assembly, pc_error* error);

int pc_assembly_order(const pc_assembly* assembly);

/* Whether the matrix is symmetric by declaration, so that W' A^-1 W is. */
int pc_assembly_is_symmetric(const pc_assembly* assembly);

/* All entries to zero. */
void pc_assembly_clear(pc_assembly* assembly);

/* Adds scale * value, a dense matrix (row-major, order = size of the set), on index set `set`; of
 * one that is diagonal by declaration no more than the diagonal may be looked at. */
void pc_assembly_add(pc_assembly* assembly, int set, double scale, const double* value);

/* Whether there is one index set alone, which is all of a dense matrix; then the other function
 * does the same as clearing it and adding `value`. */
int pc_assembly_is_one_set(const pc_assembly* assembly);
void pc_assembly_put(pc_assembly* assembly, const double* value);

/* Factorises what has been added. PC_SINGULAR if it cannot be inverted; PC_NOT_FINITE. */
pc_status pc_assembly_factor(pc_assembly* assembly);

/* How often that has been done: while the number is the same, so are the factors. */
long pc_assembly_factor_count(const pc_assembly* assembly);

/* x := A^-1 x, n entries, with the last factorisation. */
void pc_assembly_solve(const pc_assembly* assembly, double* x);

/* The same; threads, which may be NULL, share small blocks. */
void pc_assembly_solve_by(const pc_assembly* assembly, pc_threads* threads, double* x);

/* x := A^-1 w for a block row w: only the components that w touches are computed; the rest of x
 * (n entries) is set to zero. */
void pc_assembly_solve_row(const pc_assembly* assembly, pc_row w, double* x);

/* The components, for those who keep rows by components: the one of an index, and the index's place
 * in it; how many members it has, and which; x := A_c^-1 x for one component, in its own order. */
int pc_assembly_component_count(const pc_assembly* assembly);
int pc_assembly_component_of(const pc_assembly* assembly, int index, int* place);
int pc_assembly_component_order(const pc_assembly* assembly, int component);
const int* pc_assembly_component_members(const pc_assembly* assembly, int component);
/* The entries of a component as added, row-major in its own order; NULL for large ones, and for
 * those of which the diagonal alone is kept. */
const double* pc_assembly_component_entries(const pc_assembly* assembly, int component);
const double* pc_assembly_component_diagonal(const pc_assembly* assembly, int component);
void pc_assembly_solve_component(const pc_assembly* assembly, int component, double* x);

/* The finest runs of indices of which no index set has a part only: `first` (n + 1 numbers)
 * receives where each begins, and n behind the last. Returns how many there are. */
int pc_assembly_find_groups(const pc_assembly* assembly, int* first);

/* Visits the entries as added, all that the pattern has, in an order that is always the same. */
typedef void (*pc_entry_visitor)(void* user, int i, int j, double value);
void pc_assembly_visit(const pc_assembly* assembly, pc_entry_visitor visit, void* user);

/* y += A x with the entries as added (they survive the factorisation). */
void pc_assembly_times(const pc_assembly* assembly, const double* x, double* y);

#endif
