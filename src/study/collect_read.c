/* Measures as text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/collect.h"
#include "study/error.h"
#include "study/suggest.h"

static const struct {
  const char* name;
  measure_kind kind;
} functions[] = {{"max", MEASURE_MAX},     {"min", MEASURE_MIN}, {"maxabs", MEASURE_MAXABS},
                 {"mean", MEASURE_MEAN},   {"std", MEASURE_STD}, {"sum", MEASURE_SUM},
                 {"count", MEASURE_COUNT}, {"at", MEASURE_AT},   {"section", MEASURE_SECTION},
                 {"every", MEASURE_EVERY}};

enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

/* A text from `from` to `to`, without blanks around it; NULL if there is no memory. */
static char* copy_between(const char* from, const char* to)
{
  while (from < to && *from == ' ') from++;
  while (to > from && to[-1] == ' ') to--;
  return strndup(from, (size_t)(to - from));
}

static pc_status no_memory(pc_error* error)
{
  return set_error(error, PC_OUT_OF_MEMORY, "no memory");
}

static pc_status bad(const measure* m, const char* expected, pc_error* error)
{
  return set_error(error, PC_BAD_ARGUMENT, "--collect %s: expected %s", m->name, expected);
}

/* "corner1.closed" into the contact and the event. */
static pc_status read_event(measure* m, const char* from, const char* to, pc_error* error)
{
  m->where = copy_between(from, to);
  if (!m->where) return no_memory(error);
  char* dot = strrchr(m->where, '.');
  m->opened = dot && !strcmp(dot, ".opened");
  if (!dot || dot == m->where || (!m->opened && strcmp(dot, ".closed") != 0))
    return bad(m, "an event, such as corner1.closed or corner1.opened", error);
  *dot = '\0';
  return PC_OK;
}

/* The i-th word "name=number", "falling". */
static pc_status read_limit(measure* m, const char* word, pc_error* error)
{
  char* end = NULL;
  const char* equals = strchr(word, '=');
  double number = equals ? strtod(equals + 1, &end) : NAN;
  int whole = equals && end != equals + 1 && !*end && number >= 1 && number <= 1e9 &&
              floor(number) == number;
  if (!strcmp(word, "falling") && m->kind == MEASURE_SECTION)
    m->falling = 1;
  else if (!strncmp(word, "last=", 5) && whole)
    m->last = (long)number;
  else if (!strncmp(word, "first=", 6) && whole)
    m->first = (long)number;
  else if (!strncmp(word, "after=", 6) && end && !*end && isfinite(number))
    m->after = number;
  else
    return bad(m, "last=N, first=N, after=TIME or (in a section) falling behind the comma", error);
  return PC_OK;
}

/* "NAME, last=N" up to `to`. */
static pc_status read_listed(measure* m, const char* from, const char* to, pc_error* error)
{
  const char* comma = memchr(from, ',', (size_t)(to - from));
  m->of = copy_between(from, comma ? comma : to);
  if (!m->of) return no_memory(error);
  pc_status status = *m->of ? PC_OK : bad(m, "a quantity behind the colon", error);
  while (status == PC_OK && comma) {
    from = comma + 1;
    comma = memchr(from, ',', (size_t)(to - from));
    char* word = copy_between(from, comma ? comma : to);
    status = word ? read_limit(m, word, error) : no_memory(error);
    free(word);
  }
  return status;
}

/* What stands before the colon of a list. */
static pc_status read_condition(measure* m, const char* from, const char* to, pc_error* error)
{
  const char* equals = memchr(from, '=', (size_t)(to - from));
  if (m->kind == MEASURE_AT) return read_event(m, from, to, error);
  if (m->kind == MEASURE_SECTION && !equals) return bad(m, "section(NAME=VALUE: NAME)", error);
  if (m->kind == MEASURE_SECTION) {
    m->where = copy_between(from, equals);
    from = equals + 1;
    if (!m->where) return no_memory(error);
  }
  m->value = copy_between(from, to);
  if (!m->value) return no_memory(error);
  return *m->value ? PC_OK : bad(m, "a number or an expression before the colon", error);
}

/* What is in the brackets. */
static pc_status read_argument(measure* m, const char* from, const char* to, pc_error* error)
{
  if (m->kind == MEASURE_COUNT) return read_event(m, from, to, error);
  if (!measure_is_list(m)) {
    m->of = copy_between(from, to);
    return m->of ? PC_OK : no_memory(error);
  }
  const char* colon = memchr(from, ':', (size_t)(to - from));
  if (!colon) return bad(m, "a colon, as in at(corner1.closed: NAME)", error);
  pc_status status = read_condition(m, from, colon, error);
  return status == PC_OK ? read_listed(m, colon + 1, to, error) : status;
}

static pc_status read_function(measure* m, const char* open, pc_error* error)
{
  size_t length = (size_t)(open - m->name), all = strlen(m->name);
  for (int i = 0; i < FUNCTION_COUNT; i++)
    if (strlen(functions[i].name) == length && !strncmp(m->name, functions[i].name, length)) {
      m->kind = functions[i].kind;
      if (m->name[all - 1] != ')') return bad(m, "a closing bracket", error);
      return read_argument(m, open + 1, m->name + all - 1, error);
    }
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)length, m->name);
  suggestion near = suggestion_for(word);
  for (int i = 0; i < FUNCTION_COUNT; i++) suggest(&near, functions[i].name);
  return set_error(error, PC_BAD_ARGUMENT,
                   "--collect %s: there is no '%s'%s; see 'percuss help sweep'", m->name, word,
                   suggestion_text(&near));
}

static pc_status read_measure(measure* m, pc_error* error)
{
  const char* open = strchr(m->name, '(');
  if (!*m->name) return bad(m, "a measure between the commas", error);
  if (open) return read_function(m, open, error);
  int final = !strncmp(m->name, "final.", 6);
  m->kind = final ? MEASURE_FINAL : MEASURE_SUMMARY;
  m->of = strdup(m->name + (final ? 6 : 0));
  return m->of ? PC_OK : no_memory(error);
}

int measures_names(const measures* m, const char*** name)
{
  int count = 0;
  *name = m ? calloc(2 * (size_t)m->count + 1, sizeof **name) : NULL;
  if (m && !*name) return -1;
  for (int i = 0; m && i < m->count; i++) {
    const measure* one = &m->item[i];
    if (one->of && one->kind != MEASURE_SUMMARY) (*name)[count++] = one->of;
    if (one->where && one->kind == MEASURE_SECTION) (*name)[count++] = one->where;
  }
  return count;
}

/* The end of a measure: a comma outside of brackets, or the end of the text. */
static const char* end_of_measure(const char* at)
{
  for (int depth = 0; *at && (*at != ',' || depth > 0); at++) depth += (*at == '(') - (*at == ')');
  return at;
}

pc_status measures_read(measures* m, const char* text, pc_error* error)
{
  pc_status status = PC_OK;
  for (const char *at = text, *end; status == PC_OK; at = end + 1) {
    end = end_of_measure(at);
    measure* more = realloc(m->item, (size_t)(m->count + 1) * sizeof *more);
    if (!more) return no_memory(error);
    m->item = more;
    measure* next = &m->item[m->count++];
    *next = (measure){.name = copy_between(at, end), .after = -INFINITY};
    if (!next->name) return no_memory(error);
    status = read_measure(next, error);
    if (!*end) break;
  }
  return status;
}

void measures_free(measures* m)
{
  for (int i = 0; i < m->count; i++) {
    free(m->item[i].name);
    free(m->item[i].of);
    free(m->item[i].where);
    free(m->item[i].value);
  }
  free(m->item);
  *m = (measures){0};
}

int measure_is_list(const measure* m)
{
  return m->kind == MEASURE_AT || m->kind == MEASURE_SECTION || m->kind == MEASURE_EVERY;
}
