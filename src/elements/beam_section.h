/* A cross section of a beam in space: its strains and their derivatives.
 *
 * The section is given by z = (D, P, R): D = dr/ds, a quaternion P of any length and its derivative
 * R = dP/ds. With A(P) of P/|P| and Q(P) as in base/rotation.h the six strains are
 *
 *     Gamma = A(P)' D,   kappa = 2 Q(P)' R / |P|^2,
 *
 * both quotients y(z)/m(P) with m = |P|^2 and y a polynomial. So, exactly,
 *
 *     e_z = (y_z - e m_z)/m,   e_zz = (y_zz - e_z m_z' - m_z e_z' - e m_zz)/m. */
#ifndef PC_ELEMENTS_BEAM_SECTION_H
#define PC_ELEMENTS_BEAM_SECTION_H

enum { PC_SECTION_D = 0, PC_SECTION_P = 3, PC_SECTION_R = 7, PC_SECTION_SIZE = 11 };

typedef struct pc_section {
  double z[PC_SECTION_SIZE];
  double square; /* m */
  double strain[6];
  double slope[6][PC_SECTION_SIZE]; /* e_z */
} pc_section;

/* The strains of z, and, if `slopes`, their first derivatives. */
void pc_section_strain(pc_section* section, int slopes);

/* H (symmetric) = sum n_k e_k,zz */
void pc_section_curvature(const pc_section* section, const double n[6],
                          double H[PC_SECTION_SIZE][PC_SECTION_SIZE]);

/* out = e_zz z': how the first derivatives change along z'. */
void pc_section_slope_rate(const pc_section* section, const double rate[PC_SECTION_SIZE],
                           double out[6][PC_SECTION_SIZE]);

#endif
