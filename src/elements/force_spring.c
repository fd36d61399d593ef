/* A spring and a damper in line between two points: they pull with k (l - length) + c l'.
 *
 * With the row w of the line (l' = w . u) the force on the parts is h = -F w, and its derivatives
 * follow from those of F and from w_q, the derivative of the row:
 *     h_q = -(w F_q' + F w_q),  h_u = -c w w'.
 * A spring of length 0 has no kink where its ends meet: it is the vector spring h = -k w_r with the
 * wrench w_r of the vector r = c_1 - c_0 itself. A damper acts along the unit vector always. */
#include "base/status.h"
#include "elements/attach.h"

typedef struct spring {
  pc_pair pair;
  double at[2][3];
  double stiffness, damping, length;
} spring;

enum { SIZE = PC_JET_SIZE };

/* The wrench of a direction on both parts, and its derivatives (count x count). */
typedef struct line {
  double w[SIZE];
  double w_q[SIZE * SIZE];
} line;

/* A pull along a line: F and its derivatives. */
typedef struct pull {
  double F;
  double F_q[SIZE];
  double F_u[SIZE];
} pull;

static void add_force(const pc_local* l, int n, const line* w, const pull* p)
{
  for (int j = 0; j < n; j++) {
    if (l->h) l->h[j] -= p->F * w->w[j];
    for (int k = 0; l->h_q && k < n; k++)
      l->h_q[j * n + k] -= w->w[j] * p->F_q[k] + p->F * w->w_q[j * n + k];
    for (int k = 0; l->h_u && k < n; k++) l->h_u[j * n + k] -= w->w[j] * p->F_u[k];
  }
}

/* The damper's pull c w . u alone. */
static double damping_pull(const pc_local* l, int n, double c, const line* w)
{
  double F = 0;
  for (int j = 0; j < n; j++) F += c * w->w[j] * l->u[j];
  return F;
}

/* The same as part of the whole, with its derivatives. */
static void add_damper(const pc_local* l, int n, double c, const line* w, pull* p)
{
  for (int j = 0; j < n; j++) {
    p->F += c * w->w[j] * l->u[j];
    p->F_u[j] += c * w->w[j];
    for (int k = 0; l->h_q && k < n; k++) p->F_q[k] += c * w->w_q[j * n + k] * l->u[j];
  }
}

PC_INLINE void make_line(pc_space s, const pc_pair* pair, pc_vec e, const pc_two_points* c, line* w)
{
  pc_put_wrench(s, &pair->place[1], e, c->arm[1], 1, pair->count, w->w, w->w_q);
  pc_put_wrench(s, &pair->place[0], e, c->arm[0], -1, pair->count, w->w, w->w_q);
}

PC_INLINE void kernel(const void* data, pc_local* l, pc_space s)
{
  const spring* f = data;
  int n = f->pair.count;
  pc_two_points c = pc_two_points_at(s, &f->pair, f->at, l->q);
  pc_jet length = pc_vec_length(s, c.r);
  double stretch = length.v - f->length;
  if (l->energy) l->energy[1] += f->stiffness * stretch * stretch / 2;
  if (!l->h && !l->h_q && !l->h_u && !l->f) return;

  for (int i = 0; l->h_q && i < n * n; i++) l->h_q[i] = 0;
  for (int i = 0; l->h_u && i < n * n; i++) l->h_u[i] = 0;
  line along;
  make_line(s, &f->pair, pc_vec_unit(s, c.r, length), &c, &along);
  pull p = {0};
  if (f->length > 0) {
    p.F = f->stiffness * stretch;
    for (int k = 0; k < n; k++) p.F_q[k] = f->stiffness * along.w[k];
  } else {
    line vector;
    make_line(s, &f->pair, c.r, &c, &vector);
    add_force(l, n, &vector, &(pull){.F = f->stiffness});
  }
  if (f->damping > 0) add_damper(l, n, f->damping, &along, &p);
  double damping = l->f ? damping_pull(l, n, f->damping, &along) : 0;
  for (int j = 0; l->f && j < n; j++) l->f[j] -= damping * along.w[j];
  add_force(l, n, &along, &p);
}

static void evaluate(const void* data, pc_local* l)
{
  const spring* f = data;
  pc_run_kernel(kernel, data, l, f->pair.dimension, l->h_q != NULL);
}

static const pc_element_ops ops = {.kind = "spring", .evaluate = evaluate};

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
  pc_adding a = {system, ops.kind, def->name, error};
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
      .ops = &ops,
      .part_count = 2,
      .part = part,
      .provides = PC_TERM_H | PC_TERM_H_Q | PC_TERM_ENERGY |
                  (def->damping > 0 ? (unsigned)(PC_TERM_H_U | PC_TERM_F) : 0u),
      .constant = constant_terms(&data),
  };
  return pc_add_copy(&a, &element, &data, sizeof data);
}
