/* percuss plot: recorded quantities as a figure. */
#include "cli/cli.h"
#include "cli/plot_options.h"
#include "cli/results.h"
#include "console/replace.h"

static int open_results(plot_options* o)
{
  int code = EXIT_DONE;
  while (code == EXIT_DONE && o->figure.result_count < o->path_count) {
    int i = o->figure.result_count;
    code = open_result(o->path[i], &o->figure.result[i]);
    o->figure.result_count += code == EXIT_DONE;
  }
  return code;
}

/* What all results have. */
static int list_series(const result_figure_def* f)
{
  const pc_result* r = f->result[0];
  for (int i = 0; i < pc_result_series_count(r); i++) {
    pc_series s = pc_result_series(r, i);
    int everywhere = 1;
    for (int k = 1; k < f->result_count; k++)
      everywhere &= pc_result_find(f->result[k], s.name) >= 0;
    if (everywhere) printf(*s.unit ? "%-32s %s\n" : "%s\n", s.name, s.unit);
  }
  return flush_output();
}

static int draw(const plot_options* o)
{
  replacement target;
  pc_error error = {0};
  int code = EXIT_DONE;
  for (int i = 0; i < o->path_count && code == EXIT_DONE; i++)
    code = refuse_input(o->out, o->path[i]);
  if (code == EXIT_DONE) code = begin_replacement(&target, o->out);
  if (code != EXIT_DONE) return code;
  return end_replacement(&target, report(draw_results(&o->figure, target.file, &error), &error));
}

int plot_command(int argc, char** argv)
{
  plot_options o;
  int code = read_plot_options(argc, argv, &o);
  if (code == EXIT_DONE && pc_is_table(o.path[0])) return plot_table(&o);
  if (code == EXIT_DONE) code = open_results(&o);
  if (code == EXIT_DONE) code = o.list ? list_series(&o.figure) : draw(&o);
  for (int i = 0; i < o.figure.result_count; i++) pc_result_close(o.figure.result[i]);
  return code;
}
