/* Making and releasing a variational scheme. */
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "percuss/shape.h"
#include "schemes/variational.h"
#include "steps/restitution.h"

/* Where the slopes of each row lie: one run as wide as the row after the other. */
static pc_status place_slopes(pc_variational* v, pc_error* error)
{
  v->slope_at = pc_alloc((size_t)v->rows, sizeof *v->slope_at);
  if (!v->slope_at) return pc_no_memory(error);
  for (int r = 0; r < v->rows; r++) {
    v->slope_at[r] = v->slope_count;
    v->slope_count += pc_system_row_width(v->system, r);
  }
  return PC_OK;
}

static pc_status create_arrays(pc_variational* v, pc_error* error)
{
  size_t m = (size_t)v->m, n = (size_t)v->n, s = (size_t)v->s, n_u = (size_t)v->n_u;
  size_t rows = (size_t)v->rows;
  size_t contacts = (size_t)v->contacts, bilateral = (size_t)v->bilateral;
  struct {
    double** to;
    size_t count;
  } array[] = {{&v->start_q, (size_t)v->n_q},
               {&v->zero, n * n_u},
               {&v->p, n_u},
               {&v->w, n * n_u},
               {&v->kept, 2 * n * n_u},
               {&v->P_1, m * rows},
               {&v->gradient, n * n_u},
               {&v->slope, m * (size_t)v->slope_count},
               {&v->moment, m * s},
               {&v->u, n_u},
               {&v->known, n_u},
               {&v->u_1, n_u},
               {&v->jump, n_u},
               {&v->P, rows},
               {&v->P_sum, rows},
               {&v->before, rows},
               {&v->e, rows},
               {&v->F_weight, n * n_u},
               {&v->y_unit, m * rows},
               {&v->P_weight, m * contacts},
               {&v->noise, n_u},
               {&v->size, n * n_u},
               {&v->impact_law, contacts},
               {&v->friction_law, contacts}};
  int bad = 0;
  for (size_t i = 0; i < sizeof array / sizeof *array; i++)
    bad |= !(*array[i].to = pc_alloc(array[i].count, sizeof(double)));
  bad |= !(v->at = pc_alloc(n, sizeof *v->at));
  bad |= !(v->bilateral_1 = pc_alloc(m * bilateral, sizeof(int)));
  bad |= !(v->unit_1 = pc_alloc(m * rows, sizeof(int)));
  bad |= !(v->bilateral_2 = pc_alloc(bilateral, sizeof(int)));
  bad |= !(v->cone_1 = pc_alloc(m * contacts, sizeof(pc_cone)));
  bad |= !(v->cone_2 = pc_alloc(contacts, sizeof(pc_cone)));
  bad |= !(v->closed = pc_alloc(contacts, 1));
  bad |= !(v->normal = pc_alloc(rows, 1));
  bad |= !(v->contact_of = pc_alloc(rows, sizeof(int)));
  bad |= !(v->block = pc_alloc(rows, sizeof *v->block));
  return bad ? pc_no_memory(error) : PC_OK;
}

/* Which rows and contacts the two problems have. Returns the largest friction dimension. */
static int list_laws(pc_variational* v)
{
  int friction = 0;
  for (int r = 0; r < v->rows; r++) v->contact_of[r] = -1;
  for (int r = 0; r < v->bilateral; r++) {
    v->bilateral_2[r] = r;
    for (int j = 0; j < v->m; j++) v->bilateral_1[j * v->bilateral + r] = j * v->rows + r;
  }
  for (int k = 0; k < v->contacts; k++) {
    pc_contact_info c = pc_system_contact(v->system, k);
    v->e[c.row] = c.e_N;
    v->normal[c.row] = 1;
    for (int i = 0; i <= c.dimension; i++) v->contact_of[c.row + i] = k;
    for (int i = 1; i <= c.dimension; i++) v->e[c.row + i] = c.e_F;
    if (v->settings.frictionless) c.dimension = 0;
    if (c.dimension > friction) friction = c.dimension;
    v->cone_2[k].row = c.row;
    for (int j = 0; j < v->m; j++) v->cone_1[j * v->contacts + k].row = j * v->rows + c.row;
    pc_variational_set_friction(v, k, c.mu);
  }
  return friction;
}

/* Slopes over q are asked for where Q moves: at all stages but the first. At the last one they are
 * those of the velocities of rows alone; they are taken over as the start of the next step. */
static pc_status create_terms(pc_variational* v, pc_error* error)
{
  unsigned common = PC_TERM_M | PC_TERM_H | PC_TERM_F | PC_TERM_Y | PC_TERM_W;
  unsigned first = PC_TERM_M | PC_TERM_H | PC_TERM_F | PC_TERM_H_U;
  unsigned last = common | PC_TERM_SLIP_Q;
  unsigned inner = common | PC_TERM_H_U | PC_TERM_H_Q | PC_TERM_W_Q;
  if (v->momentum)
    first |= PC_TERM_P, inner |= PC_TERM_P | PC_TERM_P_Q, last |= PC_TERM_P | PC_TERM_P_Q;
  else
    inner |= PC_TERM_MA_Q;
  v->terms = pc_alloc((size_t)v->s, sizeof *v->terms);
  if (!v->terms) return pc_no_memory(error);
  for (int i = 0; i < v->s; i++) {
    unsigned mask = i == 0 ? first : i == v->m ? last : inner;
    PC_TRY(pc_terms_create(v->system, mask, &v->terms[i], error));
    if (i > 0) PC_TRY(pc_terms_defer(v->terms[i], v->settings.activation_tolerance, error));
  }
  PC_TRY(pc_terms_create(v->system, last, &v->start, error));
  return pc_terms_defer(v->start, v->settings.activation_tolerance, error);
}

/* The runs of each row, once for each stage. */
static pc_status create_blocks(pc_variational* v, pc_error* error)
{
  for (int r = 0; r < v->rows; r++) {
    pc_row row = v->start->row[r];
    pc_block* block = pc_alloc((size_t)v->n * (size_t)row.block_count, sizeof *block);
    if (!block) return pc_no_memory(error);
    for (int i = 0; i < v->n * row.block_count; i++) {
      block[i] = row.block[i % row.block_count];
      block[i].first += i / row.block_count * v->n_u;
    }
    v->block[r] = block;
  }
  return PC_OK;
}

/* Momenta count as the velocities that they are in their bodies, percussions likewise; for the papers' tolerance all
 * that is left counts as it is. */
static pc_status weigh_equations(pc_variational* v, pc_error* error)
{
  PC_TRY(pc_measure_create(&v->measure, v->terms[0], &v->settings, error));
  v->scaled = pc_is_scaled(&v->settings);
  for (int i = 0; i < v->n * v->n_u; i++)
    v->F_weight[i] = v->scaled ? pc_measure_velocity(&v->measure, i % v->n_u) : 1;
  for (int i = 0; i < v->m * v->contacts; i++) {
    pc_row row = v->start->row[v->cone_2[i % v->contacts].row];
    v->P_weight[i] = v->scaled ? 0 : 1;
    for (int b = 0; v->scaled && b < row.block_count; b++)
      v->P_weight[i] = pc_larger(v->P_weight[i], v->F_weight[row.block[b].first]);
  }
  return PC_OK;
}

static pc_status create_engines(pc_variational* v, int friction, pc_error* error)
{
  pc_implicit_settings settings = {
      .tolerance = v->scaled ? v->settings.absolute_tolerance : v->settings.tolerance,
      .share = v->scaled ? v->settings.tolerance : 0,
      .max_iterations = v->settings.max_iterations,
      .r = v->settings.prox,
      .solver = v->settings.solver,
      .solver_tolerance = v->settings.solver_tolerance,
      .acceptance = pc_default_solver_settings().acceptance,
      .dense_max = PC_IMPLICIT_DENSE_MAX};
  PC_TRY(pc_implicit_step_create(v->n * v->n_u, v->m * v->rows, v->m * v->contacts, friction,
                                 &settings, &v->positions, error));
  return pc_implicit_step_create(v->n_u, v->rows, v->contacts, friction, &settings, &v->velocities,
                                 error);
}

/* Rows of an element's joint, and those of a contact, are a unit. */
static void number_units(pc_variational* v)
{
  int* unit = v->unit_1;
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
                             .unit = v->unit_1};
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
  PC_TRY(pc_stage_blocks_create(v->system, v->n, 1, v->m, &v->blocks_1, error));
  PC_TRY(pc_stage_blocks_create(v->system, 1, 1, 1, &v->blocks_2, error));
  v->graph_1 = graph_of(v, v->blocks_1);
  v->graph_2 = graph_of(v, v->blocks_2);
  if (tangent_is_sparse(v->blocks_1))
    PC_TRY(pc_stage_tangent_create(v->system, v->n, v->n > 1, &v->tangent, error));
  return pc_system_create_tangent(v->system, &v->mass, error);
}

static pc_status create_parts(pc_variational* v, pc_error* error)
{
  PC_TRY(pc_tableau_create(v->s, &v->tableau, error));
  PC_TRY(place_slopes(v, error));
  PC_TRY(create_arrays(v, error));
  for (int j = 0; j < v->m; j++)
    for (int i = 0; i < v->s; i++)
      v->moment[j * v->s + i] = v->tableau->b[i] * pc_pow(v->tableau->c[i], j);
  int friction = list_laws(v);
  PC_TRY(pc_stage_kinematics_create(v->system, v->tableau, v->momentum, &v->motion, error));
  PC_TRY(create_terms(v, error));
  PC_TRY(create_blocks(v, error));
  PC_TRY(weigh_equations(v, error));
  PC_TRY(create_tangents(v, error));
  return create_engines(v, friction, error);
}

pc_status pc_variational_create(const pc_system* system, const pc_scheme_settings* settings, int s,
                                int paper_start, pc_form form, void** scheme, pc_error* error)
{
  *scheme = NULL;
  pc_variational* v = pc_alloc(1, sizeof *v);
  if (!v) return pc_no_memory(error);
  v->system = system;
  v->settings = *settings;
  v->paper_start = paper_start;
  v->s = s;
  v->m = s - 1;
  v->n_q = pc_system_q_count(system);
  v->n_u = pc_system_u_count(system);
  v->rows = pc_system_row_count(system);
  v->contacts = pc_system_contact_count(system);
  v->g_count = pc_system_g_count(system);
  v->bilateral = v->g_count + pc_system_gamma_count(system);
  v->provides = pc_system_provides(system);
  v->momentum = form == PC_FORM_MOMENTUM && (v->provides & PC_TERM_P);
  v->n = v->momentum ? s : v->m;
  v->start_t = NAN;
  v->has_restitution_above = pc_has_restitution_above(system, settings->restitution_above);
  v->constant_M = (pc_system_constant(system) & PC_TERM_M) != 0;
  pc_status status = create_parts(v, error);
  if (status != PC_OK) {
    pc_variational_destroy(v);
    return status;
  }
  *scheme = v;
  return PC_OK;
}

void pc_variational_destroy(void* scheme)
{
  pc_variational* v = scheme;
  if (!v) return;
  for (int i = 0; v->terms && i < v->s; i++) pc_terms_destroy(v->terms[i]);
  pc_terms_destroy(v->start);
  for (int r = 0; v->block && r < v->rows; r++) free(v->block[r]);
  pc_tableau_destroy(v->tableau);
  pc_stage_kinematics_destroy(v->motion);
  pc_implicit_step_destroy(v->positions);
  pc_implicit_step_destroy(v->velocities);
  pc_stage_tangent_destroy(v->tangent);
  pc_stage_blocks_destroy(v->blocks_1);
  pc_stage_blocks_destroy(v->blocks_2);
  pc_assembly_destroy(v->mass);
  void* array[] = {v->u_1,
                   v->normal,
                   v->start_q,
                   v->terms,
                   v->zero,
                   v->w,
                   v->kept,
                   v->P_1,
                   v->gradient,
                   v->moment,
                   v->u,
                   v->known,
                   v->jump,
                   v->P,
                   v->P_sum,
                   v->before,
                   v->e,
                   v->at,
                   v->bilateral_1,
                   v->cone_1,
                   v->bilateral_2,
                   v->cone_2,
                   v->F_weight,
                   v->P_weight,
                   v->noise,
                   v->closed,
                   v->block,
                   v->impact_law,
                   v->friction_law,
                   v->slope,
                   v->slope_at,
                   v->unit_1,
                   v->y_unit,
                   v->p,
                   v->contact_of,
                   v->size};
  pc_measure_clear(&v->measure);
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) free(array[i]);
  free(v);
}
