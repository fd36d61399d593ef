#include "draw/result_figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/palette.h"
#include "draw/series.h"
#include "study/error.h"

enum { FEW_IMPACTS = 60, LABEL_SIZE = 128 };

/* A result and the rows of it that are drawn. */
typedef struct source {
  const pc_result* result;
  long first;
  char label[LABEL_SIZE];
} source;

typedef struct result_figure {
  const result_figure_def* def;
  source source[RESULTS_MAX];
  plot_run run[RESULTS_MAX];
  panel panel[PANELS_MAX];
  char title[256];
  figure figure;
} result_figure;

/* `count` numbers from a result, to be freed. */
static pc_status read_numbers(const source* s, int series, long first, long count, double** into,
                              pc_error* error)
{
  *into = calloc((size_t)count + 1, sizeof **into);
  if (!*into) return set_error(error, PC_OUT_OF_MEMORY, "no memory");
  pc_status status = pc_result_read(s->result, series, first, count, *into, error);
  if (status == PC_OK) return PC_OK;
  free(*into);
  *into = NULL;
  return status;
}

/* The rows between `from` and `until`, which may be off by the rounding of a sum of steps. */
static pc_status choose_rows(const result_figure_def* def, source* s, plot_run* run,
                             pc_error* error)
{
  long length = pc_result_length(s->result), last = length;
  double* time;
  pc_status status = read_numbers(s, 0, 0, length, &time, error);
  if (status != PC_OK) return status;
  while (s->first < last && time[s->first] < def->from - 1e-9 * fabs(def->from)) s->first++;
  while (last > s->first && time[last - 1] > def->until + 1e-9 * fabs(def->until)) last--;
  run->count = last - s->first;
  free(time);
  if (run->count > 0) return PC_OK;
  const char* path = pc_result_path(s->result);
  return length == 0 ? set_error(error, PC_BAD_MODEL, "'%s' holds no rows", path)
                     : set_error(error, PC_BAD_ARGUMENT,
                                 "'%s' has no rows between --from and --until", path);
}

static pc_status read_x(result_figure* p, int i, pc_error* error)
{
  int series;
  const source* s = &p->source[i];
  pc_status status = find_series(s->result, p->figure.x_name, &series, error);
  if (status != PC_OK) return status;
  p->figure.x_unit = pc_result_series(s->result, series).unit;
  return read_numbers(s, series, s->first, p->run[i].count, &p->run[i].x, error);
}

/* The rows with an impact, each once. */
static pc_status read_impacts(const source* s, plot_run* run, pc_error* error)
{
  pc_impact* impact;
  int count;
  pc_status status = pc_result_impacts(s->result, &impact, &count, error);
  if (status != PC_OK) return status;
  run->impact = calloc((size_t)count + 1, sizeof *run->impact);
  for (int i = 0; run->impact && i < count; i++) {
    long row = impact[i].row - s->first;
    int again = run->impact_count > 0 && run->impact[run->impact_count - 1] == row;
    if (row >= 0 && row < run->count && !again) run->impact[run->impact_count++] = row;
  }
  free(impact);
  return run->impact ? PC_OK : set_error(error, PC_OUT_OF_MEMORY, "no memory");
}

/* Unless they are asked for, impacts are marked over time, for one run, and if they are few. */
static pc_status mark_impacts(result_figure* p, pc_error* error)
{
  const result_figure_def* def = p->def;
  if (def->impacts == 0 || (def->impacts < 0 && (!p->figure.over_time || def->result_count > 1)))
    return PC_OK;
  for (int i = 0; i < def->result_count; i++) {
    pc_status status = read_impacts(&p->source[i], &p->run[i], error);
    if (status != PC_OK) return status;
    if (def->impacts < 0 && p->run[i].impact_count >= FEW_IMPACTS) p->run[i].impact_count = 0;
  }
  return PC_OK;
}

static pc_status read_runs(result_figure* p, pc_error* error)
{
  for (int i = 0; i < p->def->result_count; i++) {
    pc_status status = choose_rows(p->def, &p->source[i], &p->run[i], error);
    if (status == PC_OK) status = read_x(p, i, error);
    if (status != PC_OK) return status;
  }
  return mark_impacts(p, error);
}

static int has_points(const curve* c)
{
  for (long i = 0; i < c->run->count; i++)
    if (isfinite(c->run->x[i]) && isfinite(c->y[i])) return 1;
  return 0;
}

static pc_status read_curve(const source* s, const plot_run* run, const char* name, curve* c,
                            pc_error* error)
{
  int series;
  pc_status status = find_series(s->result, name, &series, error);
  if (status != PC_OK) return status;
  c->run = run;
  c->name = name;
  c->unit = pc_result_series(s->result, series).unit;
  status = read_numbers(s, series, s->first, run->count, &c->y, error);
  if (status != PC_OK || has_points(c)) return status;
  return set_error(error, PC_BAD_ARGUMENT, "'%s' of '%s' has no finite values to draw", name,
                   pc_result_path(s->result));
}

static pc_status read_panel(result_figure* p, int number, pc_error* error)
{
  const result_figure_def* def = p->def;
  panel* into = &p->panel[number];
  into->name_count = def->panel[number].count;
  into->curve = calloc((size_t)def->result_count * (size_t)into->name_count, sizeof *into->curve);
  if (!into->curve) return set_error(error, PC_OUT_OF_MEMORY, "no memory");
  for (int r = 0; r < def->result_count; r++)
    for (int i = 0; i < into->name_count; i++) {
      curve* c = &into->curve[into->curve_count++];
      c->number = i;
      pc_status status =
          read_curve(&p->source[r], &p->run[r], def->panel[number].name[i], c, error);
      if (status != PC_OK) return status;
    }
  return PC_OK;
}

static pc_status read_panels(result_figure* p, pc_error* error)
{
  pc_status status = PC_OK;
  for (int i = 0; status == PC_OK && i < p->def->panel_count; i++) status = read_panel(p, i, error);
  return status;
}

/* The value of "key=value" among the lines of the run's options, or "". */
static void read_option(const pc_result* r, const char* key, char* value, size_t size)
{
  size_t length = strlen(key);
  value[0] = '\0';
  for (const char* at = pc_result_options(r); *at; at += strspn(at, "\n")) {
    size_t word = strcspn(at, "\n");
    if (word > length && at[length] == '=' && !strncmp(at, key, length))
      snprintf(value, size, "%.*s", (int)(word - length - 1), at + length + 1);
    at += word;
  }
}

/* Three ways to tell runs apart, from the shortest to one that always does. */
static void label_run(source* s, int way)
{
  char scheme[LABEL_SIZE / 2], dt[LABEL_SIZE / 4];
  read_option(s->result, "scheme", scheme, sizeof scheme);
  read_option(s->result, "dt", dt, sizeof dt);
  if (way == 0)
    snprintf(s->label, LABEL_SIZE, "%s", scheme);
  else if (way == 1)
    snprintf(s->label, LABEL_SIZE, "%s, dt = %g s", scheme, strtod(dt, NULL));
  else
    snprintf(s->label, LABEL_SIZE, "%s", pc_result_path(s->result));
}

static int labels_differ(const result_figure* p)
{
  for (int i = 0; i < p->def->result_count; i++) {
    if (!*p->source[i].label) return 0;
    for (int k = 0; k < i; k++)
      if (!strcmp(p->source[i].label, p->source[k].label)) return 0;
  }
  return 1;
}

/* Where runs differ in their schemes, these have their own colours, as in all figures. */
static void label_runs(result_figure* p)
{
  int way = 0, count = p->def->result_count;
  for (; way < 3; way++) {
    for (int i = 0; i < count; i++) label_run(&p->source[i], way);
    if (labels_differ(p)) break;
  }
  for (int i = 0; i < count; i++) {
    p->run[i].label = p->source[i].label;
    if (way == 0 && count > 1) p->run[i].colour = scheme_colour(p->run[i].label);
  }
}

/* The title of the model, if it is the same for all results. */
static void choose_title(result_figure* p)
{
  for (int i = 0; i < p->def->result_count && !p->def->title; i++) {
    const char* text = pc_result_model(p->source[i].result);
    pc_model* model = NULL;
    const char* title = "";
    if (pc_model_read_text(text, strlen(text), NULL, 0, &model, NULL) == PC_OK)
      title = pc_model_title(model);
    if (i == 0) snprintf(p->title, sizeof p->title, "%s", title);
    if (strncmp(p->title, title, sizeof p->title - 1) != 0) p->title[0] = '\0';
    pc_model_destroy(model);
  }
  if (p->def->title) snprintf(p->title, sizeof p->title, "%s", p->def->title);
}

static void choose_figure(result_figure* p)
{
  const result_figure_def* def = p->def;
  figure* f = &p->figure;
  f->title = p->title;
  f->width = def->width ? def->width : 1200;
  f->svg = def->svg;
  f->run = p->run;
  f->run_count = def->result_count;
  f->panel = p->panel;
  f->panel_count = def->panel_count;
  f->height = def->height ? def->height : figure_height(f);
}

static pc_status read_figure(result_figure* p, pc_error* error)
{
  for (int i = 0; i < p->def->result_count; i++) p->source[i].result = p->def->result[i];
  p->figure.x_name = p->def->x ? p->def->x : "time";
  p->figure.over_time = !strcmp(p->figure.x_name, "time");
  pc_status status = read_runs(p, error);
  if (status == PC_OK) status = read_panels(p, error);
  if (status != PC_OK) return status;
  if (p->figure.over_time) p->figure.x_name = "t";
  label_runs(p);
  choose_title(p);
  choose_figure(p);
  return PC_OK;
}

static void release(result_figure* p)
{
  for (int i = 0; i < p->def->panel_count; i++) {
    for (int k = 0; k < p->panel[i].curve_count; k++) free(p->panel[i].curve[k].y);
    free(p->panel[i].curve);
  }
  for (int i = 0; i < p->def->result_count; i++) {
    free(p->run[i].x);
    free(p->run[i].impact);
  }
}

pc_status draw_results(const result_figure_def* def, FILE* to, pc_error* error)
{
  result_figure p = {.def = def};
  pc_status status = read_figure(&p, error);
  if (status == PC_OK) status = draw_figure(&p.figure, to, error);
  release(&p);
  return status;
}
