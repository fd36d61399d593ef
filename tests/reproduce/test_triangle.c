#include "check.h"

#include <math.h>

#include "reproduce/triangle.h"

enum { COUNT = 8 };

/* Powers of dt, from 0.1 down by halves. */
typedef struct plotted {
  drawing d;
  double x[COUNT], y[CURVES_OF_PANEL_MAX][COUNT];
} plotted;

static void add_power(plotted* p, double factor, double order)
{
  int at = p->d.curve_count[0]++;
  for (int i = 0; i < COUNT; i++) {
    p->x[i] = 0.1 * pow(0.5, i);
    p->y[at][i] = factor * pow(p->x[i], order);
  }
  p->d.curve[0][at] = (drawn_curve){.x = p->x, .y = p->y[at], .count = COUNT};
}

/* Below the hypotenuse and above the base at x. */
static int is_inside(const triangle* t, double x, double y)
{
  return y > t->bottom && y < t->bottom * pow(x / t->x[0], t->slope);
}

static void check_free(const plotted* p, const triangle* t)
{
  assert_true(t->bottom > 0 && t->x[0] < t->x[1]);
  for (int k = 0; k < p->d.curve_count[0]; k++)
    for (double x = t->x[0]; x <= t->x[1]; x *= 1.01) {
      double share = log(x / p->x[0]) / log(p->x[1] / p->x[0]);
      double y = p->y[k][0] * pow(p->y[k][1] / p->y[k][0], share);
      assert_false(is_inside(t, x, y));
    }
}

static void it_stands_below_a_curve_that_is_alone(void** state)
{
  (void)state;
  plotted p = {0};
  add_power(&p, 1, 2);
  triangle t = place_triangle(&p.d, 0, 2, NULL, 0);
  check_free(&p, &t);
  assert_true(t.bottom < t.x[0] * t.x[0]);
  assert_true(t.bottom > t.x[0] * t.x[0] / 10); /* near it */
}

/* A second curve of higher order crosses the place below the first, as in alpha-fig2; now and then
 * there is no place left. */
static void no_curve_passes_through_it(void** state)
{
  (void)state;
  int placed = 0, wanted = 0;
  for (double factor = 1e-3; factor < 1e3; factor *= 1.3) {
    plotted p = {0};
    add_power(&p, 1, 1);
    add_power(&p, factor, 2);
    add_power(&p, 100, 1);
    triangle one = place_triangle(&p.d, 0, 1, NULL, 0), two = place_triangle(&p.d, 0, 2, &one, 1);
    for (int i = 0; i < 2; i++, wanted++) {
      const triangle* t = i ? &two : &one;
      if (isnan(t->bottom)) continue;
      check_free(&p, t);
      placed++;
    }
  }
  assert_true(placed >= 0.9 * wanted);
}

static void triangles_are_not_on_each_other(void** state)
{
  (void)state;
  plotted p = {0};
  add_power(&p, 1, 1);
  triangle before[3];
  for (int i = 0; i < 3; i++) {
    before[i] = place_triangle(&p.d, 0, 1 + 0.1 * i, before, i);
    check_free(&p, &before[i]);
    for (int k = 0; k < i; k++)
      assert_true(before[i].bottom > before[k].bottom * before[k].x[1] / before[k].x[0] ||
                  before[k].bottom > before[i].bottom * before[i].x[1] / before[i].x[0]);
  }
}

static void where_there_is_no_place_there_is_none(void** state)
{
  (void)state;
  plotted p = {0};
  for (int i = 0; i < 12; i++) add_power(&p, pow(10, -0.2 * i), 1);
  assert_true(isnan(place_triangle(&p.d, 0, 6, NULL, 0).bottom));
  plotted none = {0};
  assert_true(isnan(place_triangle(&none.d, 0, 1, NULL, 0).bottom));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_stands_below_a_curve_that_is_alone),
      cmocka_unit_test(no_curve_passes_through_it),
      cmocka_unit_test(triangles_are_not_on_each_other),
      cmocka_unit_test(where_there_is_no_place_there_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
