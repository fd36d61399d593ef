/* Many of a kind: repetitions, tables, included files; against the same models written by hand. */
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/example.h"
#include "percuss/model.h"

#define HEAD "percuss: 1\n"

static pc_model* read_text(const char* text)
{
  pc_model* model = NULL;
  pc_error error = {0};
  CHECK_OK(pc_model_read_text(text, strlen(text), NULL, 0, &model, &error), error);
  return model;
}

static double quantity_at_start(const pc_model* model, const char* name)
{
  const pc_system* system = pc_model_system(model);
  int i = pc_system_find_quantity(system, name);
  if (i < 0) fail_msg("no quantity '%s'", name);
  pc_sim_def def = pc_default_sim_def();
  def.system = system;
  def.scheme = "moreau-jean";
  pc_sim* sim = NULL;
  pc_error error = {0};
  CHECK_OK(pc_sim_create(&def, &sim, &error), error);
  double value = pc_observe_quantity(pc_sim_observation(sim), i);
  pc_sim_destroy(sim);
  return value;
}

/* The same names, and the same numbers at the start. */
static void check_same(const char* written_short, const char* written_out)
{
  pc_model *a = read_text(written_short), *b = read_text(written_out);
  const pc_system *x = pc_model_system(a), *y = pc_model_system(b);
  assert_int_equal(pc_system_quantity_count(x), pc_system_quantity_count(y));
  for (int i = 0; i < pc_system_quantity_count(x); i++) {
    const char* name = pc_system_quantity(x, i).name;
    assert_string_equal(name, pc_system_quantity(y, i).name);
    CHECK_NEAR(quantity_at_start(a, name), quantity_at_start(b, name), 0);
  }
  pc_model_destroy(a);
  pc_model_destroy(b);
}

static void a_chain_is_what_it_is_when_written_out(void** state)
{
  (void)state;
  check_same(HEAD
             "parameters: {N: 3, l: 0.5}\n"
             "gravity: [0, -9.81]\n"
             "bodies:\n"
             "  link(i): {repeat: {i: N}, where: {x: i*l}, mass: 1 + i, inertia: 0.1,\n"
             "            position: [x + l/2, 0], spin: 2}\n"
             "joints:\n"
             "  base: {revolute: {bodies: [ground, link(0)], at: [0, 0]}}\n"
             "  pin(i): {repeat: {i: [1, N - 1]}, revolute: {bodies: [link(i-1), link(i)],\n"
             "           at: [i*l, 0]}}\n"
             "points:\n"
             "  tip(i): {repeat: {i: N}, value: [link(i), [l/2, 0]]}\n"
             "forces:\n"
             "  link(N-1).y: -0.1*link(N-1).vy\n"
             "record: {mean: \"sum(i, N, link(i).x)/N\", far: \"largest(k, N, tip(k).x)\",\n"
             "         near: \"smallest(k, N, tip(k).x)\"}\n",
             HEAD
             "gravity: [0, -9.81]\n"
             "bodies:\n"
             "  link0: {mass: 1, inertia: 0.1, position: [0.25, 0], spin: 2}\n"
             "  link1: {mass: 2, inertia: 0.1, position: [0.75, 0], spin: 2}\n"
             "  link2: {mass: 3, inertia: 0.1, position: [1.25, 0], spin: 2}\n"
             "joints:\n"
             "  base: {revolute: {bodies: [ground, link0], at: [0, 0]}}\n"
             "  pin1: {revolute: {bodies: [link0, link1], at: [0.5, 0]}}\n"
             "  pin2: {revolute: {bodies: [link1, link2], at: [1, 0]}}\n"
             "points: {tip0: [link0, [0.25, 0]], tip1: [link1, [0.25, 0]],\n"
             "         tip2: [link2, [0.25, 0]]}\n"
             "forces: {link2.y: -0.1*link2.vy}\n"
             "record: {mean: (link0.x + link1.x + link2.x)/3, far: tip2.x, near: tip0.x}\n");
}

static void indices_nest_and_conditions_choose(void** state)
{
  (void)state;
  check_same(
      HEAD
      "bodies:\n"
      "  a(r,c): {repeat: {r: 2, c: 1 + r}, mass: 1, inertia: 1, position: [c, r]}\n"
      "  b(i): {repeat: {i: 6}, when: i > 1 and i != 3 or i == 0, mass: 1 + i, inertia: 1}\n"
      "  c: {when: false, mass: 1, inertia: 1}\n"
      "  d: {when: true, mass: 1, inertia: 1}\n"
      "  e: {when: 2 < 2, mass: 1, inertia: 1}\n  f: {when: 2 > 2, mass: 1, inertia: 1}\n"
      "  g: {when: 2 != 2, mass: 1, inertia: 1}\n  h: {when: 3 <= 2, mass: 1, inertia: 1}\n"
      "  k: {when: 2 >= 3, mass: 1, inertia: 1}\n  l: {when: 2 <= 2, mass: 1, inertia: 1}\n"
      "  m: {when: 2 >= 2, mass: 1, inertia: 1}\n",
      HEAD
      "bodies:\n"
      "  a0_0: {mass: 1, inertia: 1, position: [0, 0]}\n"
      "  a1_0: {mass: 1, inertia: 1, position: [0, 1]}\n"
      "  a1_1: {mass: 1, inertia: 1, position: [1, 1]}\n"
      "  b0: {mass: 1, inertia: 1}\n"
      "  b2: {mass: 3, inertia: 1}\n"
      "  b4: {mass: 5, inertia: 1}\n"
      "  b5: {mass: 6, inertia: 1}\n"
      "  d: {mass: 1, inertia: 1}\n  l: {mass: 1, inertia: 1}\n  m: {mass: 1, inertia: 1}\n");
}

static void lists_and_formulas_are_repeated_too(void** state)
{
  (void)state;
  check_same(HEAD
             "parameters: {n: 3}\n"
             "coordinates: {x(i): {repeat: {i: n}, value: i, velocity: 2*i}}\n"
             "kinetic: sum(i, n, x(i)'^2/2)\n"
             "potential: sum(i, n - 1, (x(i+1) - x(i) - 1)^2)\n"
             "constraints: {tie: x(0) - x(n-1) + 2}\n"
             "forces: {x(i): {repeat: {i: n}, value: -x(i)'}}\n"
             "contacts: {wall(i): {repeat: {i: n}, gap: x(i) + 1}}\n"
             "record: [{repeat: {i: n}, value: x(i)}]\n",
             HEAD
             "coordinates: {x0: {value: 0, velocity: 0}, x1: {value: 1, velocity: 2},\n"
             "              x2: {value: 2, velocity: 4}}\n"
             "kinetic: (x0'^2 + x1'^2 + x2'^2)/2\n"
             "potential: (x1 - x0 - 1)^2 + (x2 - x1 - 1)^2\n"
             "constraints: {tie: x0 - x2 + 2}\n"
             "forces: {x0: -x0', x1: -x1', x2: -x2'}\n"
             "contacts: {wall0: {gap: x0 + 1}, wall1: {gap: x1 + 1}, wall2: {gap: x2 + 1}}\n"
             "record: [x0, x1, x2]\n");
}

static void tables_give_numbers_by_row_and_column(void** state)
{
  (void)state;
  check_same(HEAD
             "parameters: {s: 2}\n"
             "tables:\n"
             "  pins: {columns: [x, y], rows: [[0, 1], [s, 3], [4, 5]]}\n"
             "  m: [1, 2, s + 1]\n"
             "bodies:\n"
             "  p(k): {repeat: {k: pins}, kind: point, mass: \"m(k, 0)\",\n"
             "         position: [pins(k).x, \"pins(k, 1) + pins.rows\"]}\n",
             HEAD
             "bodies:\n"
             "  p0: {kind: point, mass: 1, position: [0, 4]}\n"
             "  p1: {kind: point, mass: 2, position: [2, 6]}\n"
             "  p2: {kind: point, mass: 3, position: [4, 8]}\n");
}

/* Numbers of an independent program with the same definition. */
static void random_numbers_are_the_same_everywhere(void** state)
{
  (void)state;
  pc_model* model = read_text(HEAD
                              "parameters: {seed: 1, N: 4000}\n"
                              "coordinates: {a: \"random(seed, 0)\", b: \"random(1, 1)\",\n"
                              "              c: \"random(7, 123)\",\n"
                              "              mean: \"sum(i, N, random(seed, i))/N\",\n"
                              "              square: \"sum(i, N, random(seed, i)^2)/N\",\n"
                              "              tied: \"sum(i, N, (random(1, i) - 0.5)*\n"
                              "                     (random(2, i) - 0.5))/N\"}\n"
                              "kinetic: a'^2 + b'^2 + c'^2 + mean'^2 + square'^2 + tied'^2\n");
  CHECK_NEAR(quantity_at_start(model, "a"), 0.5527267908469196, 0);
  CHECK_NEAR(quantity_at_start(model, "b"), 0.6478326283837885, 0);
  CHECK_NEAR(quantity_at_start(model, "c"), 0.07913629813117562, 0);
  CHECK_NEAR(quantity_at_start(model, "mean"), 0.5, 4 / sqrt(12 * 4000.0));
  CHECK_NEAR(quantity_at_start(model, "square"), 1 / 3.0, 4 * sqrt(4 / 45.0 / 4000));
  CHECK_NEAR(quantity_at_start(model, "tied"), 0, 4 / 12.0 / sqrt(4000.0));
  pc_model_destroy(model);
}

static void the_examples_of_the_page_run(void** state)
{
  (void)state;
  run r = open_example("repeated");
  double start = value(&r, "centre");
  CHECK_NEAR(start, 0, 0);
  run_until(&r, 0.1);
  CHECK_NEAR(value(&r, "link19.y"), -9.81 * 0.01 / 2, 1e-3); /* the far end falls freely at first */
  close_run(&r);
  char* text = read_example("tables");
  pc_model* model = read_text(text);
  CHECK_NEAR(quantity_at_start(model, "stone1.y"), 0.5, 0);
  CHECK_NEAR(quantity_at_start(model, "stone1.z"), 2, 0);
  pc_model_destroy(model);
  free(text);
}

/* v' = 10 - 2 v up to 1 m/s, then v' = 16 - 8 v. */
static void a_table_is_the_characteristic_of_a_motor(void** state)
{
  (void)state;
  run r = open_example("motor");
  run_until(&r, 0.1);
  CHECK_NEAR(value(&r, "sledge.vx"), 5 * (1 - exp(-0.2)), 1e-6);
  run_until(&r, 0.5);
  double rest = 0.5 - log(1.25) / 2;
  CHECK_NEAR(value(&r, "sledge.vx"), 2 - exp(-8 * rest), 1e-4);
  close_run(&r);
}

static void ten_thousand_bodies_are_a_few_lines(void** state)
{
  (void)state;
  pc_model* model = read_text(HEAD
                              "space: spatial\n"
                              "bodies:\n"
                              "  ball(i): {repeat: {i: 10000}, mass: 1, inertia: [1, 1, 1],\n"
                              "    position: [\"mod(i, 22)\", \"mod(floor(i/22), 22)\", "
                              "floor(i/484)]}\n");
  const pc_system* system = pc_model_system(model);
  assert_int_equal(pc_system_u_count(system), 60000);
  CHECK_NEAR(quantity_at_start(model, "ball9999.x"), 9999 % 22, 0);
  CHECK_NEAR(quantity_at_start(model, "ball9999.y"), 9999 / 22 % 22, 0);
  CHECK_NEAR(quantity_at_start(model, "ball9999.z"), 9999 / 484, 0);
  pc_model_destroy(model);
}

/* --- files ---------------------------------------------------------------------------------- */

static char folder[] = "/tmp/percuss-repeat-XXXXXX";

static void write_bytes(const char* name, const char* bytes, size_t size)
{
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

static void write_file(const char* name, const char* text)
{
  write_bytes(name, text, strlen(text));
}

static pc_status read_named(const char* name, pc_model** model, pc_error* error)
{
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return pc_model_read(path, NULL, 0, model, error);
}

static void files_are_found_beside_the_model_and_kept_with_its_text(void** state)
{
  (void)state;
  pc_model* model = NULL;
  pc_error error = {0};
  write_file("pins.csv", "\xef\xbb\xbf# where the pins are\nx; y\n 1.5; -2\r\n\n3;4e1\n");
  write_file("parts/leg.yaml", HEAD
             "include: foot.yaml\n"
             "parameters: {l: 1, w: 5}\n"
             "gravity: [0, -1]\n"
             "bodies: {leg: {mass: l, inertia: w}}\n");
  write_file("parts/foot.yaml", HEAD "bodies: {foot: {kind: point, mass: 9}}\n");
  write_file("main.yaml", HEAD
             "include: [parts/leg.yaml]\n"
             "parameters: {l: 7}\n"
             "tables: {pins: pins.csv}\n"
             "gravity: [0, -2]\n"
             "bodies:\n"
             "  pin(i): {repeat: {i: pins}, kind: point, mass: 1,\n"
             "           position: [pins(i).x, pins(i).y]}\n");
  CHECK_OK(read_named("main.yaml", &model, &error), error);
  CHECK_NEAR(quantity_at_start(model, "pin0.x"), 1.5, 0);
  CHECK_NEAR(quantity_at_start(model, "pin1.y"), 40, 0);
  CHECK_NEAR(quantity_at_start(model, "foot.x"), 0, 0);
  double value = 0;
  for (int i = 0; pc_model_parameter(model, i, &value); i++)
    if (strcmp(pc_model_parameter(model, i, NULL), "l") == 0) CHECK_NEAR(value, 7, 0);
  pc_model* again = read_text(pc_model_text(model)); /* without the files */
  CHECK_NEAR(quantity_at_start(again, "pin1.x"), 3, 0);
  assert_string_equal(pc_model_text(again), pc_model_text(model));
  pc_model_destroy(again);
  pc_model_destroy(model);
}

static void check_file_error(const char* part)
{
  pc_model* model = NULL;
  pc_error error = {0};
  assert_int_equal(read_named("bad.yaml", &model, &error), PC_BAD_MODEL);
  if (!strstr(error.text, part)) fail_msg("'%s' is not in '%s'", part, error.text);
  assert_true(error.line > 0);
}

static void errors_name_the_file_that_is_to_blame(void** state)
{
  (void)state;
  write_file("odd.csv", "1,2\n3\n");
  write_file("bad.yaml", HEAD "tables: {a: odd.csv}\n");
  check_file_error("table 'a': odd.csv:2: expected 2 numbers, found 1");
  write_file("odd.csv", "1,2\n3,four\n");
  check_file_error("odd.csv:2: expected a number, found 'four'");
  write_file("odd.csv", "1,2\n3,inf\n");
  check_file_error("odd.csv:2: expected a number, found 'inf'");
  write_bytes("odd.csv", "1,2\n\0\n3,4\n", 10);
  check_file_error("odd.csv:2: the line contains a zero byte");
  write_bytes("odd.csv", "1,2\n3,4\0,5\n", 11);
  check_file_error("odd.csv:2: the line contains a zero byte");
  write_bytes("odd.csv", "1,2\n3,4\n# \0", 11);
  check_file_error("odd.csv:3: the line contains a zero byte");
  write_file("odd.csv",
             "1,2\n3,0.000000000000000000000000000000000000000000000000000000000000000000"
             "00000000000000000000000001e99\n");
  check_file_error("odd.csv:2: expected a number, found '0.0");
  write_file("odd.csv", "# nothing\n");
  check_file_error("there are no numbers");
  write_file("bad.yaml", HEAD "tables: {a: nowhere.csv}\n");
  check_file_error("'nowhere.csv': cannot open: No such file or directory");
  write_file("bad.yaml", HEAD "tables: {a: parts}\n");
  check_file_error("'parts': it is not a file");
  write_file("bad.yaml", HEAD "include: bad.yaml\n");
  check_file_error("files include each other");
  write_file("odd.yaml", HEAD "bodies:\n  a: {mas: 1}\n");
  write_file("bad.yaml", HEAD "include: odd.yaml\n");
  check_file_error("odd.yaml:3:7: body 'a': unknown key 'mas'; did you mean 'mass'?");
  write_file("bad.yaml", HEAD "include: odd.yaml\nbodies: {a: {mass: 1, inertia: 1}}\n");
  check_file_error("'a' stands in odd.yaml, too, at line 3");
  write_file("odd.yaml", "bodies: {\n");
  check_file_error("odd.yaml:2:1: not valid YAML");
  write_file("odd.yaml", "bodies: {}\n");
  check_file_error("'odd.yaml' is not a model file: 'percuss: 1' is missing");
}

/* --- errors --------------------------------------------------------------------------------- */

typedef struct bad_model {
  const char* text;
  int line, column;
  const char* fragment;
} bad_model;

#define BALLS HEAD "parameters: {N: 3}\nbodies:\n"
#define REST  ", mass: 1, inertia: 1}\n"

static const bad_model bad_models[] = {
    {BALLS "  ball: {repeat: {i: N}" REST, 4, 3,
     "'ball' is repeated, so its name needs the index: 'ball(i)'"},
    {BALLS "  floor(i): {repeat: {i: N}" REST, 4, 3, "'floor(i)' cannot be a name with an index"},
    {BALLS "  ball(j): {repeat: {i: N}" REST, 4, 3,
     "'ball(j)': unknown name 'j'; known here: i, N"},
    {BALLS "  ball(i): {repeat: 3" REST, 4, 21,
     "repeat: expected a mapping such as {i: N}, found a single value"},
    {BALLS "  ball(i): {repeat: {i: 2.5}" REST, 4, 25, "it is 2.5, but must be a whole number"},
    {BALLS "  ball(i): {repeat: {i: 1e9}" REST, 4, 25,
     "repeat: it is 1000000000 times, but at most 200000 will do"},
    {BALLS "  ball(i,j): {repeat: {i: 2000, j: 2000}, when: 0" REST, 4, 15,
     "repeat: more than 200000 entries in this file"},
    {BALLS "  ball(i): {repeat: {i: {a: 1}}" REST, 4, 25,
     "expected a number, [first, last] or the name of a table, found a mapping"},
    {BALLS "  ball(i): {repeat: {N: 2}" REST, 4, 22, "the name 'N' is taken already"},
    {BALLS "  ball(i): {repeat: {sin: 2}" REST, 4, 22, "'sin' cannot be the name of an index"},
    {BALLS "  ball(i): {repeat: {i: 2}, where: {a: max(1, 2)}" REST, 4, 47,
     "'2)' cannot be the name of an index (an expression with a comma needs quotes)"},
    {BALLS "  ball(i): {repeat: {i: 2}, where: {i: 2}" REST, 4, 37,
     "the name 'i' is taken already"},
    {BALLS "  ball(i/2): {repeat: {i: 2}" REST, 4, 3,
     "'ball(i/2)': the index is 0.5, but must be a whole number from 0 on (where i = 1)"},
    {BALLS "  ball(i): {repeat: {i: 2}, when: i >" REST, 4, 35,
     "expected a condition such as i > 0; a number is missing in 'i >'"},
    {BALLS "  ball(i): {repeat: {i: 2}, mass: 1, inertia: i}\n", 4, 47,
     "body 'ball0', inertia: it is 0, but must be positive (where i = 0)"},
    {BALLS "  ball(i): {repeat: {i: N}" REST "joints:\n"
           "  p(i): {repeat: {i: N}, revolute: {bodies: [ball(i-1), ball(i)], at: [0, 0]}}\n",
     6, 46, "'ball(i-1)': the index is -1, but must be a whole number from 0 on (where i = 0)"},
    {BALLS "  ball(i): {repeat: {i: N}" REST
           "joints: [{revolute: {bodies: [ground, bal(1)], at: [0, 0]}}]\n",
     5, 39, "there is no 'bal(...)'; did you mean 'ball'?"},
    {BALLS "  ball(i): {repeat: {i: N}" REST
           "joints: [{revolute: {bodies: [ground, ball(3)], at: [0, 0]}}]\n",
     5, 39, "there is no body 'ball3'; did you mean 'ball0'?"},
    {BALLS "  ball(i): {repeat: {i: N}" REST "record: {a: \"sum(i, N, ball(i + 1).x)\"}\n", 5, 24,
     "output 'a': unknown name 'ball(3).x'; did you mean"},
    {BALLS "  ball(i): {repeat: {i: N}" REST "record: {a: \"sum(i, N, ball(i).x\"}\n", 5, 33,
     "expected ')', but the text ends"},
    {BALLS "  ball(i): {repeat: {i: N}" REST "record: {a: \"sum(1, N, 2)\"}\n", 5, 18,
     "expected the name of an index, not '1'"},
    {BALLS "  ball(i): {repeat: {i: N}" REST "record: {a: \"sum(i, 0, i)\"}\n", 5, 21,
     "the number of terms must be a whole number from 1 on"},
    {BALLS "  ball(i): {repeat: {i: N}" REST "record: {a: \"sum(i, 99999, sum(j, 99999, i))\"}\n",
     5, 28, "written out, the terms have more than 4000000 characters"},
    {BALLS "  ball: {mass: \"random(1, N/x)\", inertia: 1}\n", 4, 29, "unknown name 'x'"},
    {HEAD "tables: 3\n", 2, 9, "tables: expected a mapping of names to tables"},
    {HEAD "tables: {a: [[1, 2], [3]]}\n", 2, 22,
     "table 'a': all rows must have as many numbers as the first"},
    {HEAD "tables: {sin: [1]}\n", 2, 10, "'sin' cannot be the name of a table"},
    {HEAD "tables: {a: []}\n", 2, 13, "table 'a': expected a list of rows"},
    {HEAD "tables: {a: {columns: [x], rows: [[1, 2]]}}\n", 2, 23,
     "table 'a': columns: expected a list with a name for each column"},
    {HEAD "tables: {a: [[1, 2], [1, 3]]}\ncoordinates: {x: 0}\nkinetic: x'^2\npotential: table(x, "
          "a)\n",
     5, 21, "there is no table 'a': the numbers of its first column must increase"},
    {HEAD "coordinates: {x: 0}\nkinetic: x'^2\npotential: table(x, b.csv)\n", 4, 21,
     "there is no table 'b.csv': cannot read 'b.csv'"},
    {HEAD "parameters: {p: \"table(1, b)\"}\n", 2, 27, "not in parameters"},
    {HEAD "tables: {a: data.csv}\n", 2, 13,
     "cannot read 'data.csv': a model that is not a file itself reads no files"},
    {HEAD "include: other.yaml\n", 2, 10, "a model that is not a file itself reads no files"},
    {HEAD "tables: {a: [[1, 2]]}\nbodies: {b: {kind: point, mass: \"a(0, 2)\"}}\n", 3, 34,
     "unknown name 'a(0,2)'; known here: a.rows, a(0,0), a(0,1)"},
};

static void repetitions_that_make_no_sense_are_refused(void** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof bad_models / sizeof *bad_models; i++) {
    const bad_model* bad = &bad_models[i];
    pc_model* model = NULL;
    pc_error error = {0};
    pc_status status = pc_model_read_text(bad->text, strlen(bad->text), NULL, 0, &model, &error);
    if (status != PC_BAD_MODEL || error.line != bad->line || error.column != bad->column ||
        !strstr(error.text, bad->fragment))
      print_error("%s\ngives %d:%d: %s\n", bad->text, error.line, error.column, error.text);
    assert_int_equal(status, PC_BAD_MODEL);
    assert_int_equal(error.line, bad->line);
    assert_int_equal(error.column, bad->column);
    assert_non_null(strstr(error.text, bad->fragment));
  }
}

static int make_folder(void** state)
{
  (void)state;
  char path[200];
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/parts", folder);
  return mkdir(path, 0700);
}

static int remove_folder(void** state)
{
  (void)state;
  static const char* const name[] = {"pins.csv", "parts/leg.yaml", "parts/foot.yaml", "main.yaml",
                                     "odd.csv",  "bad.yaml",       "odd.yaml",        "parts"};
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name[i]);
    remove(path);
  }
  return rmdir(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_is_what_it_is_when_written_out),
      cmocka_unit_test(indices_nest_and_conditions_choose),
      cmocka_unit_test(lists_and_formulas_are_repeated_too),
      cmocka_unit_test(tables_give_numbers_by_row_and_column),
      cmocka_unit_test(random_numbers_are_the_same_everywhere),
      cmocka_unit_test(the_examples_of_the_page_run),
      cmocka_unit_test(a_table_is_the_characteristic_of_a_motor),
      cmocka_unit_test(ten_thousand_bodies_are_a_few_lines),
      cmocka_unit_test(files_are_found_beside_the_model_and_kept_with_its_text),
      cmocka_unit_test(errors_name_the_file_that_is_to_blame),
      cmocka_unit_test(repetitions_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
