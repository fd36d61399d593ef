#include "steps/lobatto_tableau.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"

static const double PI = 3.14159265358979323846;

/* The Legendre polynomials P_n and P_{n-1} at x. */
static double legendre(int n, double x, double* before)
{
  double p = 1, p_before = 0;
  for (int k = 1; k <= n; k++) {
    double next = ((2 * k - 1) * x * p - (k - 1) * p_before) / k;
    p_before = p;
    p = next;
  }
  *before = p_before;
  return p;
}

/* The k-th root of (1 - x^2) P_n'(x), from the left, n = s - 1. It is a root of
 * f = x P_n - P_{n-1} (which is -(1 - x^2) P_n'/n) with f' = (n + 1) P_n; Newton from the extrema
 * of a cosine. */
static double node(int s, int k)
{
  int n = s - 1;
  double x = -pc_cos(PI * k / n), before;
  if (k == 0 || k == n) return k == 0 ? -1 : 1;
  if (2 * k == n) return 0;
  for (int i = 0; i < 100; i++) {
    double p = legendre(n, x, &before);
    double step = (x * p - before) / ((n + 1) * p);
    x -= step;
    if (fabs(step) < 1e-16) break;
  }
  return x;
}

/* Nodes on [0, 1], symmetric to the last bit, and weights 1/(s (s-1) P_{s-1}(x)^2). */
static void nodes_and_weights(pc_tableau* t)
{
  int s = t->s;
  double before;
  for (int i = 0; i < s; i++) {
    double x = 2 * i < s ? node(s, i) : -node(s, s - 1 - i);
    double p = legendre(s - 1, x, &before);
    t->c[i] = (1 + x) / 2;
    t->b[i] = 1 / (s * (s - 1) * p * p);
  }
}

/* The j-th Lagrange polynomial of the nodes at x. */
static double lagrange(const pc_tableau* t, int j, double x)
{
  double product = 1;
  for (int k = 0; k < t->s; k++)
    if (k != j) product *= (x - t->c[k]) / (t->c[j] - t->c[k]);
  return product;
}

/* The quadrature itself is exact for polynomials of degree 2s - 3, more than these have. */
static void lobatto_IIIA(pc_tableau* t)
{
  int s = t->s;
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++) {
      double sum = 0;
      for (int k = 0; k < s; k++) sum += t->b[k] * lagrange(t, j, t->c[i] * t->c[k]);
      t->a[i * s + j] = t->c[i] * sum;
    }
  for (int j = 0; j < s; j++) t->a[(s - 1) * s + j] = t->b[j];
}

static void lobatto_IIIB(pc_tableau* t)
{
  int s = t->s;
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++)
      t->a_hat[i * s + j] = j == s - 1 ? 0 : t->b[j] - t->b[j] * t->a[j * s + i] / t->b[i];
}

/* The derivative of the j-th Lagrange polynomial at node i. */
static double lagrange_slope(const pc_tableau* t, int i, int j)
{
  double sum = 0;
  for (int l = 0; l < t->s; l++) {
    if (l == j) continue;
    double product = 1 / (t->c[j] - t->c[l]);
    for (int k = 0; k < t->s; k++)
      if (k != j && k != l) product *= (t->c[i] - t->c[k]) / (t->c[j] - t->c[k]);
    sum += product;
  }
  return sum;
}

static void invert_IIIB(pc_tableau* t)
{
  int s = t->s;
  double largest = 0;
  for (int i = 0; i < s - 1; i++)
    for (int j = 0; j < s; j++)
      t->L[i * s + j] = t->b[i] * lagrange_slope(t, i, j) + (i == 0 && j == 0);
  double* last = t->L + (s - 1) * s;
  for (int j = 0; j < s; j++) {
    last[j] = 1;
    for (int k = 0; k < s; k++)
      if (k != j) last[j] /= t->c[j] - t->c[k];
    largest = fmax(largest, fabs(last[j]));
  }
  for (int j = 0; j < s; j++) last[j] /= largest;
}

pc_status pc_tableau_create(int s, pc_tableau** tableau, pc_error* error)
{
  *tableau = NULL;
  if (s < 2) return pc_fail(error, PC_BAD_ARGUMENT, "a Lobatto scheme has 2 stages or more");
  pc_tableau* t = pc_alloc(1, sizeof *t);
  if (!t) return pc_no_memory(error);
  size_t n = (size_t)s;
  t->s = s;
  t->c = pc_alloc(n, sizeof(double));
  t->b = pc_alloc(n, sizeof(double));
  t->a = pc_alloc(n * n, sizeof(double));
  t->a_hat = pc_alloc(n * n, sizeof(double));
  t->L = pc_alloc(n * n, sizeof(double));
  if (!t->c || !t->b || !t->a || !t->a_hat || !t->L) {
    pc_tableau_destroy(t);
    return pc_no_memory(error);
  }
  nodes_and_weights(t);
  lobatto_IIIA(t);
  lobatto_IIIB(t);
  invert_IIIB(t);
  *tableau = t;
  return PC_OK;
}

void pc_tableau_destroy(pc_tableau* t)
{
  if (!t) return;
  free(t->c);
  free(t->b);
  free(t->a);
  free(t->a_hat);
  free(t->L);
  free(t);
}
