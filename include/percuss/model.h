/// \file
/// Model files (YAML): a text becomes a frozen system and the settings of a run. In libpercuss-io.
#ifndef PERCUSS_MODEL_H
#define PERCUSS_MODEL_H

#include <stddef.h>

#include "percuss/assemble.h"
#include "percuss/scheme.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A model file that was read: a frozen system, and what the file says about a run.
typedef struct pc_model pc_model;

/// A parameter of the model file that gets another value: a number or an expression in the file's
/// other parameters.
typedef struct pc_override {
  const char* name;   ///< of a parameter in the file's `parameters:`
  const char* value;  ///< a number or an expression, as text
} pc_override;

/// Reads a model file. PC_BAD_MODEL comes with line and column; an override that names no parameter
/// of the file, or whose value is no number, is PC_BAD_ARGUMENT. On error nothing is left behind.
PC_API pc_status pc_model_read(const char* path, const pc_override* override, int override_count,
                               pc_model** model, pc_error* error);

/// The same from a text in memory.
PC_API pc_status pc_model_read_text(const char* text, size_t size, const pc_override* override,
                                    int override_count, pc_model** model, pc_error* error);

/// What a program adds to a model file: elements of its own, such as forces (pc_add_callback), on
/// the parts of the file, which pc_system_find_part knows by their names. `add` is called once,
/// when all elements of the file are in the system and before rows are numbered; its errors become
/// the reader's. It may add parts and elements, not outputs.
typedef struct pc_model_extension {
  pc_status (*add)(void* user, pc_system* system, pc_error* error);  ///< may be NULL
  void* user;                                                        ///< handed to `add`
  /// Quantities to record besides those of the file, or parts with all of theirs. Some exist only
  /// if they are asked for: coordinates and loads of joints, accelerations and forces
  /// (pc_add_force_output). Names that mean nothing are left out.
  const char* const* record;
  int record_count;  ///< number of names in `record`
} pc_model_extension;

/// The same two with an extension, which may be NULL and is not kept.
PC_API pc_status pc_model_read_extended(const char* path, const pc_override* override,
                                        int override_count, const pc_model_extension* extension,
                                        pc_model** model, pc_error* error);
/// The same from a text in memory.
PC_API pc_status pc_model_read_text_extended(const char* text, size_t size,
                                             const pc_override* override, int override_count,
                                             const pc_model_extension* extension, pc_model** model,
                                             pc_error* error);
/// Releases a model with its system; NULL is fine.
PC_API void pc_model_destroy(pc_model* model);

/// Frozen; lives as long as the model.
PC_API const pc_system* pc_model_system(const pc_model* model);

/// The `title:` of the file, or "".
PC_API const char* pc_model_title(const pc_model* model);

/// The file as it was read.
PC_API const char* pc_model_text(const pc_model* model);

/// The scheme of the `simulate:` section, NULL if it names none.
PC_API const char* pc_model_scheme(const pc_model* model);
/// The settings of the `simulate:` section; those it does not name have their defaults.
PC_API pc_scheme_settings pc_model_settings(const pc_model* model);
/// The end time of the `simulate:` section [s], NAN if it names none.
PC_API double pc_model_until(const pc_model* model);

/// The quantities to record: those of `record:`, or all. `count` may be NULL.
PC_API const int* pc_model_record(const pc_model* model, int* count);

/// The exact motion that the file's `exact:` gives: the value of a quantity at time t [s]; of a
/// percussion its sum from the start to t. Returns 0 if the file says nothing about this quantity.
PC_API int pc_model_exact(const pc_model* model, int quantity, double t, double* value);

/// Where `assemble: true` has changed the initial values: those of the file, as long as q and u of
/// the system. Returns 0, and leaves both alone, where it was not asked for.
PC_API int pc_model_rough_start(const pc_model* model, const double** q, const double** u);

/// What the assembly of a model with `assemble: true` has found; NULL for others. It belongs to the
/// model.
PC_API const pc_assemble_report* pc_model_assembly(const pc_model* model);

/// \name What the file's `draw:` says is to be drawn: shapes whose points are formulas
/// @{

/// What `draw:` knows.
typedef enum pc_drawing_kind {
  PC_DRAWING_POINT,
  PC_DRAWING_LINE,
  PC_DRAWING_CIRCLE,
  PC_DRAWING_POLYGON
} pc_drawing_kind;

/// An entry of `draw:`.
typedef struct pc_drawing {
  const char* name;      ///< lives as long as the model
  pc_drawing_kind kind;  ///< what is drawn
  int point_count;       ///< corners of a line or polygon; 1 for a point or circle
  int contact;           ///< the contact whose impulse acts at the point, or -1
  int has_normal;        ///< not 0: the file gives the direction of its normal impulse
} pc_drawing;

/// How many entries `draw:` has.
PC_API int pc_model_drawing_count(const pc_model* model);
/// One of them, from 0.
PC_API pc_drawing pc_model_drawing(const pc_model* model, int drawing);

/// Where a drawing is at time t and coordinates q: three numbers for each of its points [m]; the
/// radius of a circle [m] and the direction of a contact's normal impulse, both of which may be
/// NULL.
PC_API void pc_model_draw(const pc_model* model, int drawing, double t, const double* q,
                          double* position, double* radius, double normal[3]);
/// @}

/// The parameters of the file with their values after overriding. NULL past the last.
PC_API const char* pc_model_parameter(const pc_model* model, int index, double* value);

/// The value of an expression in the parameters of the file. PC_BAD_ARGUMENT tells what is wrong
/// with it.
PC_API pc_status pc_model_evaluate(const pc_model* model, const char* expression, double* value,
                                   pc_error* error);

/// An element kind of the model file: "joints", "revolute", and a line about it.
typedef struct pc_element_kind {
  const char* section;  ///< of the model file: "bodies", "joints", "contacts" ...
  const char* name;     ///< of the kind there: "revolute"
  const char* help;     ///< one line
} pc_element_kind;

/// A key of an element.
typedef struct pc_element_key {
  const char* key;       ///< as written in the file; "plane.normal" within a group
  const char* type;      ///< "number [kg]", "point of a part" ...
  const char* presence;  ///< "required" or the default as a text
  const char* help;      ///< one line
} pc_element_key;

/// A kind of element by its number, from 0; NULL past the last.
PC_API const pc_element_kind* pc_model_element_kind(int index);
/// Key number `index` of a kind, from 0; returns 0 past the last.
PC_API int pc_model_element_key(int kind, int index, pc_element_key* key);

#ifdef __cplusplus
}
#endif
#endif
