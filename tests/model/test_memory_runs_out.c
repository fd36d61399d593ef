/* Every allocation of a reading fails once: the answer is PC_OUT_OF_MEMORY, never a crash. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "percuss/model.h"

/* The linker sends the allocations of percuss here (-Wl,--wrap). */
void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* block, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* block, size_t size);

static long until_failure = -1; /* allocations that succeed; negative: all of them */

static int fails(void)
{
  return until_failure >= 0 && until_failure-- == 0;
}

void* __wrap_malloc(size_t size)
{
  return fails() ? NULL : __real_malloc(size);
}

void* __wrap_calloc(size_t count, size_t size)
{
  return fails() ? NULL : __real_calloc(count, size);
}

void* __wrap_realloc(void* block, size_t size)
{
  return fails() ? NULL : __real_realloc(block, size);
}

static const char text[] =
    "percuss: 1\n"
    "parameters: {m: 2, k: m*3}\n"
    "gravity: [1, -9.81]\n"
    "bodies:\n"
    "  a: {mass: m, inertia: m/8, position: [0.5, 1], angle: 0.3}\n"
    "  p: {kind: point, mass: 0.5, position: [3, 1]}\n"
    "coordinates: {s: {value: 0.25, velocity: 2}, w: 4}\n"
    "kinetic: 3/2*s'^2 + w'^2/2\n"
    "potential: 5*(s - a.angle)^2\n"
    "joints:\n"
    "  - revolute: {bodies: [ground, a], at: [0.1, 0.2]}\n"
    "  - distance: {points: [[a, [0.1, 0]], p], length: 1.5}\n"
    "forces:\n"
    "  f: {force: {point: [a, [0.2, 0.1]], value: [m*t, sin(t)]}}\n"
    "  q: {torque: {body: a, value: '2*t'}}\n"
    "  a.x: -7*p.vy\n"
    "constraints:\n"
    "  gear: a.angle - 2*s + t\n"
    "  skate: {velocity: p.vx - s*a.spin + 3}\n"
    "contacts:\n"
    "  stop: {gap: p.y - s^2 - 0.5, slip: a.vx + s', friction: 0.5}\n"
    "  c6: {point: [p, [0, 0]], curve: {f: y - x^2}, friction: 0.1}\n"
    "simulate: {scheme: moreau, dt: 1/1000}\n"
    "record: [a, stop.gap]\n";

static const char line[] =
    "percuss: 1\n"
    "space: line\n"
    "bodies:\n"
    "  bar: {kind: bar, elements: 3, root: 0, tip: 1, area: 1, density: 1, modulus: 1}\n"
    "joints: {clamp: {fixed: {bodies: [ground, bar.root]}}}\n"
    "contacts: {wall: {point: bar.tip, plane: {point: 2, normal: -1}}}\n";

static const char plane[] =
    "percuss: 1\n"
    "bodies:\n"
    "  beam: {kind: beam, elements: 2, nodes: 3, root: [0, 0], tip: [1, 0], area: 1, inertia: 1,\n"
    "         density: 1, modulus: 1}\n"
    "joints: {clamp: {fixed: {bodies: [ground, beam.root]}}}\n"
    "contacts: {wall: {point: [beam.tip, [0, 1]], plane: {point: [2, 0], normal: [-1, 0]}}}\n";

static const char space[] =
    "percuss: 1\n"
    "space: spatial\n"
    "bodies:\n"
    "  beam: {kind: beam, elements: 2, root: [0, 0, 0], tip: [1, 0, 0], area: 1, inertia: 1,\n"
    "         density: 1, modulus: 1}\n"
    "joints: {clamp: {fixed: {bodies: [ground, beam.root]}}}\n";

static const char machine[] =
    "percuss: 1\n"
    "space: spatial\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
    "points: {tip: [a, [1, 0, 0]]}\n"
    "joints:\n"
    "  pin: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
    "  hub: {screw: {bodies: [ground, b], at: [1, 0, 0], axis: [0, 0, 1], pitch: 0.1}}\n"
    "  mesh: {gear: {joints: [pin, hub], teeth: [2, 3]}}\n"
    "forces:\n"
    "  f: {force: {point: a, frame: b, value: [tip.x, t, h]}}\n"
    "  d: {joint-friction: {joint: pin, bound: 1, kinetic: 0.5, stribeck: 0.1}}\n"
    "drives: {m: {joint: pin, angle: t}}\n"
    "limits: {s: {joint: hub, min: -1}}\n"
    "record: [pin, hub.force, {h: tip.z + a.qw, j: {value: 2*h, unit: m}}]\n";

/* Whether the reading needed fewer allocations than `allowed`. */
static const char many[] =
    "percuss: 1\n"
    "parameters: {N: 3}\n"
    "tables: {pins: {columns: [x, y], rows: [[0, 1], [2, 3]]}, m: [1, 2]}\n"
    "bodies:\n"
    "  a(i): {repeat: {i: N}, where: {r: 1 + i}, when: i > 0 and r < 9, mass: r, inertia: 1}\n"
    "  b(k): {repeat: {k: pins}, kind: point, mass: \"m(k, 0)\", position: [pins(k).x, 1]}\n"
    "points: {tip(i): {repeat: {i: [1, 2]}, value: [a(i), [1, 0]]}}\n"
    "record: {s: \"sum(i, 2, tip(i+1).x + random(1, i)) + table(t, pins, smooth)\"}\n";

static int reading_succeeds(const char* model_text, long allowed)
{
  pc_model* model = NULL;
  pc_error error = {0};
  until_failure = allowed;
  pc_status status = pc_model_read_text(model_text, strlen(model_text), NULL, 0, &model, &error);
  int untouched = until_failure >= 0;
  until_failure = -1;
  if (status == PC_OK) {
    pc_model_destroy(model);
    assert_true(untouched); /* a failed allocation must not go unnoticed */
    return 1;
  }
  assert_int_equal(status, PC_OUT_OF_MEMORY);
  assert_int_equal(error.status, PC_OUT_OF_MEMORY);
  assert_null(model);
  return 0;
}

static void a_reading_without_memory_says_so(void** state)
{
  (void)state;
  const char* const all[] = {text, line, plane, space, machine, many};
  for (int i = 0; i < 5; i++) {
    long allowed = 0;
    while (allowed < 100000 && !reading_succeeds(all[i], allowed)) allowed++;
    assert_in_range(allowed, 100, 99999);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_reading_without_memory_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
