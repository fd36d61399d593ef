/* The beam in space: its derivatives, what it must not feel, and statics with known answers. */
#include <string.h>

#include "base/rotation.h"
#include "conformance.h"
#include "linalg/dense.h"
#include "scene.h"
#include "system/terms.h"

static const double PI = 3.14159265358979323846;

enum { Q = 7, U = 6 }; /* of a node */

static pc_beam_def beam_def(int elements, int nodes)
{
  pc_beam_def def = pc_default_beam_def();
  def.name = "beam";
  def.elements = elements;
  def.nodes = nodes;
  memcpy(def.root, (const double[3]){0.5, -0.2, 0.3}, sizeof def.root);
  memcpy(def.tip, (const double[3]){1.7, 0.7, -0.4}, sizeof def.tip);
  memcpy(def.up, (const double[3]){0.1, 0.3, 0.8}, sizeof def.up);
  def.area = 0.3;
  def.inertia = 0.07;
  def.inertia_2 = 0.05;
  def.torsion = 0.09;
  def.density = 1.7;
  def.modulus = 2.9;
  def.poisson = 0.2;
  return def;
}

static pc_part_id add_beam(pc_system* system, const pc_beam_def* def)
{
  pc_error error = {0};
  pc_part_id id;
  CHECK_OK(pc_add_beam(system, def, &id, &error), error);
  return id;
}

static void derivatives_of_a_spatial_beam(void** state)
{
  (void)state;
  for (int nodes = 2; nodes <= 3; nodes++)
    for (int damped = 0; damped < 2; damped++) {
      pc_system* s = make_system(3);
      make_mass(s, "mass", 0, 0, 0);
      pc_beam_def def = beam_def(2, nodes);
      def.turn = damped ? -1.1 : 0.7;
      def.damping = damped ? 0.6 : 0;
      add_beam(s, &def);
      conformance options = default_conformance();
      options.spread = 0.2;
      check_conformance(s, options);
      pc_system_destroy(s);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_of_a_spatial_beam),
  };
  (void)PI;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
