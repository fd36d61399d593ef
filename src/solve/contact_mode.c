#include "solve/contact_mode.h"

#include <math.h>
#include <string.h>

/* |p_F| within this part of mu p_N is on the boundary of the cone: the contact slips. It is the
 * round-off of |p_F| with a margin; the rows of stick and slip agree there. */
static const double boundary = 1e-12;

static double length_of(int d, const double* x)
{
  if (d == 1) return fabs(x[0]);
  double sum = 0;
  for (int i = 0; i < d; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

pc_contact_mode pc_contact_mode_of(int d, double mu, const double* p, double* t)
{
  if (!(p[0] > 0)) return PC_CONTACT_OPEN;
  if (d == 0 || mu == 0) return PC_CONTACT_CLOSED;
  double length = length_of(d, &p[1]);
  if (length < mu * p[0] * (1 - boundary)) return PC_CONTACT_STICK;
  for (int i = 0; i < d; i++) t[i] = p[1 + i] / length;
  return PC_CONTACT_SLIP;
}

/* The friction rows of a contact that slips. */
static void slip_rows(int d, double mu, double r, const double* t, const double* z, const double* y,
                      pc_law_rows* rows)
{
  int n = 1 + d;
  double p[PC_CONE_ROWS_MAX - 1] = {0};
  for (int i = 0; i < d; i++) p[i] = z[1 + i] - r * y[1 + i];
  double length = length_of(d, p), rho = 0;
  /* On a line nothing turns. A z_N that is not positive yet gives no radius to turn on, and one
   * that is larger than the branch was chosen with is not accepted. */
  if (d > 1 && z[0] > 0 && length > 0) rho = fmin(1, mu * z[0] / length);
  for (int i = 0; i < d; i++) {
    double *L_y = &rows->y[(1 + i) * n + 1], *L_z = &rows->z[(1 + i) * n + 1];
    for (int j = 0; j < d; j++) {
      double projector = (i == j ? 1 : 0) - t[i] * t[j];
      L_y[j] = rho * r * projector;
      L_z[j] = (i == j ? 1 : 0) - rho * projector;
    }
    rows->z[(1 + i) * n] = -mu * t[i];
    rows->rhs[1 + i] = mu * z[0] * t[i] - z[1 + i];
  }
}

void pc_contact_mode_rows(pc_contact_mode mode, int d, double mu, double r, const double* t,
                          const double* z, const double* y, pc_law_rows* rows)
{
  int n = 1 + d;
  memset(rows, 0, sizeof *rows);
  if (mode == PC_CONTACT_OPEN) {
    rows->z[0] = 1;
    rows->rhs[0] = -z[0];
  } else {
    rows->y[0] = 1;
    rows->rhs[0] = -y[0];
  }
  if (mode == PC_CONTACT_SLIP) {
    slip_rows(d, mu, r, t, z, y, rows);
    return;
  }
  for (int i = 1; i < n; i++) {
    int sticks = mode == PC_CONTACT_STICK;
    (sticks ? rows->y : rows->z)[i * n + i] = 1;
    rows->rhs[i] = sticks ? -y[i] : -z[i];
  }
}
