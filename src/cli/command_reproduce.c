/* percuss reproduce: the papers' tables and figures, beside the published values. */
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/gnuplot.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/replace.h"
#include "cli/reproduce/drawing.h"
#include "cli/reproduce/page.h"
#include "cli/run_options.h"

enum { ITEMS_MAX = 128 };

typedef struct reproduce {
  run_options run; /* first: the takers of `run` write into it */
  const item* chosen[ITEMS_MAX];
  int chosen_count;
  int asked; /* items were named */
  verdict verdict[ITEMS_MAX];
} reproduce;

static int is_chosen(const reproduce* r, const item* one)
{
  for (int i = 0; i < r->chosen_count; i++)
    if (r->chosen[i] == one) return 1;
  return 0;
}

static int choose(reproduce* r, const char* pattern)
{
  int found = 0;
  const item* one;
  for (int i = 0; (one = item_at(i)) != NULL; i++) {
    if (fnmatch(pattern, one->name, 0) != 0) continue;
    found = 1;
    if (!is_chosen(r, one) && r->chosen_count < ITEMS_MAX) r->chosen[r->chosen_count++] = one;
  }
  return found;
}

static int take_item(void* into, char* word)
{
  reproduce* r = into;
  r->asked = 1;
  if (choose(r, word)) return EXIT_DONE;
  suggestion near = suggestion_for(word);
  const item* one;
  for (int i = 0; (one = item_at(i)) != NULL; i++) suggest(&near, one->name);
  return complain(EXIT_USAGE, "there is no item '%s'%s; see 'percuss list items'", word,
                  suggestion_text(&near));
}

static const option options[] = {
    {"out", "DIR", "the folder for pictures, data, verdicts and index.html", take_run_option},
    {"threads", "N", "runs at a time (default: the number of cores)", take_run_option},
    {"quiet", NULL, "no progress on the terminal", take_run_option},
};

const option_set reproduce_option_set = {options, sizeof options / sizeof *options, NULL,
                                         take_item};

static int read_reproduce_options(int argc, char** argv, reproduce* r)
{
  int code = read_options(&reproduce_option_set, argc, argv, r);
  if (code != EXIT_DONE) return code;
  if (!r->run.out)
    return complain(EXIT_USAGE, "where to? usage: percuss reproduce [ITEM ...] --out DIR");
  if (!r->asked) choose(r, "*");
  return EXIT_DONE;
}

/* A folder that can be written into: to be known before all is computed, not after. */
static int make_folder(const char* path)
{
  struct stat what;
  if (mkdir(path, 0777) == 0) return EXIT_DONE;
  if (errno != EEXIST || stat(path, &what) != 0 || !S_ISDIR(what.st_mode))
    return complain(EXIT_OUTPUT, "cannot make the folder '%s': %s", path, strerror(errno));
  if (access(path, W_OK | X_OK) == 0) return EXIT_DONE;
  return complain(EXIT_OUTPUT, "cannot write into '%s': %s", path, strerror(errno));
}

/* DIR/<item>.svg and .csv */
static int draw(const char* folder, const item_data* data)
{
  char path[PATH_MAX];
  drawing* d = calloc(1, sizeof *d);
  if (!d) return complain(EXIT_FAILED, "no memory");
  int code = make_drawing(d, data);
  snprintf(path, sizeof path, "%s/%s.svg", folder, data->item->name);
  if (code == EXIT_DONE) code = draw_item(d, path);
  snprintf(path, sizeof path, "%s/%s.csv", folder, data->item->name);
  if (code == EXIT_DONE) code = write_points(d, path);
  free_drawing(d);
  free(d);
  return code;
}

/* DIR/<item>.csv of a table: its values. */
static int save_values(const char* folder, const verdict* v)
{
  char path[PATH_MAX];
  replacement target;
  snprintf(path, sizeof path, "%s/%s.csv", folder, v->item->name);
  int code = begin_replacement(&target, path);
  if (code != EXIT_DONE) return code;
  fputs("value,published,tolerance,here\n", target.file);
  for (int i = 0; i < v->check_count; i++) {
    const item_check* c = &v->item->check[i];
    fprintf(target.file, "\"%s\",%.9g,%.9g,%.9g\n", c->what, c->published, c->tolerance,
            v->ours[i]);
  }
  return finish_replacement(&target);
}

/* DIR/<item>.json */
static int save_verdict(const char* folder, const verdict* v)
{
  char path[PATH_MAX];
  replacement target;
  snprintf(path, sizeof path, "%s/%s.json", folder, v->item->name);
  int code = begin_replacement(&target, path);
  if (code != EXIT_DONE) return code;
  write_verdict(v, target.file);
  return finish_replacement(&target);
}

static void print_verdict(const verdict* v)
{
  printf("%-16s %-8s %2d of %2d  %s\n", v->item->name, verdict_agrees(v) ? "agrees" : "differs",
         v->agree_count, v->check_count, v->item->title);
  for (int i = 0; i < v->check_count; i++) {
    if (v->agrees[i]) continue;
    char published[256], ours[40];
    format_published(&v->item->check[i], published, sizeof published);
    format_value(v->ours[i], ours, sizeof ours);
    printf("  %s: published %s, here %s\n", v->item->check[i].what, published, ours);
    if (reason_ends(v, i)) printf("    %s\n", verdict_reason(v, i));
  }
}

static int conclude(reproduce* r, const study* s)
{
  int code = EXIT_DONE;
  for (int i = 0; code == EXIT_DONE && i < r->chosen_count; i++) {
    item_data data = data_of_item(s, r->chosen[i]);
    r->verdict[i] = judge(&data);
    code = data.item->panel ? draw(r->run.out, &data) : save_values(r->run.out, &r->verdict[i]);
    if (code == EXIT_DONE) code = save_verdict(r->run.out, &r->verdict[i]);
    if (code == EXIT_DONE) print_verdict(&r->verdict[i]);
    fflush(stdout);
  }
  return code;
}

static int print_count(const reproduce* r)
{
  int agree = 0;
  for (int i = 0; i < r->chosen_count; i++) agree += verdict_agrees(&r->verdict[i]);
  printf("%d agree, %d differ\n", agree, r->chosen_count - agree);
  return flush_output();
}

static int has_figures(const reproduce* r)
{
  for (int i = 0; i < r->chosen_count; i++)
    if (r->chosen[i]->panel) return 1;
  return 0;
}

static int do_all(reproduce* r)
{
  study s = {0};
  double started = wall_clock();
  int code = create_study(&s, r->chosen, r->chosen_count);
  if (code == EXIT_DONE) {
    run_study(&s, r->run.threads ? r->run.threads : default_threads(), r->run.quiet);
    code = was_interrupted() ? complain(EXIT_INTERRUPTED, "interrupted: nothing is written")
                             : conclude(r, &s);
  }
  free_study(&s);
  if (code == EXIT_DONE)
    code = write_page(r->run.out, r->verdict, r->chosen_count, wall_clock() - started);
  if (code == EXIT_DONE) code = write_tables(r->run.out, r->verdict, r->chosen_count);
  return code == EXIT_DONE ? print_count(r) : code;
}

int reproduce_command(int argc, char** argv)
{
  reproduce* r = calloc(1, sizeof *r);
  if (!r) return complain(EXIT_FAILED, "no memory");
  int code = read_reproduce_options(argc, argv, r);
  if (code == EXIT_DONE && has_figures(r)) code = find_gnuplot();
  if (code == EXIT_DONE) code = make_folder(r->run.out);
  if (code == EXIT_DONE) code = do_all(r);
  free(r);
  return code;
}
