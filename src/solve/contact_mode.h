/* The laws of contact as branches, and the linear rows that belong to a branch.
 *
 * A contact of friction dimension d has 1 + d impulses (percussions) z = (z_N, z_F) and as many
 * velocities y = (y_N, y_F), the normal first. Its laws
 *
 *     0 <= y_N _|_ z_N >= 0,    y_F in the normal cone of the ball of radius mu z_N at -z_F
 *
 * are the zeros of the natural map z - proj(z - r y), which has four smooth branches:
 *
 *     open    z = 0
 *     closed  y_N = 0, z_F = 0                  no friction: d = 0 or mu = 0
 *     stick   y_N = 0, y_F = 0
 *     slip    y_N = 0, z_F = mu z_N t           t the unit vector along p_F = z_F - r y_F
 *
 * In each of them Newton's method gives 1 + d linear equations for the corrections dz and dy,
 *
 *     L_y dy + L_z dz = rhs,
 *
 * which every semismooth Newton method of percuss puts into its own system. */
#ifndef PC_SOLVE_CONTACT_MODE_H
#define PC_SOLVE_CONTACT_MODE_H

/* The most rows of a contact: the normal and three friction components. */
enum { PC_CONE_ROWS_MAX = 4 };

typedef enum pc_contact_mode {
  PC_CONTACT_OPEN,
  PC_CONTACT_CLOSED, /* without a friction force */
  PC_CONTACT_STICK,
  PC_CONTACT_SLIP
} pc_contact_mode;

/* The branch of p = z - r y; t (d entries) receives the direction of friction where it slips. */
pc_contact_mode pc_contact_mode_of(int d, double mu, const double* p, double* t);

/* The rows of one contact; matrices are (1 + d) x (1 + d), row-major. */
typedef struct pc_law_rows {
  double y[PC_CONE_ROWS_MAX * PC_CONE_ROWS_MAX]; /* L_y */
  double z[PC_CONE_ROWS_MAX * PC_CONE_ROWS_MAX]; /* L_z */
  double rhs[PC_CONE_ROWS_MAX];
} pc_law_rows;

/* The rows of a mode at (z, y). Where the contact slips in a plane or with drilling, t turns with
 * p_F,
 *
 *     dz_F - mu t dz_N - rho (I - t t') (dz_F - r dy_F) = mu z_N t - z_F,   rho = mu z_N / |p_F|
 *
 * (Alart and Curnier, 1991); r > 0 is the one of pc_contact_mode_of. All other rows are linear:
 * z + dz and y + dy meet them exactly. */
void pc_contact_mode_rows(pc_contact_mode mode, int d, double mu, double r, const double* t,
                          const double* z, const double* y, pc_law_rows* rows);

#endif
