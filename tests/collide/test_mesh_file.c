#include "collide/mesh_file.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "linalg/random.h"

static const char text_stl[] =
    "solid a name\n"
    "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1e0 0\n "
    "endloop\nendfacet\n"
    "facet normal 0 0 1\n outer loop\n  vertex 1 0 0\n  vertex 1 1 -0.0\n  vertex 0 1 0\n "
    "endloop\nendfacet\n"
    "endsolid a name\n";

static const char obj[] =
    "# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 1\nv 0 1 0\ng square\nf 1/1 2//2 -2 -1\n";

/* The square of the two texts above, as a binary file. */
static size_t binary_stl(unsigned char bytes[84 + 100])
{
  static const float corner[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  memset(bytes, 0, 84 + 100);
  memcpy(bytes, "solid but binary", 16);
  bytes[80] = 2;
  for (int t = 0; t < 2; t++) memcpy(bytes + 84 + 50 * t + 12, corner + 9 * t, 36);
  return 84 + 100;
}

static void check_square(const char* bytes, size_t size)
{
  pc_triangles t;
  pc_error error = {0};
  CHECK_OK(pc_triangles_parse("square", bytes, size, &t, &error), error);
  assert_int_equal(t.corner_count, 4);
  assert_int_equal(t.triangle_count, 2);
  double area = 0;
  for (int i = 0; i < 2; i++) {
    const double *a = t.corner + 3 * t.triangle[3 * i], *b = t.corner + 3 * t.triangle[3 * i + 1],
                 *c = t.corner + 3 * t.triangle[3 * i + 2];
    area += ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
  }
  CHECK_NEAR(area, 1, 0);
  pc_triangles_release(&t);
}

static void a_square_is_read_from_every_format(void** state)
{
  (void)state;
  unsigned char bytes[184];
  check_square(text_stl, sizeof text_stl - 1);
  check_square(obj, sizeof obj - 1);
  check_square((const char*)bytes, binary_stl(bytes));
}

static void refused(const char* bytes, size_t size, const char* text)
{
  pc_triangles t;
  pc_error error = {0};
  assert_int_equal(pc_triangles_parse("file", bytes, size, &t, &error), PC_BAD_MODEL);
  assert_null(t.corner);
  if (strstr(error.text, text) && strstr(error.text, "file")) return;
  print_error("'%s' does not say '%s'\n", error.text, text);
  fail();
}

static void what_is_wrong_is_said_with_its_line(void** state)
{
  (void)state;
  unsigned char bytes[184];
  binary_stl(bytes);
  refused((const char*)bytes, 160, "ends after 1 of 2");
  bytes[84 + 12 + 3] = 0x7f, bytes[84 + 12 + 2] = 0xc0; /* a NaN */
  refused((const char*)bytes, 184, "triangle 0 is not finite");
  refused("", 0, "no triangle");
  refused("hello\n", 6, "line 1");
  refused("v 0 0 0\nv 1 0\n", 14, "line 2: three finite numbers");
  refused("v 0 0 0\nv 1 0 inf\n", 18, "line 2");
  refused("v 0 0 0\nf 1 2 3\n", 16, "line 2: a face with a corner");
  refused("v 0 0 0\nf 1 1\n", 14, "fewer than three");
  refused("v 0 0 0\nf 1 x 1\n", 16, "numbers of corners");
  refused("solid\nvertex 0 0 0\n", 19, "line 2: a vertex");
  refused("solid\nfacet\nendfacet\n", 21, "line 3: a facet with fewer");
  refused("solid\nfacet\nvertex 1 2 3\n", 25, "ends before 'endsolid'");
  refused("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", 32, "no triangle with an area");
}

static void a_missing_file_is_an_error(void** state)
{
  (void)state;
  pc_triangles t;
  pc_error error;
  assert_int_equal(pc_triangles_read("no-such-file.stl", &t, &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "no-such-file.stl"));
}

/* Every file that is truncated or has bytes changed is read to an end, within its bytes (the
 * sanitizer build checks an exact copy) and with valid triangles, or refused. */
static void check_survives(const char* bytes, size_t size)
{
  char* copy = malloc(size ? size : 1);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  pc_triangles t;
  pc_error error = {0};
  pc_status status = pc_triangles_parse("file", copy, size, &t, &error);
  if (status == PC_OK) {
    assert_true(t.triangle_count > 0);
    for (int i = 0; i < 3 * t.triangle_count; i++)
      assert_true(t.triangle[i] >= 0 && t.triangle[i] < t.corner_count);
    for (int i = 0; i < 3 * t.corner_count; i++) assert_true(isfinite(t.corner[i]));
  } else {
    assert_true(error.text[0]);
  }
  pc_triangles_release(&t);
  free(copy);
}

static void mutate(const char* bytes, size_t size, random_source* r)
{
  char changed[512];
  for (size_t cut = 0; cut <= size; cut++) check_survives(bytes, cut);
  for (int trial = 0; trial < 20000; trial++) {
    memcpy(changed, bytes, size);
    int changes = 1 + trial % 4;
    for (int i = 0; i < changes; i++) {
      size_t at = (size_t)((random_number(r) + 1) / 2 * (double)size);
      static const char likely[] = "0123456789.-+eE \n\t/vf#\0\377\177";
      changed[at] = likely[(size_t)((random_number(r) + 1) / 2 * (double)(sizeof likely - 1))];
    }
    check_survives(changed, size);
  }
}

static void mutated_files_are_read_or_refused(void** state)
{
  (void)state;
  random_source r = {41};
  unsigned char bytes[184];
  mutate(text_stl, sizeof text_stl - 1, &r);
  mutate(obj, sizeof obj - 1, &r);
  mutate((const char*)bytes, binary_stl(bytes), &r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_square_is_read_from_every_format),
      cmocka_unit_test(what_is_wrong_is_said_with_its_line),
      cmocka_unit_test(a_missing_file_is_an_error),
      cmocka_unit_test(mutated_files_are_read_or_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
