/// \file
/// Status codes and errors: the one way in which percuss says that something is wrong.
///
/// Three channels never mix. A `pc_status` tells what a caller or a file did wrong, or that a run
/// had to end; a `pc_error` carries the text for the person at the terminal. How a numerical
/// iteration ended is a plain field of an info structure. Bugs of percuss itself are asserts.
///
/// Of every public function: a pointer that is needed and NULL gives PC_BAD_ARGUMENT, or does
/// nothing where there is no status; an index that is out of range gives PC_BAD_ARGUMENT, or 0,
/// NULL, NAN, a structure of zeros.
#ifndef PERCUSS_BASE_H
#define PERCUSS_BASE_H

/// Marks what the shared library exports.
#if defined(_WIN32)
#define PC_API
#else
#define PC_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended.
typedef enum pc_status {
  PC_OK = 0,
  PC_OUT_OF_MEMORY,  ///< an allocation failed
  PC_BAD_ARGUMENT,   ///< a value or a name handed to a function is not allowed
  PC_BAD_MODEL,      ///< a model (file or definition) does not make sense
  PC_NOT_CONVERGED,  ///< a step could not be solved to its tolerance
  PC_NOT_FINITE,     ///< an infinite number or a NaN appeared
  PC_SINGULAR,       ///< a matrix that has to be inverted is singular
  PC_CANNOT_WRITE,   ///< an output file could not be written
  PC_STOPPED,        ///< an observer asked the run to stop
  PC_UNSTABLE        ///< the scheme makes energy without end: dt is too long for it
} pc_status;

/// What went wrong, for a person to read. `line` and `column` count from 1 and are 0 where no file
/// is concerned. Every function that takes a `pc_error*` accepts NULL.
typedef struct pc_error {
  pc_status status;  ///< the same as the call returned
  int line;          ///< of the model file
  int column;        ///< within the line
  char text[512];    ///< what went wrong and where, for a person
} pc_error;

/// What a warning is about.
typedef enum pc_warning_kind {
  PC_WARNING_MODEL,      ///< something unusual in the model
  PC_WARNING_START,      ///< initial values that violate a joint or a contact
  PC_WARNING_REDUNDANT,  ///< joints whose forces are not unique
  PC_WARNING_DT,         ///< a step that is too large
  PC_WARNING_RESULT      ///< a result that is not to be trusted
} pc_warning_kind;

/// A remark on a model or a run, and what to do about it.
typedef struct pc_warning {
  pc_warning_kind kind;  ///< what it is about
  char text[256];        ///< what is unusual
  char remedy[256];      ///< what to do about it
} pc_warning;

/// A few words for a status, never NULL.
PC_API const char* pc_status_text(pc_status status);

/// The version of the library at run time: major * 10000 + minor * 100 + patch.
PC_API int pc_version(void);

/// The same as text, such as "0.1.0".
PC_API const char* pc_version_text(void);

/// Letters to insert, remove, replace or swap to make one name of the other, for "did you mean";
/// capitals do not count. 99 for names of more than 63 letters.
PC_API int pc_edit_distance(const char* a, const char* b);

#ifdef __cplusplus
}
#endif
#endif
