/* Lemke's method for planar friction (Flores et al., eqs. (76) and (85)).
 *
 * For each contact with friction the complementary pairs are
 *
 *     0 <= w = (y_N, xi_R, P_L)  _|_  z = (P_N, P_R, xi_L) >= 0
 *     P_R = mu P_N + P_F,   P_L = mu P_N - P_F,   y_F = xi_R - xi_L
 *
 * and for one without, y_N and P_N. Eliminating y and P_F gives w = M z + q with
 *
 *     y_N  = (A_NN - A_NF mu) P_N + A_NF P_R        + b_N
 *     xi_R = (A_FN - A_FF mu) P_N + A_FF P_R + xi_L + b_F
 *     P_L  = 2 mu P_N - P_R
 *
 * The last rows of q vanish, so that the problem is degenerate whenever a contact opens; the
 * lexicographic ratio test makes the pivoting finite all the same. M is not copositive,
 * z'Mz = P'AP + mu P_N'(y_F + 2 xi_L), so a ray is possible where friction couples strongly to the
 * normals. The direction in which friction is counted is free for each contact, and is chosen such
 * that A_NF <= 0 in its block: then the diagonal of M is not negative, and rays become rare.
 *
 * What the pivoting is trusted with is the modes only: the percussions come from the linear system
 * of these modes, and count after verification. */
#include <math.h>
#include <string.h>

#include "solve/dense_work.h"

/* Entries below are zero, ratios closer than that are equal; the data are of order one. */
static const double pivot_tolerance = 1e-11;
static const double tie_tolerance = 1e-13;

/* Modes to try from where the pivoting ended. */
enum { POLISH_ROUNDS = 4 };

/* The tableau holds the columns of the variables that are not basic: for each row i
 *
 *     x_basic(i) + sum_j T_ij x_nonbasic(j) = T_i,rhs
 *
 * Variables count w_0 .. w_{n-1}, z_0 .. z_{n-1}, z0 (the artificial one, 2n). */
typedef struct tableau {
  int n;
  int stride;    /* n + 2: n + 1 columns that are not basic, and the right-hand side */
  double* T;     /* n x stride */
  int* basic;    /* n: variable of a row */
  int* place;    /* 2n + 1: row of a basic variable, or -1 - column */
  int* nonbasic; /* n + 1: variable of a column */
  int* first;    /* contacts: first pair of a contact */
  int* sense;    /* contacts: +1, or -1 where friction is counted the other way */
} tableau;

static int has_friction(const pc_cone* cone)
{
  return cone->dimension == 1 && cone->mu > 0;
}

static size_t scratch(int row_max, int contact_max)
{
  size_t n = (size_t)row_max + (size_t)contact_max, contacts = (size_t)contact_max;
  return n * (n + 2) * sizeof(double) + (n + (2 * n + 1) + (n + 1) + 2 * contacts) * sizeof(int);
}

static tableau lay_out(const pc_work* work, void* memory)
{
  size_t n = 0;
  for (int k = 0; k < work->contact_count; k++) n += has_friction(&work->cone[k]) ? 3 : 1;
  tableau t = {.n = (int)n, .stride = (int)n + 2, .T = memory};
  t.basic = (int*)(t.T + n * (n + 2));
  t.place = t.basic + n;
  t.nonbasic = t.place + 2 * n + 1;
  t.first = t.nonbasic + n + 1;
  t.sense = t.first + work->contact_count;
  return t;
}

static double* row_of(const tableau* t, int i)
{
  return &t->T[(size_t)i * (size_t)t->stride];
}

/* An equation sense * y_i = sense * (A_i P + b_i) in the tableau: -M, and the right-hand side. */
static void fill_velocity_row(const pc_work* work, const tableau* t, int i, int sense, double* row)
{
  const double* a = &work->A[(size_t)i * (size_t)work->row_count];
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    int c = t->first[k];
    double a_N = sense * a[cone->row];
    row[c] = -a_N;
    if (!has_friction(cone)) continue;
    double a_F = sense * t->sense[k] * a[cone->row + 1];
    row[c] = -(a_N - cone->mu * a_F);
    row[c + 1] = -a_F;
    row[c + 2] = 0;
  }
  row[t->n] = -1; /* the covering vector */
  row[t->n + 1] = sense * work->b[i];
}

/* w = M z + 1 z0 + q with all z not basic. */
static void fill(const pc_work* work, tableau* t)
{
  int next = 0;
  size_t n = (size_t)work->row_count;
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    t->first[k] = next;
    next += has_friction(cone) ? 3 : 1;
    t->sense[k] =
        has_friction(cone) && work->A[(size_t)cone->row * n + (size_t)cone->row + 1] > 0 ? -1 : 1;
  }
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    int p = t->first[k];
    fill_velocity_row(work, t, cone->row, 1, row_of(t, p));
    if (!has_friction(cone)) continue;
    fill_velocity_row(work, t, cone->row + 1, t->sense[k], row_of(t, p + 1));
    row_of(t, p + 1)[p + 2] = -1;
    double* saturation = row_of(t, p + 2);
    memset(saturation, 0, (size_t)t->stride * sizeof(double));
    saturation[p] = -2 * cone->mu;
    saturation[p + 1] = 1;
    saturation[t->n] = -1;
  }
  for (int i = 0; i < t->n; i++) {
    t->basic[i] = t->place[i] = i;
    t->nonbasic[i] = t->n + i;
    t->place[t->n + i] = -1 - i;
  }
  t->nonbasic[t->n] = 2 * t->n;
  t->place[2 * t->n] = -1 - t->n;
}

/* The entry of row i in the column of w_j, basic or not. */
static double initial_column(const tableau* t, int i, int j)
{
  int place = t->place[j];
  if (place >= 0) return place == i ? 1 : 0;
  return row_of(t, i)[-1 - place];
}

/* Compares rows a and b of equal ratios, divided by their entries in column c, lexicographically
 * over the columns of the initial basis. Negative if a comes first. */
static int compare_rows(const tableau* t, int a, int b, int c)
{
  double pivot_a = row_of(t, a)[c], pivot_b = row_of(t, b)[c];
  for (int j = 0; j < t->n; j++) {
    double x = initial_column(t, a, j) / pivot_a, y = initial_column(t, b, j) / pivot_b;
    if (fabs(x - y) > tie_tolerance * (1 + fabs(x) + fabs(y))) return x < y ? -1 : 1;
  }
  return 0;
}

/* The row that column c drives out, or -1 if none (a ray). The artificial variable wins ties. */
static int leaving_row(const tableau* t, int c)
{
  int best = -1, z0 = t->place[2 * t->n];
  double least = 0;
  for (int i = 0; i < t->n; i++) {
    const double* row = row_of(t, i);
    if (!(row[c] > pivot_tolerance)) continue;
    double ratio = row[t->n + 1] / row[c], tie = tie_tolerance * (1 + fabs(ratio));
    int first = best < 0 || ratio < least - tie;
    if (!first && ratio <= least + tie && best != z0)
      first = i == z0 || compare_rows(t, i, best, c) < 0;
    if (!first) continue;
    best = i;
    least = ratio;
  }
  return best;
}

/* Exchanges the basic variable of row r with the one of column c. */
static void pivot(tableau* t, int r, int c)
{
  double* top = row_of(t, r);
  double inverse = 1 / top[c];
  for (int j = 0; j < t->stride; j++) top[j] *= inverse;
  top[c] = inverse;
  for (int i = 0; i < t->n; i++) {
    double* row = row_of(t, i);
    double factor = row[c];
    if (i == r || factor == 0) continue;
    row[c] = 0;
    for (int j = 0; j < t->stride; j++) row[j] -= factor * top[j];
  }
  int in = t->nonbasic[c], out = t->basic[r];
  t->basic[r] = in;
  t->nonbasic[c] = out;
  t->place[in] = r;
  t->place[out] = -1 - c;
}

/* The row to start with: the lexicographically most negative one, the last among equals. */
static int first_row(const tableau* t)
{
  int row = -1;
  double lowest = 0;
  for (int i = 0; i < t->n; i++) {
    double q = row_of(t, i)[t->n + 1];
    if (q < 0 && q <= lowest) {
      lowest = q;
      row = i;
    }
  }
  return row;
}

static int complement_of(const tableau* t, int variable)
{
  return variable < t->n ? variable + t->n : variable - t->n;
}

/* Pivots until the artificial variable has left or vanished, or nothing can leave. */
static void run(pc_work* work, tableau* t)
{
  int artificial = 2 * t->n, limit = 50 + 20 * t->n, r = first_row(t), c = t->n;
  if (limit > work->max_iterations) limit = work->max_iterations;
  for (int count = 0; r >= 0 && count < limit; count++) {
    int out = t->basic[r];
    pivot(t, r, c);
    work->iterations++;
    if (out == artificial) return;
    c = -1 - t->place[complement_of(t, out)];
    r = leaving_row(t, c);
  }
}

/* The value of a variable. */
static double value_of(const tableau* t, int variable)
{
  int place = t->place[variable];
  return place >= 0 ? row_of(t, place)[t->n + 1] : 0;
}

/* Percussions and modes from the last basis. A contact is closed if P_N is basic, and sticks if
 * both saturations are. */
static void read_modes(pc_work* work, const tableau* t)
{
  for (int k = 0; k < work->contact_count; k++) {
    const pc_cone* cone = &work->cone[k];
    int w = t->first[k], z = t->n + w;
    double* P = &work->P[cone->row];
    P[0] = value_of(t, z);
    int closed = t->place[z] >= 0 && P[0] > 0;
    work->modes.mode[k] = closed ? PC_CONTACT_SLIP : PC_CONTACT_OPEN;
    if (cone->dimension == 0) continue;
    P[1] = 0;
    work->modes.direction[cone->row + 1] = 0;
    if (!has_friction(cone)) continue;
    P[1] = t->sense[k] * (value_of(t, z + 1) - cone->mu * P[0]);
    int right = t->place[z + 1] >= 0, left = t->place[w + 2] >= 0; /* P_R, P_L are basic */
    if (closed && right && left) work->modes.mode[k] = PC_CONTACT_STICK;
    work->modes.direction[cone->row + 1] = right ? t->sense[k] : -t->sense[k];
  }
}

static void solve(pc_work* work, void* memory)
{
  tableau t = lay_out(work, memory);
  fill(work, &t);
  run(work, &t);
  read_modes(work, &t);
  double residual = pc_modes_solve(work, PC_METHOD_LEMKE);
  if (residual <= PC_RESIDUAL_ROUND_OFF) return;
  /* A degenerate end leaves the modes open to doubt: read the percussions instead. */
  read_modes(work, &t);
  pc_modes_search(work, POLISH_ROUNDS, PC_METHOD_LEMKE);
}

const pc_dense_ops pc_dense_lemke = {
    .name = "lemke",
    .max_dimension = 1,
    .scratch = scratch,
    .solve = solve,
};
