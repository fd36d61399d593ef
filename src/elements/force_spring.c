/* A spring and a damper in line between two points: a tensile force k (l - length) + c l'.
 *
 * A local evaluation with the line as a row w (l' = w . u) gives w and w_q, the latter where h_q is
 * wanted; spring_force.h makes forces of them.
 * A spring of length 0 has no kink where its ends meet: it is the vector spring h = -k w_r with the
 * wrench w_r of the vector r = c_1 - c_0 itself. A damper acts along the unit vector always. */
#include "base/status.h"
#include "elements/attach.h"
#include "elements/spring_force.h"

typedef struct spring {
  pc_pair pair;
  double at[2][3];
  double stiffness, damping, length;
} spring;

enum { N_Q = PC_PAIR_Q_MAX, N_U = PC_PAIR_U_MAX };

/* The rows that the geometry makes: the unit vector of the line and the vector r itself, as
 * wrenches w with their derivatives w_q (u_count x q_count). */
enum { ALONG, VECTOR, LINE_COUNT };

typedef struct lines {
  double length;
  double w[LINE_COUNT * N_U];
  double w_q[LINE_COUNT * N_U * N_Q];
} lines;

static pc_spring_force_row line_of(const spring* f, const lines* all, int which)
{
  int n_q = f->pair.q_count, n_u = f->pair.u_count;
  return (pc_spring_force_row){n_q, n_u, all->w + which * n_u, all->w_q + which * n_u * n_q};
}

static int needs_lines(const pc_local* l)
{
  return l->h || l->h_q || l->h_u || l->f;
}

/* The local evaluation whose rows are the lines. What the kernel leaves alone is not read. */
static pc_local rows_of(const pc_local* l, lines* all)
{
  double* w = needs_lines(l) ? all->w : NULL;
  return (pc_local){.q = l->q, .y = &all->length, .W = w, .W_q = all->w_q};
}

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const spring* f = data;
  pc_scene scene = pc_scene_at(s, &f->pair, l->q, l->turns);
  pc_two_points c = pc_two_points_at(s, &scene, f->at, l->q);
  pc_jet length = pc_vec_length(s, c.r);
  l->y[0] = length.v;
  if (!l->W) return;
  pc_put_row(s, &scene, l, ALONG, pc_vec_unit(s, c.r, length), 1, c.arm[1], c.arm[0]);
  if (!(f->length > 0)) pc_put_row(s, &scene, l, VECTOR, c.r, 1, c.arm[1], c.arm[0]);
}

static void add_forces(const spring* f, const lines* all, const pc_local* l)
{
  pc_spring_force_row along = line_of(f, all, ALONG);
  pc_spring_force p = {0};
  pc_spring_force_clear(l, along);
  if (f->length > 0)
    pc_spring_force_stretch(&f->pair, l, f->stiffness, all->length - f->length, along, &p);
  else
    pc_spring_force_add(l, line_of(f, all, VECTOR), &(pc_spring_force){.F = f->stiffness});
  pc_spring_force_damp(l, f->damping, along, &p);
  pc_spring_force_add(l, along, &p);
}

/* What follows from the lines. */
static void add_terms(const spring* f, const lines* all, const pc_local* l)
{
  double stretch = all->length - f->length;
  if (l->energy) l->energy[1] += f->stiffness * stretch * stretch / 2;
  if (needs_lines(l)) add_forces(f, all, l);
}

static void evaluate(const void* data, pc_local* l)
{
  const spring* f = data;
  lines all;
  pc_local rows = rows_of(l, &all);
  pc_run_kernel(kernel, data, &f->pair, &rows, l->h_q != NULL);
  add_terms(f, &all, l);
}

static void evaluate_in_space(const void* data, pc_local* l)
{
  const spring* f = data;
  lines all;
  pc_local rows = rows_of(l, &all);
  pc_run_spatial_kernel(kernel, data, &f->pair, &rows, l->h_q != NULL);
  add_terms(f, &all, l);
}

static void shape(const void* data, pc_shape* s)
{
  const spring* f = data;
  s->kind = PC_SHAPE_SPRING;
  pc_place_shape(&f->pair, f->at, s);
}

static const pc_element_ops ops[2] = {
    {.kind = "spring", .evaluate = evaluate, .shape = shape},
    {.kind = "spring", .evaluate = evaluate_in_space, .shape = shape}};

static pc_status check(const pc_adding* a, const pc_spring_def* def)
{
  int n = pc_system_dimension(a->system);
  PC_TRY(pc_check_name(a));
  PC_TRY(pc_check_finite(a, "point[0].at", n, def->point[0].at));
  PC_TRY(pc_check_finite(a, "point[1].at", n, def->point[1].at));
  PC_TRY(pc_check_not_negative(a, "stiffness", def->stiffness));
  PC_TRY(pc_check_not_negative(a, "damping", def->damping));
  return pc_check_finite(a, "length", 1, &def->length);
}

/* A vector spring between points that do not turn has constant derivatives. */
static unsigned constant_terms(const spring* f)
{
  int turns = f->pair.place[0].turned || f->pair.place[1].turned;
  return f->length > 0 || f->damping > 0 || turns ? 0 : PC_TERM_H_Q;
}

pc_status pc_add_spring(pc_system* system, const pc_spring_def* def, pc_error* error)
{
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(pc_need(def, "def", error));
  pc_adding a = {system, ops[0].kind, def->name, error};
  PC_TRY(check(&a, def));
  const pc_part_id part[2] = {def->point[0].part, def->point[1].part};
  spring data = {.stiffness = def->stiffness, .damping = def->damping};
  PC_TRY(pc_attach_pair(&a, PC_HOLDS_POINTS, part,
                        (const char* const[]){"point[0].part", "point[1].part"}, &data.pair));
  data.length =
      def->length < 0 ? pc_initial_distance(system, &def->point[0], &def->point[1]) : def->length;
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < data.pair.dimension; k++) data.at[i][k] = def->point[i].at[k];
    pc_hang_point(&data.pair.place[i], data.at[i]);
  }
  pc_element_def element = {
      .ops = pc_choose_ops(&a, ops),
      .part_count = 2,
      .part = part,
      .provides = PC_TERM_H | PC_TERM_H_Q | PC_TERM_ENERGY |
                  (def->damping > 0 ? (unsigned)(PC_TERM_H_U | PC_TERM_F) : 0u),
      .constant = constant_terms(&data),
  };
  return pc_add_copy(&a, &element, &data, sizeof data);
}
