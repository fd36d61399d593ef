/// \file
/// Reading result files (HDF5) and handing their numbers on: CSV, VTK. In libpercuss-io.
///
/// A result is a table: a row per recorded state, a series per column. All named columns of the
/// file are series, whether the model's `record:` names them or not (coordinates, velocities and
/// percussions are always in the file), and so are `time`, `energy.kinetic`, `energy.potential`,
/// their sum `energy.total`, and `iterations.<phase>`.
#ifndef PERCUSS_RESULT_H
#define PERCUSS_RESULT_H

#include <stdio.h>

#include "percuss/simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A result file that is open for reading.
typedef struct pc_result pc_result;

/// Opens a result file for reading; to be closed by the caller. The file of a run that was killed
/// holds the rows up to the last flush. PC_BAD_MODEL, with the file and the reason, if it is
/// missing, is no result of percuss, is one of another format version, or is damaged.
PC_API pc_status pc_result_open(const char* path, pc_result** result, pc_error* error);

/// NULL is fine.
PC_API void pc_result_close(pc_result* result);

/// \name What is in it; all texts live as long as the result
/// @{

/// As it was given to pc_result_open.
PC_API const char* pc_result_path(const pc_result* result);
PC_API const char* pc_result_model(const pc_result* result);    ///< text of the model file, or ""
PC_API const char* pc_result_options(const pc_result* result);  ///< options of the run, or ""
PC_API long pc_result_length(const pc_result* result);          ///< rows; the length of each series
/// Where only every N-th row is wanted (0, N, 2 N, ... and the last one, so that the end of a run
/// is never lost): the first of these from `row` on, or the number of rows where there is none.
/// N that is not positive and rows that are negative give the number of rows, too.
PC_API long pc_result_every(const pc_result* result, long every, long row);
/// @}

/// A column of the table.
typedef struct pc_series {
  const char* name;  ///< "time", "crank.angle", "floor.gap"
  const char* unit;  ///< "" where none is known
  int recorded;      ///< not 0: the model asked for it, by `record:` or by default
} pc_series;

/// Series 0 is `time`. The order is that of the model: coordinates, velocities, contacts,
/// constraints, energies, iterations.
PC_API int pc_result_series_count(const pc_result* result);
/// A series by its number, from 0.
PC_API pc_series pc_result_series(const pc_result* result, int series);

/// The index of a series, or -1.
PC_API int pc_result_find(const pc_result* result, const char* name);

/// Reads `count` numbers of a series, from row `first` (from 0) on.
PC_API pc_status pc_result_read(const pc_result* result, int series, long first, long count,
                                double* values, pc_error* error);

/// How many columns a table of the file has, or -1: it is not there, as `contacts/gap` where the
/// model's `record:` names no gap.
PC_API int pc_result_table_width(const pc_result* result, const char* table);

/// Reads whole rows of a table of the file, "q", "u", "contacts/gap", "contacts/P_N",
/// "contacts/P_F" ... (docs/results.md lists them): `count` rows of `width` numbers, from row
/// `first` on. PC_BAD_MODEL if the table does not have `width` columns. This is the quick way where
/// there are many columns.
PC_API pc_status pc_result_read_table(const pc_result* result, const char* table, long first,
                                      long count, int width, double* values, pc_error* error);

/// \name Contacts and impacts
/// @{

/// Contacts of the model; those between shapes do not count.
PC_API int pc_result_contact_count(const pc_result* result);
/// The name of a contact of the model, from 0.
PC_API const char* pc_result_contact(const pc_result* result, int contact);

/// Normal percussions [N s] of all contacts, `count` rows of pc_result_contact_count numbers.
PC_API pc_status pc_result_read_P_N(const pc_result* result, long first, long count, double* P_N,
                                    pc_error* error);

/// A contact that closes: its percussion is positive in this row and was zero in the row before.
typedef struct pc_impact {
  long row;      ///< in which it closes
  int contact;   ///< of the model, or PC_FOUND: between shapes, with what follows
  int shape[2];  ///< numbers of the two shapes (pc_result_get_shape)
  long found;    ///< which of the contacts between shapes of the file: pc_result_read_found
  double P_N;    ///< [N s]
} pc_impact;

/// All of them, by rows; `*impact` is the caller's to free().
PC_API pc_status pc_result_impacts(const pc_result* result, pc_impact** impact, int* count,
                                   pc_error* error);
/// @}

/// Where the energy went from row first - 1 to row first + count - 1 [J], as of a run (pc_balance;
/// `supply` is not in a file and 0). `first` is 1 or more.
PC_API pc_status pc_result_balance(const pc_result* result, long first, long count,
                                   pc_balance* balance, pc_error* error);

/// \name Events
/// Contacts that began or ceased to carry a percussion in any step, recorded or not.
/// @{

/// How many events the file has.
PC_API pc_status pc_result_event_count(const pc_result* result, long* count, pc_error* error);
/// Reads `count` events from number `first` (from 0) on, in the order in which they occurred.
PC_API pc_status pc_result_read_events(const pc_result* result, long first, long count,
                                       pc_event* event, pc_error* error);
/// @}

/// \name Contacts between shapes
/// They come and go: each row has any number of them. All of them stand in one list.
/// @{

/// A shape of the model.
typedef struct pc_result_shape {
  const char* name;  ///< of the shape in the model
  const char* body;  ///< or "ground"
} pc_result_shape;

/// The shapes of the model, by which keys refer to them; 0 if it has none.
PC_API int pc_result_shape_count(const pc_result* result);
/// A shape by its number, from 0.
PC_API pc_result_shape pc_result_get_shape(const pc_result* result, int shape);

/// Where in the list the contacts of `count` rows from `first` on are: those of row first + k from
/// offset[k] to offset[k + 1] - 1. There are count + 1 numbers.
PC_API pc_status pc_result_found_offsets(const pc_result* result, long first, long count,
                                         long* offset, pc_error* error);

/// Reads `count` contacts of the list, from number `first` on. Velocities are NAN: events have
/// them.
PC_API pc_status pc_result_read_found(const pc_result* result, long first, long count,
                                      pc_shape_contact* contact, pc_error* error);

/// Writes them as comma-separated columns, a line for each contact of each N-th row and of the last
/// one: time, shapes, bodies, features, P_N, P [N s], spin, point, normal, gap.
PC_API pc_status pc_result_write_found_csv(const pc_result* result, long every, FILE* to,
                                           pc_error* error);
/// @}

/// \name Export
/// @{

/// Writes series as comma-separated columns under a header line `name [unit],...`, each N-th row
/// (`every`) and the last one, numbers with 17 significant digits: reading them gives back the same
/// bits.
PC_API pc_status pc_result_write_csv(const pc_result* result, const int* series, int series_count,
                                     long every, FILE* to, pc_error* error);

/// Writes the bodies for ParaView into a directory, which is made if there is none: one `.vtp` per
/// N-th row (and the last one) with a point per body, and `bodies.pvd`, which lists them with their
/// times. Files that are there already are replaced only when all new ones have been written.
/// `go_on` is asked before each file, unless it is NULL; where it returns 0, nothing is left behind
/// and PC_STOPPED returned.
PC_API pc_status pc_result_write_vtk(const pc_result* result, const char* directory, long every,
                                     int (*go_on)(void* user), void* user, pc_error* error);
/// @}

#ifdef __cplusplus
}
#endif
#endif
