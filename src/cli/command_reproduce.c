/* percuss reproduce: the papers' tables and figures, beside the published values. */
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/run_options.h"
#include "console/interrupt.h"
#include "console/progress.h"
#include "console/replace.h"
#include "draw/gnuplot.h"
#include "papers/items.h"
#include "reproduce/drawing.h"
#include "reproduce/page.h"
#include "study/clock.h"

enum { ITEMS_MAX = 128 };

typedef struct reproduce {
  run_options run; /* first: the takers of `run` write into it */
  const item* chosen[ITEMS_MAX];
  int chosen_count;
  int asked;         /* items were named */
  int png;           /* figures as PNG too */
  int until_differs; /* an item ends at its first value that differs */
  char changed[512]; /* "mu=0.02 e=1": what --set changes */
  verdict verdict[ITEMS_MAX];
} reproduce;

const char* reproduce_item_name(int i)
{
  const item* one = item_at(i);
  return one ? one->name : NULL;
}

static int is_chosen(const reproduce* r, const item* one)
{
  for (int i = 0; i < r->chosen_count; i++)
    if (r->chosen[i] == one) return 1;
  return 0;
}

/* A pattern of names, or what names begin with: "acary", "benchmarks". */
static int fits(const char* pattern, const char* name)
{
  size_t length = strlen(pattern);
  return fnmatch(pattern, name, 0) == 0 ||
         (strncmp(pattern, name, length) == 0 && name[length] == '-');
}

static int choose(reproduce* r, const char* pattern)
{
  int found = 0;
  const item* one;
  for (int i = 0; (one = item_at(i)) != NULL; i++) {
    if (!fits(pattern, one->name)) continue;
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

static int take_png(void* into, const char* name, char* value)
{
  (void)name;
  (void)value;
  reproduce* r = into;
  r->png = 1;
  return EXIT_DONE;
}

static int take_until_differs(void* into, const char* name, char* value)
{
  (void)name;
  (void)value;
  reproduce* r = into;
  r->until_differs = 1;
  return EXIT_DONE;
}

static const option options[] = {
    {"out", "DIR", "the folder for pictures, data, verdicts and index.html", take_run_option},
    {"set", "NAME=VALUE",
     "change a parameter of the models, to see that the checks fail; repeatable", take_run_option},
    {"until-differs", NULL,
     "shortest runs first; end an item where a value differs without a known reason",
     take_until_differs},
    {"png", NULL, "write the figures as PNG, too", take_png},
    {"threads", "N", "runs at a time (default: the number of cores)", take_run_option},
    {"quiet", NULL, "no progress on the terminal", take_run_option},
};

const option_set reproduce_option_set = {options, sizeof options / sizeof *options, NULL,
                                         take_item};

static void describe_changes(reproduce* r)
{
  size_t used = 0;
  for (int i = 0; i < r->run.override_count && used < sizeof r->changed; i++)
    used += (size_t)snprintf(r->changed + used, sizeof r->changed - used, "%s%s=%s", i ? " " : "",
                             r->run.override[i].name, r->run.override[i].value);
}

static int read_reproduce_options(int argc, char** argv, reproduce* r)
{
  int code = read_options(&reproduce_option_set, argc, argv, r);
  if (code != EXIT_DONE) return code;
  if (!r->run.out)
    return complain(EXIT_USAGE, "where to? usage: percuss reproduce [ITEM ...] --out DIR");
  if (!r->asked) choose(r, "*");
  describe_changes(r);
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

/* Opens DIR/<name><ending>. */
static int begin_file(replacement* target, char path[PATH_MAX], const char* folder,
                      const char* name, const char* ending)
{
  snprintf(path, PATH_MAX, "%s/%s%s", folder, name, ending);
  return begin_replacement(target, path);
}

/* DIR/<item>.svg or .png */
static int save_picture(const char* folder, const drawing* d, int svg)
{
  char path[PATH_MAX];
  replacement target;
  pc_error error = {0};
  int code = begin_file(&target, path, folder, d->item->name, svg ? ".svg" : ".png");
  if (code != EXIT_DONE) return code;
  return end_replacement(&target, report(draw_item(d, svg, target.file, &error), &error));
}

/* DIR/<item>.csv of a figure: its points. */
static int save_points(const char* folder, const drawing* d)
{
  char path[PATH_MAX];
  replacement target;
  int code = begin_file(&target, path, folder, d->item->name, ".csv");
  if (code != EXIT_DONE) return code;
  write_points(d, target.file);
  return finish_replacement(&target);
}

static int draw(const reproduce* r, const item_data* data)
{
  const char* folder = r->run.out;
  pc_error error = {0};
  drawing* d = calloc(1, sizeof *d);
  if (!d) return complain(EXIT_FAILED, "no memory");
  int code = report(make_drawing(d, data), &error);
  if (code == EXIT_DONE) code = save_picture(folder, d, 1);
  if (code == EXIT_DONE && r->png) code = save_picture(folder, d, 0);
  if (code == EXIT_DONE) code = save_points(folder, d);
  free_drawing(d);
  free(d);
  return code;
}

/* DIR/<item>.csv of a table: its values. */
static int save_values(const char* folder, const verdict* v)
{
  char path[PATH_MAX];
  replacement target;
  int code = begin_file(&target, path, folder, v->item->name, ".csv");
  if (code != EXIT_DONE) return code;
  fputs("value,reference,expected,tolerance,here\n", target.file);
  for (int i = 0; i < v->check_count; i++) {
    const item_check* c = &v->item->check[i];
    fprintf(target.file, "\"%s\",%s,%.9g,%.9g,%.9g\n", c->what, kind_name(kind_of(v->item, c)),
            c->expected, c->tolerance, v->ours[i]);
  }
  return finish_replacement(&target);
}

/* DIR/<item>.json */
static int save_verdict(const reproduce* r, const verdict* v)
{
  char path[PATH_MAX];
  replacement target;
  int code = begin_file(&target, path, r->run.out, v->item->name, ".json");
  if (code != EXIT_DONE) return code;
  write_verdict(v, r->changed, target.file);
  return finish_replacement(&target);
}

static void print_verdict(const verdict* v)
{
  printf("%-16s %-8s %2d of %2d  %s\n", v->item->name, verdict_agrees(v) ? "agrees" : "differs",
         v->agree_count, v->judged_count, v->item->title);
  for (int i = 0; i < v->check_count; i++) {
    if (!check_differs(v, i)) continue;
    char expected[320], ours[40], reference[REFERENCE_SIZE];
    const item_check* c = &v->item->check[i];
    format_reference(v->item, c, reference, sizeof reference);
    format_expected(c, expected, sizeof expected);
    format_to_tolerance(c, v->ours[i], ours, sizeof ours);
    printf("  %s: expected (%s) %s, here %s\n", c->what, reference, expected, ours);
    if (reason_ends(v, i)) printf("    %s\n", verdict_reason(v, i));
  }
}

static int conclude(reproduce* r, const study* s)
{
  int code = EXIT_DONE;
  for (int i = 0; code == EXIT_DONE && i < r->chosen_count; i++) {
    item_data data = data_of_item(s, r->chosen[i]);
    r->verdict[i] = judge(&data);
    if (!data.item->panel)
      code = save_values(r->run.out, &r->verdict[i]);
    else if (!r->verdict[i].is_partial)
      code = draw(r, &data);
    if (code == EXIT_DONE) code = save_verdict(r, &r->verdict[i]);
    if (code == EXIT_DONE) print_verdict(&r->verdict[i]);
    fflush(stdout);
  }
  return code;
}

static int print_count(const reproduce* r)
{
  int agree = 0;
  for (int i = 0; i < r->chosen_count; i++) agree += verdict_agrees(&r->verdict[i]);
  char kinds[KINDS_SIZE];
  kind_counts counts = count_kinds(r->verdict, r->chosen_count);
  format_kinds(&counts, kinds, sizeof kinds);
  printf("values that agree: %s\n%d agree, %d differ\n", kinds, agree, r->chosen_count - agree);
  return flush_output();
}

static int has_figures(const reproduce* r)
{
  for (int i = 0; i < r->chosen_count; i++)
    if (r->chosen[i]->panel) return 1;
  return 0;
}

/* DIR/index.html */
static int save_page(const reproduce* r, double seconds)
{
  char path[PATH_MAX];
  replacement target;
  pc_error error = {0};
  int code = begin_file(&target, path, r->run.out, "index", ".html");
  if (code != EXIT_DONE) return code;
  pc_status status =
      write_page(r->run.out, r->verdict, r->chosen_count, r->changed, seconds, target.file, &error);
  return end_replacement(&target, report(status, &error));
}

/* DIR/reproduction.md */
static int save_tables(const reproduce* r)
{
  char path[PATH_MAX];
  replacement target;
  int code = begin_file(&target, path, r->run.out, "reproduction", ".md");
  if (code != EXIT_DONE) return code;
  write_tables(r->verdict, r->chosen_count, r->changed, target.file);
  return finish_replacement(&target);
}

static void run_items(const reproduce* r, study* s)
{
  batch_monitor monitor = begin_batch(r->run.quiet);
  int threads = r->run.threads ? r->run.threads : default_threads();
  if (r->until_differs)
    run_study_while(s, r->chosen, r->chosen_count, is_undecided, threads, &monitor);
  else
    run_study(s, threads, &monitor);
  end_batch(&monitor);
}

static int do_all(reproduce* r)
{
  study s = {0};
  double started = wall_clock();
  pc_error error = {0};
  int code = report(
      create_study(&s, r->chosen, r->chosen_count, r->run.override, r->run.override_count, &error),
      &error);
  if (code == EXIT_DONE) {
    run_items(r, &s);
    code = was_interrupted() ? complain(EXIT_INTERRUPTED, "interrupted: nothing is written")
                             : conclude(r, &s);
  }
  free_study(&s);
  if (code == EXIT_DONE) code = save_page(r, wall_clock() - started);
  if (code == EXIT_DONE) code = save_tables(r);
  return code == EXIT_DONE ? print_count(r) : code;
}

int reproduce_command(int argc, char** argv)
{
  pc_error error = {0};
  reproduce* r = calloc(1, sizeof *r);
  if (!r) return complain(EXIT_FAILED, "no memory");
  int code = read_reproduce_options(argc, argv, r);
  if (code == EXIT_DONE && has_figures(r)) code = report(find_gnuplot(&error), &error);
  if (code == EXIT_DONE) code = make_folder(r->run.out);
  if (code == EXIT_DONE) code = do_all(r);
  free(r);
  return code;
}
