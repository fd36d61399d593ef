#include "collide/shape.h"

#include "base/status.h"

static const double PI = 3.14159265358979323846;

/* Volume and integrals of x_i and x_i x_k over a body, from which all else follows. */
typedef struct moments {
  double volume, first[3], second[9];
} moments;

/* The inertia of second moments: trace 1 - S. */
static void inertia_of(int dimension, const double S[9], double I[9])
{
  double trace = S[0] + S[4] + S[8];
  for (int i = 0; i < 9; i++) I[i] = (i % 4 == 0 ? trace : 0) - S[i];
  if (dimension == 2)
    for (int i = 0; i < 8; i++) I[i] = 0;
}

static pc_mass_properties properties_of(int dimension, const moments* m, double density)
{
  pc_mass_properties p = {.mass = density * m->volume};
  double S[9];
  for (int i = 0; i < 3; i++) p.centre[i] = m->first[i] / m->volume;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      S[3 * i + k] = density * (m->second[3 * i + k] - m->volume * p.centre[i] * p.centre[k]);
  inertia_of(dimension, S, p.inertia);
  for (int i = 0; i < 3; i++) /* symmetric to the last bit */
    for (int k = 0; k < i; k++) p.inertia[3 * k + i] = p.inertia[3 * i + k];
  return p;
}

/* Adds the simplex of the corners with the origin. With the sum s of its corners (the origin is one
 * of them), the integral of x_i x_k is volume/((d + 1)(d + 2)) (s_i s_k + sum over corners of x_i
 * x_k). */
static void add_simplex(int dimension, const pc_v3* corner, double volume, moments* m)
{
  double s[3] = {0}, product[9] = {0}, x[3];
  for (int c = 0; c < dimension; c++) {
    pc_v3_put(corner[c], x);
    for (int i = 0; i < 3; i++) {
      s[i] += x[i];
      for (int k = 0; k < 3; k++) product[3 * i + k] += x[i] * x[k];
    }
  }
  int d = dimension;
  m->volume += volume;
  for (int i = 0; i < 3; i++) {
    m->first[i] += volume * s[i] / (d + 1);
    for (int k = 0; k < 3; k++)
      m->second[3 * i + k] += volume / ((d + 1) * (d + 2)) * (s[i] * s[k] + product[3 * i + k]);
  }
}

/* About the first corner, so that nothing cancels for a shape far from its origin. */
static moments polytope_moments(const pc_polytope* p, int dimension)
{
  moments m = {0};
  pc_v3 origin = p->corner[0];
  for (int f = 0; f < p->face_count; f++) {
    int first = p->face_first[f], end = p->face_first[f + 1];
    for (int i = first; i + dimension - 1 < end; i++) {
      pc_v3 c[3] = {0};
      c[0] = pc_v3_minus(p->corner[p->face_corner[first]], origin);
      for (int k = 1; k < dimension; k++)
        c[k] = pc_v3_minus(p->corner[p->face_corner[i + k]], origin);
      double volume = dimension == 2 ? (c[0].x * c[1].y - c[0].y * c[1].x) / 2
                                     : pc_v3_dot(c[0], pc_v3_cross(c[1], c[2])) / 6;
      add_simplex(dimension, c, volume, &m);
    }
  }
  const double o[3] = {origin.x, origin.y, origin.z};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      m.second[3 * i + k] += o[i] * m.first[k] + m.first[i] * o[k] + m.volume * o[i] * o[k];
  for (int i = 0; i < 3; i++) m.first[i] += m.volume * o[i];
  return m;
}

static pc_mass_properties about_axes(double mass, double x, double y, double z)
{
  return (pc_mass_properties){.mass = mass, .inertia = {x, 0, 0, 0, y, 0, 0, 0, z}};
}

static pc_mass_properties planar(double mass, double inertia)
{
  return (pc_mass_properties){.mass = mass, .inertia = {[8] = inertia}};
}

/* A rectangle 2 h x 2 r between two half discs: the centroid of each of these is 4 r/(3 pi) beyond
 * it. */
static pc_mass_properties stadium(double h, double r, double density)
{
  double middle = density * 4 * h * r, ends = density * PI * r * r;
  double offset = 4 * r / (3 * PI);
  double about_own = r * r / 2 - offset * offset; /* of the half discs about their centroids */
  return planar(middle + ends,
                middle * (h * h + r * r) / 3 + ends * (about_own + (h + offset) * (h + offset)));
}

/* A cylinder of length 2 h between two hemispheres, whose centroids are 3 r/8 beyond it. */
static pc_mass_properties capsule(double h, double r, double density)
{
  double middle = density * PI * r * r * 2 * h, ends = density * 4 * PI * r * r * r / 3;
  double offset = 3 * r / 8, about_own = 2 * r * r / 5 - offset * offset;
  double across =
      middle * (r * r / 4 + h * h / 3) + ends * (about_own + (h + offset) * (h + offset));
  double along = middle * r * r / 2 + ends * 2 * r * r / 5;
  return about_axes(middle + ends, across, across, along);
}

static pc_mass_properties box(const double h[3], double density)
{
  double m = density * 8 * h[0] * h[1] * h[2] / 3; /* a third of the mass */
  double x = h[0] * h[0], y = h[1] * h[1], z = h[2] * h[2];
  return about_axes(3 * m, m * (y + z), m * (x + z), m * (x + y));
}

static pc_mass_properties ellipsoid(const double a[3], double density)
{
  double m = density * 4 * PI * a[0] * a[1] * a[2] / 3, x = a[0] * a[0], y = a[1] * a[1],
         z = a[2] * a[2];
  return about_axes(m, m * (y + z) / 5, m * (x + z) / 5, m * (x + y) / 5);
}

static pc_mass_properties cylinder(double h, double r, double density)
{
  double m = density * PI * r * r * 2 * h, across = m * (r * r / 4 + h * h / 3);
  return about_axes(m, across, across, m * r * r / 2);
}

pc_status pc_geometry_mass(const pc_geometry* g, double density, pc_mass_properties* mass,
                           pc_error* error)
{
  PC_TRY(pc_need(g, "geometry", error));
  PC_TRY(pc_need(mass, "mass", error));
  const char* name = pc_geometry_kind_name(g->kind);
  double r = g->radius;
  if (!(density > 0) || !isfinite(density))
    return pc_fail(error, PC_BAD_MODEL, "%s: density is %g; it must be positive", name, density);
  switch (g->kind) {
    case PC_GEOMETRY_DISC:
      *mass = planar(density * PI * r * r, density * PI * r * r * r * r / 2);
      break;
    case PC_GEOMETRY_STADIUM: *mass = stadium(g->half[0], r, density); break;
    case PC_GEOMETRY_SPHERE: *mass = ellipsoid((const double[]){r, r, r}, density); break;
    case PC_GEOMETRY_BOX: *mass = box(g->half, density); break;
    case PC_GEOMETRY_CAPSULE: *mass = capsule(g->half[0], r, density); break;
    case PC_GEOMETRY_CYLINDER: *mass = cylinder(g->half[0], r, density); break;
    case PC_GEOMETRY_ELLIPSOID: *mass = ellipsoid(g->half, density); break;
    case PC_GEOMETRY_RECTANGLE:
    case PC_GEOMETRY_POLYGON:
    case PC_GEOMETRY_POLYHEDRON: {
      moments m = polytope_moments(g->polytope, g->dimension);
      *mass = properties_of(g->dimension, &m, density);
      break;
    }
    case PC_GEOMETRY_MESH:
      return pc_fail(error, PC_BAD_MODEL,
                     "a mesh is a surface of the ground, concave or not, and gets no mass from a "
                     "density; as a polyhedron its convex hull does");
    default:
      return pc_fail(error, PC_BAD_MODEL, "a %s has no %s, hence no mass from a density", name,
                     g->dimension == 2 ? "area" : "volume");
  }
  return PC_OK;
}

/* Second moments about the origin of the outer frame: A S A' + m c c'. */
static void second_about_origin(const pc_mass_properties* p, const double A[9], const double c[3],
                                double S[9])
{
  double trace = (p->inertia[0] + p->inertia[4] + p->inertia[8]) / 2, own[9], half[9];
  for (int i = 0; i < 9; i++) own[i] = (i % 4 == 0 ? trace : 0) - p->inertia[i];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      half[3 * i + k] = A[3 * i] * own[k] + A[3 * i + 1] * own[3 + k] + A[3 * i + 2] * own[6 + k];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      S[3 * i + k] += half[3 * i] * A[3 * k] + half[3 * i + 1] * A[3 * k + 1] +
                      half[3 * i + 2] * A[3 * k + 2] + p->mass * c[i] * c[k];
}

/* In the plane a moment J stands for second moments J/2 along both axes: turning does not change
 * them. */
static pc_mass_properties spread(const pc_mass_properties* p)
{
  pc_mass_properties r = *p;
  if (r.inertia[0] == 0 && r.inertia[4] == 0) r.inertia[0] = r.inertia[4] = r.inertia[8] / 2;
  return r;
}

void pc_mass_add(pc_mass_properties* sum, const pc_mass_properties* more, const pc_pose* pose)
{
  if (!sum || !more || !pose) return;
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double S[9] = {0}, c[3];
  int is_planar = more->inertia[0] == 0 && more->inertia[4] == 0;
  pc_mass_properties a = spread(sum), b = spread(more);
  pc_v3_put(pc_pose_apply(pose, pc_v3_of(more->centre)), c);
  second_about_origin(&a, unit, a.centre, S);
  second_about_origin(&b, pose->A, c, S);
  moments m = {.volume = a.mass + b.mass};
  for (int i = 0; i < 3; i++) m.first[i] = a.mass * a.centre[i] + b.mass * c[i];
  for (int i = 0; i < 9; i++) m.second[i] = S[i];
  *sum = properties_of(is_planar ? 2 : 3, &m, 1);
}

void pc_mass_scale(pc_mass_properties* p, double mass)
{
  if (!p) return;
  double factor = mass / p->mass;
  p->mass = mass;
  for (int i = 0; i < 9; i++) p->inertia[i] *= factor;
}
