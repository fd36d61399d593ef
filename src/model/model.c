#include "percuss/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/drawing.h"
#include "model/exact.h"
#include "model/outputs.h"
#include "model/run.h"
#include "model/sections.h"
#include "model/shapes.h"
#include "percuss/assemble.h"
#include "system/system.h"
#include "text/include.h"
#include "text/repeat.h"

struct pc_model {
  char* text;
  char* whole_text; /* with copies of the files that it names */
  pc_files files;
  pc_node* root; /* names of parameters and the title live here */
  pc_repetitions repetitions;
  pc_tables tables;
  const char* title;
  pc_parameters parameters;
  pc_system* system;
  pc_run_def run;
  pc_exact exact;
  double *rough_q, *rough_u; /* initial values before assembly; NULL: none was asked for */
  pc_assemble_report assembly;
  pc_drawings drawings;
  const pc_model_extension* extension; /* while the file is read; may be NULL */
};

/* --- the sections, from top to bottom ------------------------------------------------------- */

#define SECTION(key, about, otherwise, help)                    \
  {                                                             \
    key, PC_FIELD_WORD, 0, PC_ANY, about, otherwise, help, NULL \
  }

static const pc_field sections[] = {
    SECTION("percuss", "1", NULL, "version of the file format; expected 'percuss: 1'"),
    SECTION("title", "text", "none", "what the model is"),
    SECTION("include", "name or list", "none", "other model files that are a part of this one"),
    SECTION("parameters", "mapping", "none", "named numbers"),
    SECTION("tables", "mapping", "none", "rows of numbers"),
    SECTION("space", "word", "planar", "line, planar or spatial"),
    SECTION("gravity", "vector", "zero", "acceleration"),
    SECTION("materials", "mapping", "none", "what shapes are made of"),
    SECTION("bodies", "mapping", "none", "what moves"),
    SECTION("shapes", "mapping", "none", "what bodies may hit, found without contacts"),
    SECTION("points", "mapping", "none", "points of bodies with a name"),
    SECTION("joints", "list or mapping", "none", "what ties bodies together"),
    SECTION("forces", "list or mapping", "none", "what drives them"),
    SECTION("drives", "mapping", "none", "what moves as prescribed, and motors"),
    SECTION("limits", "mapping", "none", "stops of joints"),
    SECTION("contacts", "mapping", "none", "what they may hit"),
    SECTION("coordinates", "mapping", "none", "coordinates of formulas"),
    SECTION("kinetic", "formula", "none", "kinetic energy"),
    SECTION("potential", "formula", "none", "potential energy"),
    SECTION("constraints", "mapping", "none", "formulas that stay zero"),
    SECTION("assemble", "true or false", "false",
            "whether the start is made to fit joints, drives and contacts"),
    SECTION("simulate", "mapping", "none", "how to run it"),
    SECTION("record", "list or mapping", "everything", "what to record"),
    SECTION("exact", "mapping", "none", "the exact motion"),
    SECTION("draw", "mapping", "none", "what to draw where formulas have no geometry"),
    {NULL, PC_FIELD_WORD, 0, PC_ANY, NULL, NULL, NULL, NULL}};

/* The value of a section, or NULL. */
static const pc_node* section(const pc_model* m, const char* key)
{
  const pc_node* found = pc_node_key(m->root, key);
  return found ? found->value : NULL;
}

static int is_text(const pc_node* node, const char* text)
{
  return node->kind == PC_NODE_SCALAR && strcmp(node->text, text) == 0;
}

static pc_status check_sections(const pc_model* m, const pc_reader* r)
{
  if (m->root->kind != PC_NODE_MAPPING)
    return pc_fail_at(r->error, m->root,
                      "expected a mapping of sections that begins with 'percuss: 1', found %s",
                      pc_node_describe(m->root));
  PC_TRY(pc_check_keys(r, sections, m->root, "model"));
  const pc_node* version = section(m, "percuss");
  if (!version)
    return pc_fail_at(r->error, m->root, "'percuss: 1' is missing, the version of the file format");
  if (!is_text(version, "1"))
    return pc_fail_at(r->error, version, "expected version 1 of the file format, found %s%.20s",
                      version->kind == PC_NODE_SCALAR ? "" : pc_node_describe(version),
                      version->kind == PC_NODE_SCALAR ? version->text : "");
  return PC_OK;
}

static pc_status read_title(pc_model* m, const pc_reader* r)
{
  const pc_node* title = section(m, "title");
  if (!title) return PC_OK;
  if (title->kind != PC_NODE_SCALAR)
    return pc_fail_at(r->error, title, "title: expected a text, found %s", pc_node_describe(title));
  m->title = title->text;
  return PC_OK;
}

static pc_status read_space(const pc_model* m, pc_reader* r)
{
  static const char* const space[] = {"", "line", "planar", "spatial"};
  const pc_node* node = section(m, "space");
  r->dimension = 2;
  if (!node) return PC_OK;
  for (int d = 1; d <= 3; d++)
    if (is_text(node, space[d])) {
      r->dimension = d;
      return PC_OK;
    }
  pc_suggestion names;
  pc_suggest_begin(&names, node->kind == PC_NODE_SCALAR ? node->text : "");
  for (int d = 1; d <= 3; d++) pc_suggest_add(&names, space[d]);
  return pc_fail_at(r->error, node, "space: unknown%s", pc_suggest_text(&names, "expected"));
}

static pc_status create_system(pc_model* m, pc_reader* r)
{
  PC_TRY(read_space(m, r));
  pc_system_def def = pc_default_system_def();
  def.dimension = r->dimension;
  const pc_node* gravity = section(m, "gravity");
  if (gravity && pc_read_vector(r, gravity, def.gravity) != PC_OK) {
    pc_prefix_error(r->error, "gravity: ");
    return r->error->status;
  }
  PC_TRY(pc_place_error(r->error, gravity ? gravity : m->root,
                        pc_system_create(&def, &m->system, r->error)));
  r->system = m->system;
  return PC_OK;
}

/* What the program adds to the file's elements. */
static pc_status extend_system(const pc_model* m, const pc_reader* r)
{
  const pc_model_extension* x = m->extension;
  if (!x || !x->add) return PC_OK;
  return x->add(x->user, m->system, r->error); /* whose errors have no place in the file */
}

static pc_status read_system(pc_model* m, pc_reader* r)
{
  PC_TRY(create_system(m, r));
  r->shapes.files = &m->files;
  PC_TRY(pc_read_materials(r, section(m, "materials")));
  PC_TRY(pc_read_bodies(r, section(m, "bodies")));
  PC_TRY(pc_read_shapes(r, section(m, "shapes")));
  PC_TRY(pc_check_groups(r));
  PC_TRY(pc_read_coordinates(r, section(m, "coordinates")));
  PC_TRY(pc_list_outputs(r, section(m, "record")));
  PC_TRY(pc_read_points(r, section(m, "points")));
  PC_TRY(pc_read_joints(r, section(m, "joints")));
  PC_TRY(pc_read_forces(r, section(m, "forces")));
  PC_TRY(pc_read_drives(r, "drives", "drive", section(m, "drives")));
  PC_TRY(pc_read_drives(r, "limits", "limit", section(m, "limits")));
  PC_TRY(pc_read_contacts(r, section(m, "contacts")));
  pc_formula_sections formulas = {section(m, "kinetic"), section(m, "potential"),
                                  section(m, "forces"), section(m, "constraints"),
                                  section(m, "contacts")};
  PC_TRY(pc_read_formulas(r, &formulas));
  PC_TRY(pc_check_claims(r));
  PC_TRY(extend_system(m, r));
  PC_TRY(pc_place_error(r->error, m->root, pc_system_close_rows(m->system, r->error)));
  return pc_add_outputs(r);
}

/* The system starts where the assembly has led. */
static pc_status assemble(pc_model* m, const pc_reader* r)
{
  const pc_node* wanted = section(m, "assemble");
  if (!wanted || is_text(wanted, "false")) return PC_OK;
  if (!is_text(wanted, "true"))
    return pc_fail_at(r->error, wanted, "assemble: expected true or false");
  PC_TRY(pc_place_error(r->error, wanted, pc_assemble(m->system, &m->assembly, r->error)));
  size_t n_q = (size_t)pc_system_q_count(m->system), n_u = (size_t)pc_system_u_count(m->system);
  m->rough_q = pc_alloc(n_q, sizeof *m->rough_q);
  m->rough_u = pc_alloc(n_u, sizeof *m->rough_u);
  if (m->rough_q && m->rough_u) {
    memcpy(m->rough_q, pc_system_q0(m->system), n_q * sizeof *m->rough_q);
    memcpy(m->rough_u, pc_system_u0(m->system), n_u * sizeof *m->rough_u);
    pc_system_set_start(m->system, m->assembly.q, m->assembly.u);
  }
  return m->rough_q && m->rough_u ? PC_OK : pc_no_memory(r->error);
}

static pc_status read_sections(pc_model* m, pc_reader* r)
{
  PC_TRY(read_system(m, r));
  PC_TRY(pc_read_simulate(r, section(m, "simulate"), &m->run));
  PC_TRY(pc_read_record(r, section(m, "record"), m->extension, &m->run));
  PC_TRY(pc_place_error(r->error, m->root, pc_system_freeze(m->system, r->error)));
  PC_TRY(assemble(m, r));
  PC_TRY(pc_read_exact(r, section(m, "exact"), &m->exact));
  return pc_read_drawings(r, section(m, "draw"), &m->drawings);
}

static pc_status read_model(pc_model* m, pc_reader* r, const pc_override* override,
                            int override_count)
{
  PC_TRY(pc_include(m->root, &m->files, r->error));
  PC_TRY(check_sections(m, r));
  PC_TRY(read_title(m, r));
  PC_TRY(pc_parameters_read(&m->parameters, section(m, "parameters"), override, override_count,
                            r->error));
  r->parameters = &m->parameters;
  r->scope = pc_parameters_scope(&m->parameters);
  PC_TRY(pc_tables_read(&m->tables, section(m, "tables"), &r->scope, &m->files, r->error));
  pc_scope tables = pc_tables_scope(&m->tables);
  r->scope.outer = &tables;
  PC_TRY(pc_repeat(&m->repetitions, m->root, &r->scope, &m->tables, r->error));
  pc_status status = read_sections(m, r);
  r->scope.outer = NULL;
  return status;
}
/* --- a text, a file ------------------------------------------------------------------------- */

/* Bodies and contacts, of which there may be many, are in the system now: nothing of the model
 * refers to their text. */
static void release_sections(pc_model* m)
{
  for (pc_node* key = m->root->first; key; key = key->next) {
    if (strcmp(key->text, "bodies") != 0 && strcmp(key->text, "contacts") != 0) continue;
    pc_tree_destroy(key->value);
    key->value = NULL;
  }
  pc_repetitions_release(&m->repetitions, m->root);
}

/* An error is one line of text, whatever the file held. */
static void tidy(pc_error* error)
{
  for (char* c = error->text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
}

/* `text` becomes the model's. Without a path the model reads no files. */
static pc_status read_owned(const char* path, char* text, size_t size, const pc_override* override,
                            int override_count, const pc_model_extension* extension,
                            pc_model** model, pc_error* error)
{
  pc_error own = {0};
  pc_model* m = pc_alloc(1, sizeof *m);
  if (!m) {
    free(text);
    return pc_no_memory(error);
  }
  m->text = text;
  m->extension = extension;
  m->title = "";
  m->run.settings = pc_default_scheme_settings();
  m->run.until = NAN;
  pc_reader r = {.error = &own};
  m->files.text = text;
  pc_status status = path ? pc_files_begin(&m->files, path, &own) : PC_OK;
  if (status == PC_OK) status = pc_tree_read(text, size, &m->root, &own);
  if (status == PC_OK) status = read_model(m, &r, override, override_count);
  pc_reader_clear(&r);
  m->extension = NULL;
  if (status == PC_OK && !(m->whole_text = pc_files_attach(&m->files, text)))
    status = pc_no_memory(&own);
  if (status == PC_OK) {
    release_sections(m);
    *model = m;
    return PC_OK;
  }
  pc_model_destroy(m);
  tidy(&own);
  if (error) *error = own;
  return status;
}

pc_status pc_model_read_text_extended(const char* text, size_t size, const pc_override* override,
                                      int override_count, const pc_model_extension* extension,
                                      pc_model** model, pc_error* error)
{
  PC_TRY(pc_need(text, "text", error));
  PC_TRY(pc_need(model, "model", error));
  *model = NULL;
  if (size > PC_TREE_SIZE_MAX)
    return pc_fail(error, PC_BAD_MODEL, "the model is larger than %d MiB", PC_TREE_SIZE_MAX >> 20);
  char* copy = pc_alloc(size + 1, 1);
  if (!copy) return pc_no_memory(error);
  if (size) memcpy(copy, text, size);
  return read_owned(NULL, copy, size, override, override_count, extension, model, error);
}

pc_status pc_model_read_text(const char* text, size_t size, const pc_override* override,
                             int override_count, pc_model** model, pc_error* error)
{
  PC_TRY(pc_need(text, "text", error));
  PC_TRY(pc_need(model, "model", error));
  return pc_model_read_text_extended(text, size, override, override_count, NULL, model, error);
}

pc_status pc_model_read_extended(const char* path, const pc_override* override, int override_count,
                                 const pc_model_extension* extension, pc_model** model,
                                 pc_error* error)
{
  PC_TRY(pc_need(model, "model", error));
  *model = NULL;
  if (error) *error = (pc_error){0};
  char* text = NULL;
  size_t size = 0;
  PC_TRY(pc_read_whole_file(path, &text, &size, error));
  return read_owned(path, text, size, override, override_count, extension, model, error);
}

pc_status pc_model_read(const char* path, const pc_override* override, int override_count,
                        pc_model** model, pc_error* error)
{
  PC_TRY(pc_need(model, "model", error));
  return pc_model_read_extended(path, override, override_count, NULL, model, error);
}

void pc_model_destroy(pc_model* model)
{
  if (!model) return;
  pc_system_destroy(model->system);
  pc_parameters_clear(&model->parameters);
  pc_tree_destroy(model->root);
  free(model->run.record);
  pc_exact_clear(&model->exact);
  pc_drawings_clear(&model->drawings);
  pc_repetitions_clear(&model->repetitions);
  pc_tables_clear(&model->tables);
  pc_files_clear(&model->files);
  free(model->text);
  free(model->rough_q);
  free(model->rough_u);
  pc_assemble_free(&model->assembly);
  free(model->whole_text);
  free(model);
}

/* --- what a model holds --------------------------------------------------------------------- */

const pc_system* pc_model_system(const pc_model* model)
{
  if (!model) return NULL;
  return model->system;
}

const char* pc_model_title(const pc_model* model)
{
  if (!model) return NULL;
  return model->title;
}

const char* pc_model_text(const pc_model* model)
{
  if (!model) return NULL;
  return model->whole_text;
}

const char* pc_model_scheme(const pc_model* model)
{
  if (!model) return NULL;
  return model->run.scheme;
}

pc_scheme_settings pc_model_settings(const pc_model* model)
{
  if (!model) return (pc_scheme_settings){0};
  return model->run.settings;
}

double pc_model_until(const pc_model* model)
{
  if (!model) return NAN;
  return model->run.until;
}

pc_status pc_model_evaluate(const pc_model* model, const char* expression, double* value,
                            pc_error* error)
{
  PC_TRY(pc_need(model, "model", error));
  PC_TRY(pc_need(expression, "expression", error));
  PC_TRY(pc_need(value, "value", error));
  pc_error own = {0};
  pc_scope scope = pc_parameters_scope(&model->parameters);
  if (pc_number_of_text(&scope, expression, value, &own) == PC_OK) return PC_OK;
  return pc_fail(error, PC_BAD_ARGUMENT, "'%s': %s", expression, own.text);
}

const int* pc_model_record(const pc_model* model, int* count)
{
  if (!model) return NULL;
  if (count) *count = model->run.record_count;
  return model->run.record;
}

int pc_model_exact(const pc_model* model, int quantity, double t, double* value)
{
  if (!model) return 0;
  return pc_exact_value(&model->exact, quantity, t, value);
}

const pc_assemble_report* pc_model_assembly(const pc_model* model)
{
  if (!model) return NULL;
  return model->rough_q ? &model->assembly : NULL;
}

int pc_model_rough_start(const pc_model* model, const double** q, const double** u)
{
  if (!model) return 0;
  if (!model->rough_q) return 0;
  *q = model->rough_q;
  *u = model->rough_u;
  return 1;
}

const char* pc_model_parameter(const pc_model* model, int index, double* value)
{
  if (!model) return NULL;
  if (index < 0 || index >= model->parameters.count) return NULL;
  if (value) *value = model->parameters.item[index].value;
  return model->parameters.item[index].name;
}

/* --- drawings ------------------------------------------------------------------------------- */

int pc_model_drawing_count(const pc_model* model)
{
  if (!model) return 0;
  return model->drawings.count;
}

pc_drawing pc_model_drawing(const pc_model* model, int drawing)
{
  if ((unsigned)drawing >= (unsigned)pc_model_drawing_count(model)) return (pc_drawing){0};
  return model->drawings.item[drawing].about;
}

static double number_at(const pc_output_def* number, const pc_output_at* at)
{
  return number->value ? number->value(number->user, at) : 0;
}

void pc_model_draw(const pc_model* model, int drawing, double t, const double* q, double* position,
                   double* radius, double normal[3])
{
  if (!q || !position || (unsigned)drawing >= (unsigned)pc_model_drawing_count(model)) return;
  static const double up[3] = {0, 1, 0};
  const pc_drawing_entry* d = &model->drawings.item[drawing];
  const pc_output_at at = {.t = t, .q = q};
  int points = 3 * d->about.point_count;
  for (int i = 0; i < points; i++) position[i] = number_at(&d->number[i], &at);
  if (radius) *radius = d->about.kind == PC_DRAWING_CIRCLE ? number_at(&d->number[points], &at) : 0;
  for (int i = 0; normal && i < 3; i++)
    normal[i] = d->about.has_normal ? number_at(&d->number[points + i], &at) : up[i];
}
