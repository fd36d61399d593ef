/* A comparison, printed: a line per scheme. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/comparison.h"
#include "study/lines.h"
#include "study/unit_text.h"

enum { NAME_WIDTH = 20, FINAL_WIDTH = 19, SHOWN_FINALS = 4, INDENT = 2 };

typedef struct column {
  int row; /* of the comparison */
  const char* title;
  const char* unit;
  int width; /* a line has LINE_WIDTH characters at most */
} column;

static const column columns[] = {
    {PENETRATION_ROW, "penetration", "m", 13}, {JOINT_ROW, "joint error", "", 13},
    {CHANGE_ROW, "energy change", "J", 15},    {ITERATION_ROW, "iterations", "", 12},
    {COST_ROW, "cost per step", "s", 15},      {DISTANCE_ROW, "distance", "", 12}};

enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

static void print_cell(FILE* to, const char* text, int width)
{
  int missing = width - text_width(text);
  fprintf(to, "%*s%s", missing > 1 ? missing : 1, "", text);
}

/* Distances below the uncertainty of the reference say no more than that. */
static unit_text cell_of(const comparison* c, const column* of, int i)
{
  double value = comparison_value(c, of->row, i);
  unit_text text = with_unit(value, of->unit);
  double uncertainty = c->reference < 0 ? NAN : c->candidate[c->reference].uncertainty;
  if (of->row == PENETRATION_ROW && value > 0 && value < 1e-9)
    snprintf(text.text, sizeof text.text, "< 1 nm");
  else if (of->row == DISTANCE_ROW && value < uncertainty)
    snprintf(text.text, sizeof text.text, "< %.2g", uncertainty);
  else if (!*of->unit && isfinite(value))
    snprintf(text.text, sizeof text.text, value != 0 && fabs(value) < 1e-9 ? "< 1e-9" : "%.3g",
             value);
  return text;
}

static void print_schemes(const comparison* c, FILE* to)
{
  fprintf(to, "%-*s", NAME_WIDTH, "");
  for (int k = 0; k < COLUMN_COUNT; k++) print_cell(to, columns[k].title, columns[k].width);
  fputc('\n', to);
  for (int i = 0; i < c->scheme_count; i++) {
    if (!is_compared(c, i)) continue;
    fprintf(to, "%-*s", NAME_WIDTH, c->scheme[i]);
    for (int k = 0; k < COLUMN_COUNT; k++)
      print_cell(to, cell_of(c, &columns[k], i).text, columns[k].width);
    fputc('\n', to);
  }
}

/* The final values of the quantities shown. */
static void print_finals(const comparison* c, FILE* to)
{
  int count = c->shown_count < SHOWN_FINALS ? c->shown_count : SHOWN_FINALS;
  if (count == 0) return;
  fprintf(to, "\n%-*s", NAME_WIDTH, "final");
  for (int k = 0; k < count; k++) {
    char name[FINAL_WIDTH];
    snprintf(name, sizeof name, "%s", pc_system_quantity(c->system, c->quantity[k]).name);
    print_cell(to, name, FINAL_WIDTH);
  }
  fputc('\n', to);
  for (int i = 0; i < c->scheme_count; i++) {
    if (!is_compared(c, i)) continue;
    fprintf(to, "%-*s", NAME_WIDTH, c->scheme[i]);
    for (int k = 0; k < count; k++)
      print_cell(to,
                 with_unit(comparison_value(c, FINAL_ROW + k, i),
                           pc_system_quantity(c->system, c->quantity[k]).unit)
                     .text,
                 FINAL_WIDTH);
    fputc('\n', to);
  }
}

static void print_reference(const comparison* c, FILE* to)
{
  if (c->reference < 0) {
    fputs("distance: none, for no reference reached the end:\n", to);
    for (int i = 0; i < c->candidate_count; i++) {
      const job* j = &c->jobs[c->scheme_count + (1 + CHECKS_MAX) * i];
      fprintf(to, "  %s with dt = %s, %s: ", c->candidate[i].scheme,
              with_unit(c->candidate[i].dt, "s").text, job_status_word(j));
      put_plain_text(to, j->error.text);
      fputc('\n', to);
    }
    return;
  }
  const candidate* of = &c->candidate[c->reference];
  fprintf(to, "distance: max |difference| of the final q and u from %s with dt = %s", of->scheme,
          with_unit(of->dt, "s").text);
  if (isnan(of->uncertainty))
    fputs("; uncertainty not known\n", to);
  else
    fprintf(to, "; uncertainty %.2g\n", of->uncertainty);
}

/* Steps that --on-failure accepted, and doubts about the result. */
static void print_doubts(const comparison* c, FILE* to)
{
  for (int i = 0; i < c->scheme_count; i++) {
    const job* j = &c->jobs[i];
    if (!is_compared(c, i)) continue;
    if (j->summary.trouble.inaccurate > 0)
      fprintf(to, "%s: %ld of %ld steps did not meet their tolerance, the first is step %ld\n",
              c->scheme[i], j->summary.trouble.inaccurate, j->summary.steps,
              j->summary.trouble.first_inaccurate);
    if (!j->doubts) continue;
    fprintf(to, "%s: doubtful: ", c->scheme[i]);
    put_plain_text(to, j->doubt.text);
    fputc('\n', to);
  }
  const job* reference = reference_job(c);
  if (reference && reference->summary.trouble.inaccurate > 0)
    fprintf(to, "the reference: %ld of %ld steps did not meet their tolerance\n",
            reference->summary.trouble.inaccurate, reference->summary.steps);
}

/* Of those that did not reach the end, why. */
static void print_reasons(const comparison* c, FILE* to)
{
  for (int i = 0; i < c->scheme_count; i++) {
    if (is_compared(c, i)) continue;
    fprintf(to, "%s: %s: ", c->scheme[i], job_status_word(&c->jobs[i]));
    put_plain_text(to, c->jobs[i].error.text);
    fputc('\n', to);
  }
}

void print_comparison(const comparison* c, int repeats, FILE* to)
{
  int done = 0;
  lines block;
  begin_lines(&block, to);
  for (int i = 0; i < c->scheme_count; i++) done += is_compared(c, i);
  if (done) {
    print_schemes(c, block.file);
    print_finals(c, block.file);
    fprintf(block.file,
            "\ndt = %s, until %s; joint error in m or rad; iterations of the first phase, per step;"
            " cost: processor time, best of up to %d runs\n",
            with_unit(c->jobs[0].def.settings.dt, "s").text, with_unit(c->jobs[0].until, "s").text,
            repeats);
    print_reference(c, block.file);
    print_doubts(c, block.file);
  }
  print_reasons(c, block.file);
  end_lines(&block, INDENT);
}

/* ---- as keys -------------------------------------------------------------------------------- */

static const char* key_of(const comparison* c, int i, const char* what, char key[256])
{
  snprintf(key, 256, "%s.%s", c->scheme[i], what);
  return key;
}

static void put_scheme(const comparison* c, int i, output* out)
{
  const job* j = &c->jobs[i];
  char key[256], name[128];
  const char* unit;
  output_text(out, key_of(c, i, "status", key), job_status_word(j));
  if (j->status != PC_OK) {
    output_text(out, key_of(c, i, "reason", key), j->error.text);
    return;
  }
  if (j->doubts) output_text(out, key_of(c, i, "reason", key), j->doubt.text);
  for (int row = 0; row < comparison_row_count(c); row++) {
    name_comparison_row(c, row, &unit, name, sizeof name);
    output_number(out, key_of(c, i, name, key), comparison_value(c, row, i));
  }
  output_count(out, key_of(c, i, "steps_inaccurate", key), j->summary.trouble.inaccurate);
  output_text(out, key_of(c, i, "iterations.stage", key),
              j->summary.phase_count ? j->summary.phase[0] : "");
  const candidate none = {"", NAN, 0, NAN};
  const candidate* reference = c->reference < 0 ? &none : &c->candidate[c->reference];
  output_text(out, key_of(c, i, "reference.scheme", key), reference->scheme);
  output_number(out, key_of(c, i, "reference.dt", key), reference->dt);
  output_number(out, key_of(c, i, "reference.uncertainty", key), reference->uncertainty);
}

void put_comparison(const comparison* c, output* out)
{
  for (int i = 0; i < c->scheme_count; i++) put_scheme(c, i, out);
}
