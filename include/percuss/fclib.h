/// \file Friction-contact problems in files of FCLib, the frictional contact library (HDF5). In
/// libpercuss-io.
///
/// A file holds one of two forms, whose matrices are stored by compressed rows or columns, as
/// triplets or whole:
///
///     local    u = W r + V l + q,  V' r + R l + s = 0,  r and u obey the laws of contact
///     global   M v = H r + G l + f,  u = H' v + w,  G' v + b = 0
///
/// Each contact has `spacedim` rows (2 or 3), the normal first. As a pc_problem the local form has
/// the contacts first and then the equalities l, the global form the velocities v, the contacts,
/// the equalities.
#ifndef PERCUSS_FCLIB_H
#define PERCUSS_FCLIB_H

#include <stdio.h>

#include "percuss/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A problem that was read.
typedef struct pc_fclib pc_fclib;

/// Reads a problem; to be freed by the caller. PC_BAD_MODEL, with the file and the reason, if it is
/// missing, holds no problem, or one whose parts do not fit together or are not finite.
PC_API pc_status pc_fclib_read(const char* path, pc_fclib** problem, pc_error* error);
PC_API void pc_fclib_free(pc_fclib* problem);  ///< NULL is fine

/// The problem, for as long as the file is not freed.
PC_API const pc_problem* pc_fclib_problem(const pc_fclib* problem);

/// The dataset `/guess` of the file, not part of FCLib: one number for each row of the problem, for
/// a solver to begin with. NULL if there is none. It lives as long as the problem.
PC_API const double* pc_fclib_guess(const pc_fclib* problem);

/// Form and sizes.
typedef struct pc_fclib_about {
  int is_global;       ///< not 0: the global form, with the velocities v
  int contact_count;   ///< number of contacts
  int dimension;       ///< of friction: 1 or 2
  int velocity_count;  ///< rows of v, 0 in the local form
  int equality_count;  ///< rows of l
  const char* title;   ///< "" if there is none
} pc_fclib_about;

/// Form and sizes of a problem.
PC_API pc_fclib_about pc_fclib_describe(const pc_fclib* problem);

/// Writes the problem with a solution (groups `solution/r`, `u`, and `v`, `l` where they exist) as
/// a file of FCLib. PC_CANNOT_WRITE; PC_BAD_MODEL if the file that was read is not there any more.
PC_API pc_status pc_fclib_write_solution(const pc_fclib* problem, const double* z, FILE* to,
                                         pc_error* error);

#ifdef __cplusplus
}
#endif
#endif
