/* What the tests share on top of cmocka: checks whose failures print both values. */
#ifndef PC_TESTS_CHECK_H
#define PC_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "percuss/base.h"

/* |got - want| <= tolerance, and got is a number. */
#define CHECK_NEAR(got, want, tolerance) \
  check_near((got), (want), (tolerance), #got, __FILE__, __LINE__)

/* A call that must succeed; `error` is a pc_error that the call filled. */
#define CHECK_OK(call, error) check_ok((call), &(error), #call, __FILE__, __LINE__)

static inline void check_near(double got, double want, double tolerance, const char* what,
                              const char* file, int line)
{
  if (fabs(got - want) <= tolerance) return;
  print_error("%s:%d: %s is %.17g, not %.17g (difference %.3g, tolerance %.3g)\n", file, line, what,
              got, want, got - want, tolerance);
  _fail(file, line);
}

static inline void check_ok(pc_status status, const pc_error* error, const char* what,
                            const char* file, int line)
{
  if (status == PC_OK) return;
  print_error("%s:%d: %s: %s: %s\n", file, line, what, pc_status_text(status), error->text);
  _fail(file, line);
}

#endif
