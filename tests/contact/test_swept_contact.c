/* Contacts of sweeps in velocity space: one row of bodies, contacts between neighbours and with the
 * ground. */
#include <math.h>
#include <stdint.h>

#include "check.h"
#include "contact/swept_contact.h"
#include "solve/problems.h"

enum { BODIES = 12, CONTACTS = 2 * BODIES, WIDTH = PC_SWEPT_WIDTH };

/* A pool has three rows for each contact. */
typedef struct scene {
  pc_swept_contact contact[CONTACTS];
  _Alignas(16) double pool[CONTACTS * 3 * PC_SWEPT_SPAN];
  _Alignas(16) double v[BODIES * WIDTH];
  pc_swept_rows rows;
  int count;
} scene;

/* Even contacts are of one body and the ground, odd ones of two bodies. */
static void make_scene(scene* s, uint64_t seed)
{
  dice d = {seed};
  uint32_t place = 0; /* in pairs */
  memset(s, 0, sizeof *s);
  s->rows = (pc_swept_rows){.pool = s->pool, .v = s->v, .symmetric = 1};
  for (int i = 0; i < BODIES * WIDTH; i++) s->v[i] = uniform(&d, -1, 1);
  for (int i = 0; i + 1 < CONTACTS; i++) {
    pc_swept_contact* k = &s->contact[s->count++];
    int two = i % 2;
    *k = (pc_swept_contact){.rows = 3,
                            .body = {i / 2 * WIDTH, two ? (i / 2 + 1) * WIDTH : -1},
                            .size = {WIDTH, (unsigned char)(two * WIDTH)},
                            .usual = (unsigned char)(1 + two),
                            .place = place,
                            .mu = uniform(&d, 0.1, 2)};
    for (int r = 0; r < 3; r++) k->c[r] = uniform(&d, -0.5, 0.5);
    int size = pc_swept_size(3, pc_swept_width(k));
    for (int i_G = 0; i_G < size; i_G++) pc_swept_G(&s->rows, k)[i_G] = uniform(&d, -1, 1);
    place += (uint32_t)size / 2;
    pc_swept_contact_prepare(k, &s->rows);
  }
}

static int same_bits(int n, const double* a, const double* b)
{
  return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static void wide_and_narrow_kernels_have_the_same_bits(void** state)
{
  (void)state;
  static scene narrow, wide;
  if (!pc_swept_is_wide()) skip();
  for (uint64_t seed = 1; seed <= 50; seed++) {
    make_scene(&narrow, seed);
    make_scene(&wide, seed);
    for (int sweep = 0; sweep < 30; sweep++) {
      pc_swept_contacts_relax(narrow.contact, narrow.count, &narrow.rows, 0);
      pc_swept_contacts_relax(wide.contact, wide.count, &wide.rows, 1);
    }
    assert_true(same_bits(BODIES * WIDTH, narrow.v, wide.v));
    for (int i = 0; i < narrow.count; i++)
      assert_true(same_bits(3, narrow.contact[i].z, wide.contact[i].z));
  }
}

/* The natural map of Coulomb's law at the last velocities, as far as impulses go. */
static double violation(const pc_swept_contact* k, const double* y)
{
  double z_N = fmax(0, k->z[0] - k->mass * y[0]), p[2], length;
  for (int i = 0; i < 2; i++) p[i] = k->z[1 + i] - k->mass * y[1 + i];
  length = hypot(p[0], p[1]);
  double scale = length > k->mu * k->z[0] ? k->mu * k->z[0] / length : 1;
  double worst = fabs(k->z[0] - z_N);
  for (int i = 0; i < 2; i++) worst = fmax(worst, fabs(k->z[1 + i] - scale * p[i]));
  return worst;
}

static void sweeps_end_where_all_contacts_obey_their_laws(void** state)
{
  (void)state;
  static scene s;
  int open = 0, stick = 0, slip = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    make_scene(&s, seed);
    for (int sweep = 0; sweep < 20000; sweep++)
      pc_swept_contacts_relax(s.contact, s.count, &s.rows, pc_swept_is_wide());
    for (int i = 0; i < s.count; i++) {
      const pc_swept_contact* k = &s.contact[i];
      double y[3];
      pc_swept_contact_dual(k, &s.rows, y);
      CHECK_NEAR(violation(k, y), 0, 1e-9);
      int is_stuck = hypot(k->z[1], k->z[2]) < 0.999 * k->mu * k->z[0];
      open += k->z[0] == 0;
      stick += is_stuck;
      slip += k->z[0] > 0 && !is_stuck;
    }
  }
  assert_true(open > 20 && stick > 20 && slip > 20);
}

/* It turns velocities into impulses where residuals are compared: rows over the trace of G G', in
 * kg. */
static void the_mass_of_a_contact_is_that_of_its_rows(void** state)
{
  (void)state;
  static scene made;
  make_scene(&made, 1);
  for (int i = 0; i < made.count; i++) {
    const pc_swept_contact* k = &made.contact[i];
    const double* G = pc_swept_G(&made.rows, k);
    double trace = 0;
    for (int j = 0; j < k->rows * pc_swept_width(k); j++) trace += G[j] * G[j];
    CHECK_NEAR(k->mass, k->rows / trace, 1e-13 * k->mass);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wide_and_narrow_kernels_have_the_same_bits),
      cmocka_unit_test(the_mass_of_a_contact_is_that_of_its_rows),
      cmocka_unit_test(sweeps_end_where_all_contacts_obey_their_laws),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
