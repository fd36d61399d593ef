#include "study/design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/error.h"
#include "study/portable_math.h"
#include "study/random.h"

/* A table is written by rows, so there is no limit from memory: this is what a typing error may ask
 * for. */
static const double rows_max = 1e9;

static pc_status bad(const char* name, const char* text, const char* expected, pc_error* error)
{
  return set_error(error, PC_BAD_ARGUMENT, "--set %s=%s: %s", name, text, expected);
}

/* `count` numbers with `separator` between them and `end` behind; returns how many there are, 0 if
 * the text is anything else. */
static long read_numbers(const char* text, char separator, char end, double* number, long max)
{
  long count = 0;
  for (const char* at = text; count < max; at++) {
    char* behind;
    double value = strtod(at, &behind);
    if (behind == at || !isfinite(value)) return 0;
    number[count++] = value;
    if (*behind == end && (!end || !behind[1])) return count;
    if (*behind != separator) return 0;
    at = behind;
  }
  return 0;
}

static pc_status make_values(axis* a, long count, pc_error* error)
{
  a->value = calloc((size_t)count, sizeof *a->value);
  a->count = count;
  return a->value ? PC_OK : set_error(error, PC_OUT_OF_MEMORY, "no memory");
}

/* Both ends exactly, and the same numbers in both directions. */
static double between(const double end[2], int logarithmic, long i, long count)
{
  if (i == 0 || count == 1) return end[0];
  if (i == count - 1) return end[1];
  double share = (double)i / (double)(count - 1);
  if (!logarithmic)
    return (end[0] * (double)(count - 1 - i) + end[1] * (double)i) / (double)(count - 1);
  return end[0] * portable_exp(share * portable_log(end[1] / end[0]));
}

static pc_status take_range(axis* a, const char* text, const double number[3], int logarithmic,
                            pc_error* error)
{
  double count = number[2];
  if (!(count >= 1 && count <= 1e7 && floor(count) == count))
    return bad(a->name, text, "the third number is that of the values, a whole one from 1 on",
               error);
  if (logarithmic && !(number[0] > 0 && number[1] > 0))
    return bad(a->name, text, "both ends must be positive", error);
  if (make_values(a, (long)count, error) != PC_OK) return PC_OUT_OF_MEMORY;
  for (long i = 0; i < a->count; i++) a->value[i] = between(number, logarithmic, i, a->count);
  return PC_OK;
}

static pc_status take_list(axis* a, const char* text, pc_error* error)
{
  long most = 1;
  for (const char* c = text; *c; c++) most += *c == ',';
  if (make_values(a, most, error) != PC_OK) return PC_OUT_OF_MEMORY;
  if (read_numbers(text, ',', '\0', a->value, most) == most) return PC_OK;
  return bad(a->name, text, "expected numbers, such as list:0.1,0.2,0.5", error);
}

static pc_status take_random(axis* a, const char* text, axis_kind kind, pc_error* error)
{
  double number[2];
  a->kind = kind;
  if (read_numbers(strchr(text, '(') + 1, ',', ')', number, 2) != 2)
    return bad(a->name, text, "expected two numbers, such as normal(0.3,0.02)", error);
  a->a = number[0];
  a->b = number[1];
  if (kind == AXIS_NORMAL && !(a->b >= 0))
    return bad(a->name, text, "the standard deviation must not be negative", error);
  if (kind == AXIS_UNIFORM && !(a->b >= a->a))
    return bad(a->name, text, "the first value must not exceed the second", error);
  return PC_OK;
}

static int begins(const char* text, const char* word)
{
  return strncmp(text, word, strlen(word)) == 0;
}

static pc_status read_axis(axis* a, const char* text, int* taken, pc_error* error)
{
  double number[3];
  *taken = 1;
  if (begins(text, "list:")) return take_list(a, text + 5, error);
  if (begins(text, "normal(")) return take_random(a, text, AXIS_NORMAL, error);
  if (begins(text, "uniform(")) return take_random(a, text, AXIS_UNIFORM, error);
  int logarithmic = begins(text, "log:");
  if (read_numbers(text + (logarithmic ? 4 : 0), ':', '\0', number, 3) == 3)
    return take_range(a, text, number, logarithmic, error);
  if (strchr(text, ':'))
    return bad(a->name, text,
               "expected FIRST:LAST:COUNT, log:FIRST:LAST:COUNT or list:VALUE,VALUE,...", error);
  *taken = 0;
  return PC_OK;
}

pc_status design_add(design* d, const char* name, const char* text, int* taken, pc_error* error)
{
  axis a = {.name = name};
  pc_status status = read_axis(&a, text, taken, error);
  if (status == PC_OK && *taken && d->axis_count == AXES_MAX)
    status = set_error(error, PC_BAD_ARGUMENT, "more than %d parameters vary", AXES_MAX);
  for (int i = 0; status == PC_OK && *taken && i < d->axis_count; i++)
    if (!strcmp(d->axis[i].name, name))
      status = bad(name, text, "this parameter varies already", error);
  if (status == PC_OK && *taken)
    d->axis[d->axis_count++] = a;
  else
    free(a.value);
  return status;
}

static pc_status count_grid(design* d, pc_error* error)
{
  double points = 1;
  const axis* first = NULL;
  for (int i = 0; i < d->axis_count; i++) {
    const axis* a = &d->axis[i];
    if (a->kind != AXIS_VALUES) continue;
    if (d->zip && first && a->count != first->count)
      return set_error(error, PC_BAD_ARGUMENT,
                       "--zip takes values together, but %s has %ld of them and %s %ld",
                       first->name, first->count, a->name, a->count);
    if (!d->zip || !first) points *= (double)a->count;
    first = a;
  }
  if (points > rows_max)
    return set_error(error, PC_BAD_ARGUMENT, "%.3g rows are too many, at most %.0e", points,
                     rows_max);
  d->grid = (long)points;
  return PC_OK;
}

pc_status design_finish(design* d, pc_error* error)
{
  int random = 0;
  for (int i = 0; i < d->axis_count; i++) random += d->axis[i].kind != AXIS_VALUES;
  if (random && !d->samples)
    return set_error(error, PC_BAD_ARGUMENT, "how many samples? give --samples N");
  if (!random && d->samples)
    return set_error(error, PC_BAD_ARGUMENT,
                     "--samples does nothing: no parameter is normal(...) or uniform(...)");
  if (random > SOBOL_AXES_MAX && !d->plain)
    return set_error(error, PC_BAD_ARGUMENT,
                     "Sobol's sequence is there for %d random parameters, not for %d; "
                     "give --sampling random",
                     SOBOL_AXES_MAX, random);
  pc_status status = count_grid(d, error);
  if (status != PC_OK) return status;
  double rows = (double)d->grid * (double)(random ? d->samples : 1);
  if (rows > rows_max)
    return set_error(error, PC_BAD_ARGUMENT, "%.3g rows are too many, at most %.0e", rows,
                     rows_max);
  d->rows = (long)rows;
  return PC_OK;
}

static double sample_of(const design* d, const axis* a, int number, long sample)
{
  double p =
      d->plain ? random_uniform(d->seed, number, sample) : sobol_uniform(d->seed, number, sample);
  if (a->kind == AXIS_NORMAL) return a->a + a->b * normal_quantile(p);
  return a->a + (a->b - a->a) * p;
}

void design_row(const design* d, long row, double* value)
{
  long samples = d->samples ? d->samples : 1, sample = row % samples, point = row / samples;
  int random = 0;
  for (int i = d->axis_count - 1; i >= 0; i--) {
    const axis* a = &d->axis[i];
    if (a->kind != AXIS_VALUES) continue;
    value[i] = a->value[point % a->count];
    if (!d->zip) point /= a->count;
  }
  for (int i = 0; i < d->axis_count; i++)
    if (d->axis[i].kind != AXIS_VALUES) value[i] = sample_of(d, &d->axis[i], random++, sample);
}

void design_free(design* d)
{
  for (int i = 0; i < d->axis_count; i++) free(d->axis[i].value);
  *d = (design){0};
}
