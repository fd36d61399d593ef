#include "reproduce/verdict.h"

#include <math.h>
#include <string.h>

#include "study/number.h"

static int check_agrees(const item_check* c, double ours)
{
  switch (c->relation) {
    case NEAR: return fabs(ours - c->expected) <= c->tolerance;
    case BELOW: return ours <= c->expected;
    case ABOVE: return ours >= c->expected;
  }
  return 0;
}

static void add_model(verdict* v, const char* name)
{
  int i = 0;
  while (i < MODELS_MAX && v->model[i] && strcmp(v->model[i], name) != 0) i++;
  if (i < MODELS_MAX) v->model[i] = name;
}

static int is_left_out(const item_data* data, const item_check* c)
{
  for (int i = 0; i < data->run_count; i++)
    if (data->run[i] && data->run[i]->left_out && check_covers(c, i)) return 1;
  return 0;
}

verdict judge(const item_data* data)
{
  verdict v = {.item = data->item};
  for (int i = 0; i < data->run_count; i++) {
    if (!data->run[i]) continue;
    const job* j = &data->run[i]->job;
    add_model(&v, data->run[i]->spec->model);
    v.is_partial |= data->run[i]->left_out;
    if (data->run[i]->left_out) continue;
    v.seconds += j->seconds;
    if (!v.failure && !j->started) v.failure = "no memory for the runs";
    if (!v.failure && j->status != PC_OK) v.failure = j->error.text;
  }
  for (const item_check* c = data->item->check; c->what && v.check_count < CHECKS_MAX; c++) {
    int i = v.check_count++;
    v.left_out[i] = is_left_out(data, c);
    v.ours[i] = v.left_out[i] ? NAN : c->ours(data, c);
    if (v.left_out[i]) continue;
    v.agrees[i] = check_agrees(c, v.ours[i]);
    v.judged_count += !c->is_note;
    v.agree_count += v.agrees[i] && !c->is_note;
  }
  return v;
}

int verdict_agrees(const verdict* v)
{
  return v->agree_count == v->judged_count && !v->failure;
}

int is_undecided(const item_data* data)
{
  verdict v = judge(data);
  if (v.failure) return 0;
  for (int i = 0; i < v.check_count; i++)
    if (!v.agrees[i] && !v.left_out[i] && !v.item->check[i].is_note && !v.item->check[i].why)
      return 0;
  return 1;
}

const char* check_word(const verdict* v, int i)
{
  if (v->left_out[i]) return "left out";
  if (v->item->check[i].is_note) return "note";
  return v->agrees[i] ? "agrees" : "differs";
}

int check_differs(const verdict* v, int i)
{
  return !v->agrees[i] && !v->left_out[i] && !v->item->check[i].is_note;
}

const char* verdict_reason(const verdict* v, int i)
{
  const char* why = v->item->check[i].why;
  if (!check_differs(v, i)) return "";
  if (v->failure) return v->failure;
  return why ? why : "no reason is known";
}

int reason_ends(const verdict* v, int i)
{
  for (int k = i + 1; k < v->check_count; k++)
    if (check_differs(v, k) && !strcmp(verdict_reason(v, k), verdict_reason(v, i))) return 0;
  return check_differs(v, i);
}

kind_counts count_kinds(const verdict* verdicts, int count)
{
  kind_counts counts = {0};
  for (const verdict* v = verdicts; v < verdicts + count; v++)
    for (int i = 0; i < v->check_count; i++) {
      if (v->item->check[i].is_note || v->left_out[i]) continue;
      reference_kind kind = kind_of(v->item, &v->item->check[i]);
      counts.all[kind]++;
      counts.agree[kind] += v->agrees[i];
    }
  return counts;
}

void format_kinds(const kind_counts* counts, char* text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (reference_kind kind = PUBLISHED; kind < KIND_COUNT && used < size; kind++)
    used += (size_t)snprintf(text + used, size - used, "%s%s %d of %d", used ? ", " : "",
                             kind_name(kind), counts->agree[kind], counts->all[kind]);
}

/* 1.324e-04 becomes 1.324e-4, -0 becomes 0. */
static void format_digits(double value, int digits, char* text, size_t size)
{
  if (!isfinite(value)) {
    snprintf(text, size, "none");
    return;
  }
  snprintf(text, size, "%.*g", digits, value == 0 ? 0.0 : value);
  char* exponent = strchr(text, 'e');
  if (exponent && exponent[2] == '0') memmove(exponent + 2, exponent + 3, strlen(exponent + 2));
}

void format_value(double value, char* text, size_t size)
{
  format_digits(value, 5, text, size);
}

void format_to_tolerance(const item_check* c, double value, char* text, size_t size)
{
  int digits = 5;
  if (c->relation == NEAR && c->tolerance > 0 && value != 0 && isfinite(value))
    digits = (int)fmin(12, fmax(5, ceil(log10(fabs(value) / c->tolerance)) + 1));
  format_digits(value, digits, text, size);
}

void format_expected(const item_check* c, char* text, size_t size)
{
  char value[40], tolerance[40];
  format_to_tolerance(c, c->expected, value, sizeof value);
  format_value(c->tolerance, tolerance, sizeof tolerance);
  const char *says = c->says ? c->says : "", *colon = c->says ? ": " : "";
  if (c->relation != NEAR)
    snprintf(text, size, "%s%s%s %s", says, colon, c->relation == BELOW ? "≤" : "≥", value);
  else if (c->tolerance == 0)
    snprintf(text, size, "%s%s%s", says, colon, value);
  else
    snprintf(text, size, "%s%s%s ± %s", says, colon, value, tolerance);
}

void format_reference(const item* one, const item_check* c, char* text, size_t size)
{
  reference_kind kind = kind_of(one, c);
  if (kind == FITTED)
    snprintf(text, size, "%s: %s", kind_name(kind), fitted_of(one, c));
  else
    snprintf(text, size, "%s", kind_name(kind));
}

void format_difference(const item_check* c, double ours, char* text, size_t size)
{
  text[0] = '\0';
  if (c->relation == NEAR) format_value(ours - c->expected, text, size);
}

static void write_text(FILE* to, const char* text)
{
  fputc('"', to);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', to);
    fputc(*text == '\n' ? ' ' : *text, to);
  }
  fputc('"', to);
}

static void write_number(FILE* to, const char* key, double value)
{
  char text[40];
  format_number(value, text, sizeof text);
  fprintf(to, ", \"%s\": %s", key, text);
}

static void write_check(const verdict* v, int i, FILE* to)
{
  static const char* const relations[] = {"near", "at most", "at least"};
  const item_check* c = &v->item->check[i];
  fprintf(to, "%s    {\"what\": ", i ? ",\n" : "\n");
  write_text(to, c->what);
  reference_kind kind = kind_of(v->item, c);
  fprintf(to, ", \"kind\": \"%s\", \"relation\": \"%s\"", kind_name(kind), relations[c->relation]);
  if (kind == FITTED) fputs(", \"fitted\": ", to), write_text(to, fitted_of(v->item, c));
  if (c->says) fputs(", \"says\": ", to), write_text(to, c->says);
  write_number(to, "expected", c->expected);
  if (c->relation == NEAR) write_number(to, "tolerance", c->tolerance);
  write_number(to, "ours", v->ours[i]);
  if (c->relation == NEAR) write_number(to, "difference", v->ours[i] - c->expected);
  fprintf(to, ", \"verdict\": \"%s\"", check_word(v, i));
  if (check_differs(v, i)) fputs(", \"why\": ", to), write_text(to, verdict_reason(v, i));
  fputc('}', to);
}

static void write_models(const verdict* v, FILE* to)
{
  fputs(",\n  \"models\": [", to);
  for (int i = 0; i < MODELS_MAX && v->model[i]; i++) {
    if (i) fputs(", ", to);
    write_text(to, v->model[i]);
  }
  fputc(']', to);
}

void write_verdict(const verdict* v, const char* changed, FILE* to)
{
  char source[SOURCE_SIZE];
  item_source(v->item, source, sizeof source);
  fputs("{\n  \"item\": ", to);
  write_text(to, v->item->name);
  fputs(",\n  \"source\": ", to);
  write_text(to, source);
  if (*changed) fputs(",\n  \"changed\": ", to), write_text(to, changed);
  fputs(",\n  \"title\": ", to);
  write_text(to, v->item->title);
  write_models(v, to);
  fprintf(to, ",\n  \"verdict\": \"%s\",\n  \"values\": [",
          verdict_agrees(v) ? "agrees" : "differs");
  for (int i = 0; i < v->check_count; i++) write_check(v, i, to);
  fputs("\n  ],\n  \"note\": ", to);
  write_text(to, v->item->note ? v->item->note : "");
  fputs("\n}\n", to);
}
