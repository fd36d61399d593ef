/* An allocator that counts, and one that fails at the n-th call. */
#include "mechanisms.h"

static int calls;
static int failing = -1; /* the call that fails; negative: none */

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);

static int fails(void)
{
  return calls++ == failing;
}

void* __wrap_malloc(size_t size)
{
  return fails() ? NULL : __real_malloc(size);
}

void* __wrap_calloc(size_t count, size_t size)
{
  return fails() ? NULL : __real_calloc(count, size);
}

void* __wrap_realloc(void* memory, size_t size)
{
  return fails() ? NULL : __real_realloc(memory, size);
}

static void evaluation_does_not_allocate(void** state)
{
  (void)state;
  for (int m = 0; m < MECHANISM_COUNT; m++) {
    parsed p;
    parse_mechanism(mechanisms[m], &p);
    lone_element e;
    create_element(&p.def, mechanisms[m]->n, PC_TERM_ALL, &e);
    int before = calls;
    for (int k = 0; k < 1000; k++) {
      for (int i = 0; i < N_MAX; i++) e.q[i] = 0.01 * k + i;
      e.l.t = 0.001 * k;
      pc_formula_ops.evaluate(e.terms, &e.l);
    }
    assert_int_equal(calls, before);
    destroy_element(&e);
    pc_pool_destroy(p.pool);
  }
}

static void signals_do_not_allocate_when_called(void** state)
{
  (void)state;
  static const char* const variables[] = {"x", "y", NULL};
  pc_pool* pool = pc_pool_create();
  names n = {.variable = variables};
  pc_gap_field field;
  assert_int_equal(pc_formula_gap_field(pool, parse(pool, &n, "y - sin(x)"), &field), PC_OK);
  int before = calls;
  double gap, gradient[2], hessian[4];
  field.value(field.user, (double[]){1, 2}, &gap, gradient, hessian);
  assert_int_equal(calls, before);
  field.destroy(field.user);
  pc_pool_destroy(pool);
}

/* From the text to the prepared element; every step may run out of memory. */
static pc_status whole_way(void)
{
  pc_pool* pool = pc_pool_create();
  if (!pool) return PC_OUT_OF_MEMORY;
  names n = {rheonomic.variable, parameter_names, parameter_values, ""};
  pc_formula_def def = {.name = "rheonomic", .pool = pool, .has_kinetic = 1, .gamma_count = 1};
  pc_expr gamma;
  def.gamma = &gamma;
  pc_formula_terms* terms = NULL;
  void* work = NULL;
  pc_error error = {0};
  pc_status status = pc_parse(pool, rheonomic.kinetic, look_up, &n, &def.kinetic, &error);
  if (status == PC_OK) status = pc_parse(pool, "(x'^2-1)/(x'+1)", look_up, &n, &gamma, &error);
  if (status == PC_OK)
    status = pc_formula_terms_create(&def, &(pc_formula_layout){3, 3, 0, NULL}, &terms, &error);
  if (status == PC_OK) status = pc_formula_ops.prepare(terms, PC_TERM_ALL, &work);
  pc_formula_ops.release(work);
  pc_formula_terms_destroy(terms);
  pc_pool_destroy(pool);
  return status;
}

static void running_out_of_memory_is_reported_at_every_call(void** state)
{
  (void)state;
  int n = 0;
  pc_status status = PC_OUT_OF_MEMORY;
  for (; status == PC_OUT_OF_MEMORY; n++) {
    calls = 0;
    failing = n;
    status = whole_way();
    failing = -1;
  }
  assert_int_equal(status, PC_OK);
  assert_true(n > 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(evaluation_does_not_allocate),
      cmocka_unit_test(signals_do_not_allocate_when_called),
      cmocka_unit_test(running_out_of_memory_is_reported_at_every_call),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
