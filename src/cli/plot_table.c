/* percuss plot of a table that percuss sweep has made. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/plot_options.h"
#include "console/replace.h"
#include "draw/table_figure.h"
#include "study/sweep_table.h"

static int list_columns(const pc_table_content* t)
{
  for (int k = 0; k < t->column_count; k++)
    printf("%-40s %s%s\n", t->column[k].name, t->column[k].unit,
           t->column[k].is_list ? " (list)" : "");
  return flush_output();
}

static int choose_columns(const plot_options* o, table_figure* f)
{
  pc_error error = {0};
  pc_status status = PC_OK;
  if (o->figure.x) status = find_table_column(f->table, o->figure.x, &f->x, &error);
  if (status == PC_OK && o->map) status = find_table_column(f->table, o->map, &f->second, &error);
  for (int p = 0; p < o->figure.panel_count; p++)
    for (int i = 0; status == PC_OK && i < o->figure.panel[p].count; i++) {
      if (f->y_count == TABLE_COLUMNS_MAX)
        return complain(EXIT_USAGE, "more than %d columns", TABLE_COLUMNS_MAX);
      status = find_table_column(f->table, o->figure.panel[p].name[i], &f->y[f->y_count++], &error);
    }
  return report(status, &error);
}

static int draw(const plot_options* o, const pc_table_content* table)
{
  char model[256];
  read_about(table->about, "model", model, sizeof model);
  table_figure f = {.table = table,
                    .style = o->histogram ? TABLE_HISTOGRAM
                             : o->map     ? TABLE_MAP
                                          : TABLE_POINTS,
                    .title = o->figure.title ? o->figure.title : model,
                    .width = o->figure.width ? o->figure.width : 1200,
                    .height = o->figure.height ? o->figure.height : 720,
                    .svg = o->figure.svg};
  replacement target;
  pc_error error = {0};
  int code = choose_columns(o, &f);
  if (code == EXIT_DONE) code = begin_replacement(&target, o->out);
  if (code != EXIT_DONE) return code;
  return end_replacement(&target, report(draw_table(&f, target.file, &error), &error));
}

int plot_table(const plot_options* o)
{
  pc_table_content* table = NULL;
  pc_error error = {0};
  if (o->path_count > 1) return complain(EXIT_USAGE, "one table at a time");
  int code = report(pc_table_read(o->path[0], &table, &error), &error);
  if (code == EXIT_DONE) code = o->list ? list_columns(table) : draw(o, table);
  pc_table_free(table);
  return code;
}
