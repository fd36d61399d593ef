/* percuss plot: recorded quantities as a figure. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/plot_options.h"
#include "cli/replace.h"
#include "cli/results.h"
#include "draw/figure.h"
#include "draw/palette.h"

enum { FEW_IMPACTS = 60, LABEL_SIZE = 128 };

/* A result and the rows of it that are drawn. */
typedef struct source {
  pc_result* result;
  long first;
  char label[LABEL_SIZE];
} source;

typedef struct plot {
  plot_options options;
  source source[RESULTS_MAX];
  plot_run run[RESULTS_MAX];
  panel panel[PANELS_MAX];
  char title[256];
  figure figure;
} plot;

static int open_results(plot* p)
{
  for (int i = 0; i < p->options.result_count; i++) {
    int code = open_result(p->options.result[i], &p->source[i].result);
    if (code != EXIT_DONE) return code;
  }
  return EXIT_DONE;
}

/* What all results have. */
static int list_series(const plot* p)
{
  const pc_result* r = p->source[0].result;
  for (int i = 0; i < pc_result_series_count(r); i++) {
    pc_series s = pc_result_series(r, i);
    int everywhere = 1;
    for (int k = 1; k < p->options.result_count; k++)
      everywhere &= pc_result_find(p->source[k].result, s.name) >= 0;
    if (everywhere) printf(*s.unit ? "%-32s %s\n" : "%s\n", s.name, s.unit);
  }
  return flush_output();
}

/* `count` numbers from a result, to be freed; NULL after saying why. */
static double* read_numbers(const pc_result* r, int series, long first, long count, int* code)
{
  pc_error error = {0};
  double* values = calloc((size_t)count + 1, sizeof *values);
  if (!values) {
    *code = complain(EXIT_FAILED, "no memory");
    return NULL;
  }
  pc_status status = pc_result_read(r, series, first, count, values, &error);
  if (status == PC_OK) return values;
  *code = complain(exit_code(status), "%s", error.text);
  free(values);
  return NULL;
}

/* The rows between --from and --to, which may be off by the rounding of a sum of steps. */
static int choose_rows(const plot_options* o, source* s, plot_run* run)
{
  int code = EXIT_DONE;
  long length = pc_result_length(s->result), last = length;
  double* time = read_numbers(s->result, 0, 0, length, &code);
  if (!time) return code;
  while (s->first < last && time[s->first] < o->from - 1e-9 * fabs(o->from)) s->first++;
  while (last > s->first && time[last - 1] > o->to + 1e-9 * fabs(o->to)) last--;
  run->count = last - s->first;
  free(time);
  if (run->count > 0) return EXIT_DONE;
  return length == 0 ? complain(EXIT_MODEL, "'%s' holds no rows", pc_result_path(s->result))
                     : complain(EXIT_USAGE, "'%s' has no rows between --from and --to",
                                pc_result_path(s->result));
}

static int read_x(plot* p, int i)
{
  int series, code = find_named_series(p->source[i].result, p->figure.x_name, &series);
  if (code != EXIT_DONE) return code;
  p->figure.x_unit = pc_result_series(p->source[i].result, series).unit;
  p->run[i].x =
      read_numbers(p->source[i].result, series, p->source[i].first, p->run[i].count, &code);
  return code;
}

/* The rows with an impact, each once. */
static int read_impacts(source* s, plot_run* run)
{
  pc_error error = {0};
  pc_impact* impact;
  int count;
  pc_status status = pc_result_impacts(s->result, &impact, &count, &error);
  if (status != PC_OK) return complain(exit_code(status), "%s", error.text);
  run->impact = calloc((size_t)count + 1, sizeof *run->impact);
  for (int i = 0; run->impact && i < count; i++) {
    long row = impact[i].row - s->first;
    int again = run->impact_count > 0 && run->impact[run->impact_count - 1] == row;
    if (row >= 0 && row < run->count && !again) run->impact[run->impact_count++] = row;
  }
  free(impact);
  return run->impact ? EXIT_DONE : complain(EXIT_FAILED, "no memory");
}

/* Unless they are asked for, impacts are marked over time, for one run, and if they are few. */
static int mark_impacts(plot* p)
{
  const plot_options* o = &p->options;
  if (o->impacts == 0 || (o->impacts < 0 && (!p->figure.over_time || o->result_count > 1)))
    return EXIT_DONE;
  for (int i = 0; i < o->result_count; i++) {
    int code = read_impacts(&p->source[i], &p->run[i]);
    if (code != EXIT_DONE) return code;
    if (o->impacts < 0 && p->run[i].impact_count >= FEW_IMPACTS) p->run[i].impact_count = 0;
  }
  return EXIT_DONE;
}

static int read_runs(plot* p)
{
  for (int i = 0; i < p->options.result_count; i++) {
    int code = choose_rows(&p->options, &p->source[i], &p->run[i]);
    if (code == EXIT_DONE) code = read_x(p, i);
    if (code != EXIT_DONE) return code;
  }
  return mark_impacts(p);
}

static int has_points(const curve* c)
{
  for (long i = 0; i < c->run->count; i++)
    if (isfinite(c->run->x[i]) && isfinite(c->y[i])) return 1;
  return 0;
}

static int read_curve(const source* s, const plot_run* run, const char* name, curve* c)
{
  int series, code = find_named_series(s->result, name, &series);
  if (code != EXIT_DONE) return code;
  c->run = run;
  c->name = name;
  c->unit = pc_result_series(s->result, series).unit;
  c->y = read_numbers(s->result, series, s->first, run->count, &code);
  if (code == EXIT_DONE && !has_points(c))
    code = complain(EXIT_USAGE, "'%s' of '%s' has no finite values to draw", name,
                    pc_result_path(s->result));
  return code;
}

static int read_panel(plot* p, int number)
{
  const plot_options* o = &p->options;
  panel* into = &p->panel[number];
  into->name_count = o->panel[number].count;
  into->curve = calloc((size_t)(o->result_count * into->name_count), sizeof *into->curve);
  if (!into->curve) return complain(EXIT_FAILED, "no memory");
  for (int r = 0; r < o->result_count; r++)
    for (int i = 0; i < into->name_count; i++) {
      curve* c = &into->curve[into->curve_count++];
      c->number = i;
      int code = read_curve(&p->source[r], &p->run[r], o->panel[number].name[i], c);
      if (code != EXIT_DONE) return code;
    }
  return EXIT_DONE;
}

static int read_panels(plot* p)
{
  for (int i = 0; i < p->options.panel_count; i++) {
    int code = read_panel(p, i);
    if (code != EXIT_DONE) return code;
  }
  return EXIT_DONE;
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

static int labels_differ(const plot* p)
{
  for (int i = 0; i < p->options.result_count; i++) {
    if (!*p->source[i].label) return 0;
    for (int k = 0; k < i; k++)
      if (!strcmp(p->source[i].label, p->source[k].label)) return 0;
  }
  return 1;
}

/* Where runs are told apart by their schemes, these have their own colours, as in all figures. */
static void label_runs(plot* p)
{
  int way = 0, count = p->options.result_count;
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
static void choose_title(plot* p)
{
  for (int i = 0; i < p->options.result_count && !p->options.title; i++) {
    const char* text = pc_result_model(p->source[i].result);
    pc_model* model = NULL;
    const char* title = "";
    if (pc_model_read_text(text, strlen(text), NULL, 0, &model, NULL) == PC_OK)
      title = pc_model_title(model);
    if (i == 0) snprintf(p->title, sizeof p->title, "%s", title);
    if (strncmp(p->title, title, sizeof p->title - 1) != 0) p->title[0] = '\0';
    pc_model_destroy(model);
  }
  if (p->options.title) snprintf(p->title, sizeof p->title, "%s", p->options.title);
}

static void choose_figure(plot* p)
{
  const plot_options* o = &p->options;
  const char* dot = strrchr(o->out, '.');
  figure* f = &p->figure;
  f->title = p->title;
  f->width = o->width ? o->width : 1200;
  f->svg = dot && !strcasecmp(dot, ".svg");
  f->run = p->run;
  f->run_count = o->result_count;
  f->panel = p->panel;
  f->panel_count = o->panel_count;
  f->height = o->height ? o->height : figure_height(f);
}

static int draw(const plot* p)
{
  replacement target;
  pc_error error = {0};
  int code = EXIT_DONE;
  for (int i = 0; i < p->options.result_count && code == EXIT_DONE; i++)
    code = refuse_input(p->options.out, p->options.result[i]);
  if (code == EXIT_DONE) code = begin_replacement(&target, p->options.out);
  if (code != EXIT_DONE) return code;
  return end_replacement(&target, report(draw_figure(&p->figure, target.file, &error), &error));
}

static int make_figure(plot* p)
{
  p->figure.x_name = p->options.x ? p->options.x : "time";
  p->figure.over_time = !strcmp(p->figure.x_name, "time");
  int code = read_runs(p);
  if (code == EXIT_DONE) code = read_panels(p);
  if (code != EXIT_DONE) return code;
  if (p->figure.over_time) p->figure.x_name = "t";
  label_runs(p);
  choose_title(p);
  choose_figure(p);
  return draw(p);
}

static void release(plot* p)
{
  for (int i = 0; i < p->options.panel_count; i++) {
    for (int k = 0; k < p->panel[i].curve_count; k++) free(p->panel[i].curve[k].y);
    free(p->panel[i].curve);
  }
  for (int i = 0; i < p->options.result_count; i++) {
    free(p->run[i].x);
    free(p->run[i].impact);
    pc_result_close(p->source[i].result);
  }
}

int plot_command(int argc, char** argv)
{
  plot p = {0};
  int code = read_plot_options(argc, argv, &p.options);
  if (code == EXIT_DONE && pc_is_table(p.options.result[0])) return plot_table(&p.options);
  if (code == EXIT_DONE) code = open_results(&p);
  if (code == EXIT_DONE) code = p.options.list ? list_series(&p) : make_figure(&p);
  release(&p);
  return code;
}
