/* Making and releasing a variational scheme. */
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "percuss/shape.h"
#include "schemes/variational.h"
#include "steps/lengths.h"
#include "steps/restitution.h"
#include "system/found.h"

/* Where the slopes of each row lie: one run as wide as the row after the other. */
static pc_status place_slopes(pc_variational* v, pc_error* error)
{
  v->positions.slope_at = pc_alloc((size_t)v->rows, sizeof *v->positions.slope_at);
  if (!v->positions.slope_at) return pc_no_memory(error);
  for (int r = 0; r < v->rows; r++) {
    v->positions.slope_at[r] = v->positions.slope_count;
    v->positions.slope_count += pc_system_row_width(v->system, r);
  }
  return PC_OK;
}

static int create_positions(const pc_variational* v, pc_position_stage* p)
{
  size_t m = (size_t)v->m, n = (size_t)v->n, n_u = (size_t)v->n_u, rows = (size_t)v->rows;
  p->w = pc_alloc(n * n_u, sizeof(double));
  p->P = pc_alloc(m * rows, sizeof(double));
  p->gradient = pc_alloc(n * n_u, sizeof(double));
  p->slope = pc_alloc(m * (size_t)p->slope_count, sizeof(double));
  p->moment = pc_alloc(m * (size_t)v->s, sizeof(double));
  p->at = pc_alloc(n, sizeof *p->at);
  p->bilateral = pc_alloc(m * (size_t)v->bilateral, sizeof(int));
  p->unit = pc_alloc(m * rows, sizeof(int));
  p->cone = pc_alloc(m * (size_t)v->contacts, sizeof(pc_cone));
  p->block = pc_alloc(rows, sizeof *p->block);
  return p->w && p->P && p->gradient && p->slope && p->moment && p->at && p->bilateral && p->unit &&
         p->cone && p->block;
}

static int create_velocities(const pc_variational* v, pc_velocity_stage* p)
{
  size_t n_u = (size_t)v->n_u, rows = (size_t)v->rows;
  p->u = pc_alloc(n_u, sizeof(double));
  p->known = pc_alloc(n_u, sizeof(double));
  p->u_1 = pc_alloc(n_u, sizeof(double));
  p->jump = pc_alloc(n_u, sizeof(double));
  p->P = pc_alloc(rows, sizeof(double));
  p->P_sum = pc_alloc(rows, sizeof(double));
  p->bilateral = pc_alloc((size_t)v->bilateral, sizeof(int));
  p->cone = pc_alloc((size_t)v->contacts, sizeof(pc_cone));
  return p->u && p->known && p->u_1 && p->jump && p->P && p->P_sum && p->bilateral && p->cone;
}

static int create_laws(const pc_variational* v, pc_variational_laws* p)
{
  size_t rows = (size_t)v->rows, contacts = (size_t)v->contacts;
  p->before = pc_alloc(rows, sizeof(double));
  p->e = pc_alloc(rows, sizeof(double));
  p->normal = pc_alloc(rows, 1);
  p->contact_of = pc_alloc(rows, sizeof(int));
  p->closed = pc_alloc(contacts, 1);
  p->impact = pc_alloc(contacts, sizeof(double));
  p->friction = pc_alloc(contacts, sizeof(double));
  return p->before && p->e && p->normal && p->contact_of && p->closed && p->impact && p->friction;
}

static int create_limits(const pc_variational* v, pc_variational_limits* p)
{
  size_t m = (size_t)v->m, n = (size_t)v->n, n_u = (size_t)v->n_u;
  p->F_weight = pc_alloc(n * n_u, sizeof(double));
  p->y_unit = pc_alloc(m * (size_t)v->rows, sizeof(double));
  p->y_per_length = pc_alloc(m * (size_t)v->rows, sizeof(double));
  p->P_weight = pc_alloc(m * (size_t)v->contacts, sizeof(double));
  p->noise = pc_alloc(n_u, sizeof(double));
  p->size = pc_alloc(n * n_u, sizeof(double));
  p->parts = pc_alloc(n_u, sizeof(double));
  p->inertial = pc_alloc(n * n_u, sizeof(double));
  return p->F_weight && p->y_unit && p->y_per_length && p->P_weight && p->noise && p->size &&
         p->parts && p->inertial;
}

static pc_status create_arrays(pc_variational* v, pc_error* error)
{
  size_t n = (size_t)v->n, n_u = (size_t)v->n_u;
  v->start.q = pc_alloc((size_t)v->n_q, sizeof(double));
  v->start.p = pc_alloc(n_u, sizeof(double));
  v->zero = pc_alloc(n * n_u, sizeof(double));
  v->kept = pc_alloc(2 * n * n_u, sizeof(double));
  int made = v->start.q && v->start.p && v->zero && v->kept && create_positions(v, &v->positions) &&
             create_velocities(v, &v->velocities) && create_laws(v, &v->laws) &&
             create_limits(v, &v->limits);
  return made ? PC_OK : pc_no_memory(error);
}

/* Which rows and contacts the two problems have. Returns the largest friction dimension. */
static int list_laws(pc_variational* v)
{
  int friction = 0;
  for (int r = 0; r < v->rows; r++) v->laws.contact_of[r] = -1;
  for (int r = 0; r < v->bilateral; r++) {
    v->velocities.bilateral[r] = r;
    for (int j = 0; j < v->m; j++) v->positions.bilateral[j * v->bilateral + r] = j * v->rows + r;
  }
  for (int k = 0; k < v->contacts; k++) {
    pc_contact_info c = pc_system_contact(v->system, k);
    v->laws.e[c.row] = c.e_N;
    v->laws.normal[c.row] = 1;
    for (int i = 0; i <= c.dimension; i++) v->laws.contact_of[c.row + i] = k;
    for (int i = 1; i <= c.dimension; i++) v->laws.e[c.row + i] = c.e_F;
    if (v->settings.frictionless) c.dimension = 0;
    if (c.dimension > friction) friction = c.dimension;
    v->velocities.cone[k].row = c.row;
    for (int j = 0; j < v->m; j++) v->positions.cone[j * v->contacts + k].row = j * v->rows + c.row;
    pc_variational_set_friction(v, k, c.mu);
  }
  return friction;
}

/* Slopes over q are asked for where Q moves: at all stages but the first. At the last one they are
 * those of the velocities of rows alone; they are taken over as the start of the next step. */
static pc_status create_terms(pc_variational* v, pc_error* error)
{
  unsigned common = PC_TERM_M | PC_TERM_H | PC_TERM_F | PC_TERM_Y | PC_TERM_W | PC_TERM_LATER;
  unsigned first = PC_TERM_M | PC_TERM_H | PC_TERM_F | PC_TERM_H_U | PC_TERM_LATER;
  unsigned last = common | PC_TERM_SLIP_Q;
  unsigned inner = common | PC_TERM_H_U | PC_TERM_H_Q | PC_TERM_W_Q;
  if (v->form.momentum)
    first |= PC_TERM_P, inner |= PC_TERM_P | PC_TERM_P_Q, last |= PC_TERM_P | PC_TERM_P_Q;
  else
    inner |= PC_TERM_MA_Q;
  v->terms = pc_alloc((size_t)v->s, sizeof *v->terms);
  if (!v->terms) return pc_no_memory(error);
  for (int i = 0; i < v->s; i++) {
    unsigned mask = i == 0 ? first : i == v->m ? last : inner;
    PC_TRY(pc_terms_create(v->system, mask, &v->terms[i], error));
    if (i > 0) PC_TRY(pc_terms_defer(v->terms[i], v->limits.activation, error));
  }
  PC_TRY(pc_terms_create(v->system, last, &v->start.terms, error));
  return pc_terms_defer(v->start.terms, v->limits.activation, error);
}

/* The runs of each row, once for each stage. */
static pc_status create_blocks(pc_variational* v, pc_error* error)
{
  for (int r = 0; r < v->rows; r++) {
    pc_row row = v->start.terms->row[r];
    pc_block* block = pc_alloc((size_t)v->n * (size_t)row.block_count, sizeof *block);
    if (!block) return pc_no_memory(error);
    for (int i = 0; i < v->n * row.block_count; i++) {
      block[i] = row.block[i % row.block_count];
      block[i].first += i / row.block_count * v->n_u;
    }
    v->positions.block[r] = block;
  }
  return PC_OK;
}

/* Momenta count as the velocities that they are in their bodies, percussions likewise; for the
 * papers' tolerance all that is left counts as it is. */
static pc_status weigh_equations(pc_variational* v, pc_error* error)
{
  PC_TRY(pc_measure_create(&v->limits.measure, v->terms[0], &v->settings, error));
  v->motion->of_q = v->limits.measure.lengths.of_q;
  v->limits.scaled = pc_is_scaled(&v->settings);
  for (int i = 0; i < v->n * v->n_u; i++)
    v->limits.F_weight[i] =
        v->limits.scaled ? pc_measure_velocity(&v->limits.measure, i % v->n_u) : 1;
  for (int i = 0; i < v->m * v->contacts; i++) {
    pc_row row = v->start.terms->row[v->velocities.cone[i % v->contacts].row];
    v->limits.P_weight[i] = v->limits.scaled ? 0 : 1;
    for (int b = 0; v->limits.scaled && b < row.block_count; b++)
      v->limits.P_weight[i] =
          pc_larger(v->limits.P_weight[i], v->limits.F_weight[row.block[b].first]);
  }
  return PC_OK;
}

static pc_status create_engines(pc_variational* v, int friction, pc_error* error)
{
  pc_implicit_settings settings = {
      .tolerance = v->limits.scaled ? pc_most_velocity(&v->settings) : v->settings.tolerance,
      .share = v->limits.scaled ? v->settings.tolerance : 0,
      .max_iterations = v->settings.max_iterations,
      .r = v->settings.variational.prox,
      .solver = v->settings.solver,
      .solver_tolerance = v->settings.solver_tolerance,
      .acceptance = pc_default_solver_settings().acceptance,
      .dense_max = PC_IMPLICIT_DENSE_MAX};
  PC_TRY(pc_implicit_step_create(v->n * v->n_u, v->m * v->rows, v->m * v->contacts, friction,
                                 &settings, &v->positions.engine, error));
  return pc_implicit_step_create(v->n_u, v->rows, v->contacts, friction, &settings,
                                 &v->velocities.engine, error);
}

/* Rows of an element's joint, and those of a contact, are a unit. */
static void number_units(pc_variational* v)
{
  int* unit = v->positions.unit;
  int elements = pc_system_element_count(v->system);
  for (int r = 0; r < v->bilateral; r++) unit[r] = pc_system_row_element(v->system, r);
  for (int k = 0; k < v->contacts; k++) {
    pc_contact_info c = pc_system_contact(v->system, k);
    for (int i = 0; i <= c.dimension; i++) unit[c.row + i] = elements + k;
  }
  for (int i = v->rows; i < v->m * v->rows; i++) unit[i] = unit[i - v->rows];
}

static pc_implicit_graph graph_of(const pc_variational* v, const pc_stage_blocks* blocks)
{
  return (pc_implicit_graph){.group_count = blocks->group_count,
                             .size = blocks->size,
                             .group = blocks->group,
                             .place = blocks->place,
                             .edge_max = blocks->edge_max,
                             .stiff = blocks->stiff,
                             .unit_count = pc_system_element_count(v->system) + v->contacts,
                             .unit = v->positions.unit};
}

/* Unknowns up to which a matrix may be full, as contacts between all bodies would make it. */
enum { FULL_MAX = 60 };

/* Whether the matrix of stage 1 is sparse with all contacts that are listed in its pattern. */
static int tangent_is_sparse(const pc_stage_blocks* b)
{
  int more = b->edge_max - b->fixed_edge_count;
  return b->m * b->first[b->group_count] <= FULL_MAX || more <= 2 * b->group_count;
}

static pc_status create_tangents(pc_variational* v, pc_error* error)
{
  number_units(v);
  PC_TRY(pc_stage_blocks_create(v->system, v->n, 1, v->m, &v->positions.blocks, error));
  PC_TRY(pc_stage_blocks_create(v->system, 1, 1, 1, &v->velocities.blocks, error));
  v->positions.graph = graph_of(v, v->positions.blocks);
  v->velocities.graph = graph_of(v, v->velocities.blocks);
  if (tangent_is_sparse(v->positions.blocks))
    PC_TRY(pc_stage_tangent_create(v->system, v->n, v->n > 1, &v->positions.tangent, error));
  return pc_system_create_tangent(v->system, &v->velocities.mass, error);
}

static pc_status create_parts(pc_variational* v, pc_error* error)
{
  PC_TRY(pc_tableau_create(v->s, &v->tableau, error));
  PC_TRY(place_slopes(v, error));
  PC_TRY(create_arrays(v, error));
  for (int j = 0; j < v->m; j++)
    for (int i = 0; i < v->s; i++)
      v->positions.moment[j * v->s + i] = v->tableau->b[i] * pc_pow(v->tableau->c[i], j);
  int friction = list_laws(v);
  PC_TRY(pc_stage_kinematics_create(v->system, v->tableau, v->form.momentum, &v->motion, error));
  PC_TRY(pc_find_activation(v->system, &v->settings, &v->limits.activation, error));
  PC_TRY(create_terms(v, error));
  PC_TRY(create_blocks(v, error));
  PC_TRY(weigh_equations(v, error));
  PC_TRY(create_tangents(v, error));
  return create_engines(v, friction, error);
}

/* Makes all that a scheme consists of, for the contacts that its system has at present. */
static pc_status make(pc_variational* v, const pc_system* system,
                      const pc_scheme_settings* settings, int s, int paper_start, pc_form form,
                      pc_error* error)
{
  *v = (pc_variational){.system = system, .settings = *settings, .s = s, .m = s - 1};
  v->form.paper_start = paper_start;
  v->layout = pc_system_found_layout(system);
  v->n_q = pc_system_q_count(system);
  v->n_u = pc_system_u_count(system);
  v->rows = pc_system_row_count(system);
  v->contacts = pc_system_contact_count(system);
  v->g_count = pc_system_g_count(system);
  v->bilateral = v->g_count + pc_system_gamma_count(system);
  v->form.provides = pc_system_provides(system);
  v->form.momentum = form == PC_FORM_MOMENTUM && (v->form.provides & PC_TERM_P);
  v->n = v->form.momentum ? s : v->m;
  v->start.t = NAN;
  v->form.has_restitution_above = pc_has_restitution_above(system, settings->restitution_above);
  v->form.constant_M = (pc_system_constant(system) & PC_TERM_M) != 0;
  PC_TRY(create_parts(v, error));
  v->positions.problem = pc_position_problem(v);
  v->velocities.problem = pc_velocity_problem(v);
  return PC_OK;
}

pc_status pc_variational_create(const pc_system* system, const pc_scheme_settings* settings, int s,
                                int paper_start, pc_form form, void** scheme, pc_error* error)
{
  *scheme = NULL;
  pc_variational* v = pc_alloc(1, sizeof *v);
  if (!v) return pc_no_memory(error);
  pc_status status = make(v, system, settings, s, paper_start, form, error);
  if (status != PC_OK) {
    pc_variational_destroy(v);
    return status;
  }
  *scheme = v;
  return PC_OK;
}

static void destroy_positions(pc_position_stage* p, int rows)
{
  pc_implicit_step_destroy(p->engine);
  pc_stage_tangent_destroy(p->tangent);
  pc_stage_blocks_destroy(p->blocks);
  for (int r = 0; p->block && r < rows; r++) free(p->block[r]);
  void* array[] = {p->w,  p->P,    p->gradient,  p->slope, p->slope_at,    p->moment,
                   p->at, p->unit, p->bilateral, p->cone,  (void*)p->block};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

static void destroy_velocities(pc_velocity_stage* p)
{
  pc_implicit_step_destroy(p->engine);
  pc_stage_blocks_destroy(p->blocks);
  pc_assembly_destroy(p->mass);
  void* array[] = {p->u, p->known, p->u_1, p->jump, p->P, p->P_sum, p->bilateral, p->cone};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

static void free_laws(pc_variational_laws* p)
{
  void* array[] = {p->before, p->e, p->normal, p->contact_of, p->closed, p->impact, p->friction};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

static void free_limits(pc_variational_limits* p)
{
  void* array[] = {p->F_weight, p->y_unit, p->y_per_length, p->P_weight,
                   p->noise,    p->size,   p->parts,        p->inertial};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  pc_measure_clear(&p->measure);
}

static void release(pc_variational* v)
{
  for (int i = 0; v->terms && i < v->s; i++) pc_terms_destroy(v->terms[i]);
  pc_terms_destroy(v->start.terms);
  pc_tableau_destroy(v->tableau);
  pc_stage_kinematics_destroy(v->motion);
  destroy_positions(&v->positions, v->rows);
  destroy_velocities(&v->velocities);
  free_laws(&v->laws);
  free_limits(&v->limits);
  void* array[] = {(void*)v->terms, v->start.q, v->start.p, v->zero, v->kept};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
}

void pc_variational_destroy(void* scheme)
{
  if (!scheme) return;
  release(scheme);
  free(scheme);
}

/* The same contacts with another geometry: rows have to be evaluated anew, the rest still fits. */
static pc_status refit_terms(pc_variational* v, pc_error* error)
{
  v->start.t = NAN;
  for (int i = 0; i < v->s; i++) PC_TRY(pc_terms_refit(v->terms[i], error));
  return pc_terms_refit(v->start.terms, error);
}

/* Contacts that come and go change the sparsity patterns: then everything is made anew. */
pc_status pc_variational_refit(void* scheme, pc_error* error)
{
  pc_variational* v = scheme;
  if (v->layout == pc_system_found_layout(v->system)) return refit_terms(v, error);
  const pc_system* system = v->system;
  const pc_scheme_settings settings = v->settings;
  const int s = v->s, paper_start = v->form.paper_start;
  const pc_form form = v->form.momentum ? PC_FORM_MOMENTUM : PC_FORM_VELOCITY;
  release(v);
  return make(v, system, &settings, s, paper_start, form, error);
}
