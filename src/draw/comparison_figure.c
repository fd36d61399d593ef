#include "draw/comparison_figure.h"

#include <stdlib.h>

#include "draw/figure.h"
#include "draw/palette.h"
#include "study/error.h"

/* A series of a run as a curve; `y` is to be freed. */
static pc_status make_curve(const comparison* c, const states* s, int place, const plot_run* run,
                            int number, curve* into)
{
  pc_quantity x = pc_system_quantity(c->system, c->quantity[place]);
  *into = (curve){.run = run, .name = x.name, .unit = x.unit, .number = number};
  into->y = calloc((size_t)s->count + 1, sizeof *into->y);
  if (!into->y) return PC_OUT_OF_MEMORY;
  for (long i = 0; i < s->count; i++)
    into->y[i] = s->series[(size_t)i * (size_t)s->series_count + (size_t)place];
  return PC_OK;
}

static pc_status make_panel(const comparison* c, const compared_panel* chosen, const plot_run* runs,
                            panel* into)
{
  pc_status status = PC_OK;
  int run = 0;
  into->name_count = chosen->count;
  into->curve = calloc((size_t)SCHEMES_MAX * (size_t)chosen->count, sizeof *into->curve);
  if (!into->curve) return PC_OUT_OF_MEMORY;
  for (int i = 0; i < c->scheme_count; i++) {
    if (!is_compared(c, i)) continue;
    for (int k = 0; status == PC_OK && k < chosen->count; k++)
      status = make_curve(c, &c->jobs[i].states, chosen->place[k], &runs[run], k,
                          &into->curve[into->curve_count++]);
    run++;
  }
  return status;
}

static void free_panels(panel* panels, int count)
{
  for (int p = 0; p < count; p++) {
    for (int i = 0; i < panels[p].curve_count; i++) free(panels[p].curve[i].y);
    free(panels[p].curve);
  }
  free(panels);
}

pc_status draw_comparison(const comparison* c, const char* title, const compared_panel* chosen,
                          int panel_count, int svg, FILE* to, pc_error* error)
{
  plot_run runs[SCHEMES_MAX] = {0};
  panel* panels = calloc((size_t)panel_count + 1, sizeof *panels);
  if (!panels) return set_error(error, PC_OUT_OF_MEMORY, "no memory");
  figure f = {.title = title,
              .x_name = "t",
              .x_unit = "s",
              .over_time = 1,
              .width = 1200,
              .svg = svg,
              .run = runs,
              .panel = panels,
              .panel_count = panel_count};
  for (int i = 0; i < c->scheme_count; i++)
    if (is_compared(c, i))
      runs[f.run_count++] = (plot_run){.label = c->scheme[i],
                                       .x = c->jobs[i].states.t,
                                       .count = c->jobs[i].states.count,
                                       .colour = scheme_colour(c->scheme[i])};
  pc_status status = PC_OK;
  for (int p = 0; status == PC_OK && p < panel_count; p++)
    status = make_panel(c, &chosen[p], runs, &panels[p]);
  f.height = figure_height(&f);
  status = status == PC_OK ? draw_figure(&f, to, error) : set_error(error, status, "no memory");
  free_panels(panels, panel_count);
  return status;
}
