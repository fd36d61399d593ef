#include "reproduce/page.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "draw/xml.h"
#include "study/error.h"

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:1000px;margin:2em auto;"
    "padding:0 1em}"
    "h1,h2{line-height:1.2}h2{margin-top:2.5em;border-top:1px solid #ddd;padding-top:1em}"
    "table{border-collapse:collapse;width:100%;font-size:14px;margin:1em 0}"
    "th,td{text-align:left;padding:.3em .6em;border-bottom:1px solid #e5e5e5;vertical-align:top}"
    "td.n{font-variant-numeric:tabular-nums;white-space:nowrap}"
    ".note td,td.note{color:#777}.agrees{color:#006b4f}.differs{color:#b34700;font-weight:600}"
    ".wide{overflow-x:auto}img{max-width:100%;height:auto;border:1px solid #eee}"
    ".note{color:#555;font-size:14px}code{background:#f5f5f5;padding:0 .2em}";

static const char* word(int agrees)
{
  return agrees ? "agrees" : "differs";
}

static int has_picture(const item* one)
{
  return one->panel != NULL;
}

/* Three bytes become four letters. */
static void put_base64(FILE* from, FILE* to)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned char b[3];
  for (size_t n; (n = fread(b, 1, 3, from)) > 0;) {
    unsigned bits = (unsigned)b[0] << 16 | (n > 1 ? (unsigned)b[1] << 8 : 0) | (n > 2 ? b[2] : 0);
    fputc(letters[bits >> 18 & 63], to);
    fputc(letters[bits >> 12 & 63], to);
    fputc(n > 1 ? letters[bits >> 6 & 63] : '=', to);
    fputc(n > 2 ? letters[bits & 63] : '=', to);
  }
}

static pc_status put_picture(const char* folder, const item* one, FILE* to, pc_error* error)
{
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s.svg", folder, one->name);
  FILE* picture = fopen(path, "rb");
  if (!picture)
    return set_error(error, PC_CANNOT_WRITE, "cannot read '%s': %s", path, strerror(errno));
  fputs("<p><img alt=\"", to);
  put_xml_text(to, one->title);
  fputs("\" src=\"data:image/svg+xml;base64,", to);
  put_base64(picture, to);
  fputs("\"></p>\n", to);
  fclose(picture);
  return PC_OK;
}

static void put_cell(FILE* to, const char* kind, const char* text)
{
  fprintf(to, "<td class=\"%s\">", kind);
  put_xml_text(to, text);
  fputs("</td>", to);
}

static void put_check(const verdict* v, int i, FILE* to)
{
  char expected[320], ours[40], difference[40], reference[REFERENCE_SIZE];
  const item_check* c = &v->item->check[i];
  format_reference(v->item, c, reference, sizeof reference);
  format_expected(c, expected, sizeof expected);
  format_to_tolerance(c, v->ours[i], ours, sizeof ours);
  format_difference(c, v->ours[i], difference, sizeof difference);
  fputs("<tr>", to);
  put_cell(to, "t", c->what);
  put_cell(to, "t", reference);
  put_cell(to, "t", expected);
  put_cell(to, "n", ours);
  put_cell(to, "n", difference);
  put_cell(to, check_word(v, i), check_word(v, i));
  fputs("</tr>\n", to);
  if (!reason_ends(v, i)) return;
  fputs("<tr><td colspan=\"6\" class=\"note\">Why: ", to);
  put_xml_text(to, verdict_reason(v, i));
  fputs("</td></tr>\n", to);
}

static pc_status put_section(const char* folder, const verdict* v, FILE* to, pc_error* error)
{
  const item* one = v->item;
  char source[SOURCE_SIZE];
  item_source(one, source, sizeof source);
  fprintf(to, "<h2 id=\"%s\">%s</h2>\n<p>", one->name, one->name);
  put_xml_text(to, source);
  fputs(". ", to);
  put_xml_text(to, one->title);
  fprintf(to,
          ": <span class=\"%s\">%s</span>, %d of %d values agree; %.1f s of computing. Data: "
          "<code>%s.csv</code>, <code>%s.json</code></p>\n",
          word(verdict_agrees(v)), word(verdict_agrees(v)), v->agree_count, v->judged_count,
          v->seconds, one->name, one->name);
  pc_status status =
      has_picture(one) && !v->is_partial ? put_picture(folder, one, to, error) : PC_OK;
  fputs(
      "<div "
      "class=\"wide\"><table><tr><th>value</th><th>reference</th><th>expected</th><th>here</th>"
      "<th>difference</th><th></th></tr>\n",
      to);
  for (int i = 0; i < v->check_count; i++) put_check(v, i, to);
  fputs("</table></div>\n", to);
  if (one->note && *one->note) {
    fputs("<p class=\"note\">", to);
    put_xml_text(to, one->note);
    fputs("</p>\n", to);
  }
  return status;
}

static void put_overview(const verdict* verdicts, int count, FILE* to)
{
  fputs(
      "<div "
      "class=\"wide\"><table><tr><th>item</th><th></th><th></th><th>values</th><th>time</th></"
      "tr>\n",
      to);
  for (int i = 0; i < count; i++) {
    const verdict* v = &verdicts[i];
    fprintf(to, "<tr><td><a href=\"#%s\">%s</a></td>", v->item->name, v->item->name);
    put_cell(to, "t", v->item->title);
    put_cell(to, word(verdict_agrees(v)), word(verdict_agrees(v)));
    fprintf(to, "<td class=\"n\">%d/%d</td><td class=\"n\">%.1f s</td></tr>\n", v->agree_count,
            v->judged_count, v->seconds);
  }
  fputs("</table></div>\n", to);
}

static int count_agreeing(const verdict* verdicts, int count)
{
  int agree = 0;
  for (int i = 0; i < count; i++) agree += verdict_agrees(&verdicts[i]);
  return agree;
}

static void put_kinds(const verdict* verdicts, int count, FILE* to)
{
  char text[KINDS_SIZE];
  kind_counts counts = count_kinds(verdicts, count);
  format_kinds(&counts, text, sizeof text);
  fputs(text, to);
}

/* What the five kinds of reference are, for both pages. */
static const char kinds_help[] =
    "published: the paper prints the number. fitted: the paper prints or says it, and settings or "
    "data that it does not print, named beside the value, were chosen after their effect was seen. "
    "independent: another implementation of the same "
    "scheme "
    "gives it, with the same step. exact: a closed solution, or what follows by hand from the "
    "scheme's equations. words: the paper says it in words, and the threshold is ours.";

pc_status write_page(const char* folder, const verdict* verdicts, int count, const char* changed,
                     double seconds, FILE* to, pc_error* error)
{
  pc_status status = PC_OK;
  int agree = count_agreeing(verdicts, count);
  fprintf(to,
          "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width\">"
          "<title>percuss: the papers' tables and figures</title><style>%s</style></head><body>\n"
          "<h1>The papers' tables and figures</h1>\n"
          "<p>percuss %s; %d agree, %d differ; %.0f s. Each with the expected values, those that "
          "came out here, and the reason where they differ.</p>\n<p>Values that agree: ",
          style, pc_version_text(), agree, count - agree, seconds);
  put_kinds(verdicts, count, to);
  fprintf(to, ".</p>\n<p class=\"note\">References. %s</p>\n", kinds_help);
  if (*changed) {
    fputs("<p class=\"differs\">Changed models, to see whether the checks notice: ", to);
    put_xml_text(to, changed);
    fputs("</p>\n", to);
  }
  put_overview(verdicts, count, to);
  for (int i = 0; status == PC_OK && i < count; i++)
    status = put_section(folder, &verdicts[i], to, error);
  fputs("</body></html>\n", to);
  return status;
}

/* A bar would end the cell of a table. */
static void put_markdown(FILE* to, const char* text)
{
  for (; *text; text++) {
    if (*text == '|') fputc('\\', to);
    fputc(*text, to);
  }
}

/* All values that differ for the reason of the last of them, and the reason. */
static void put_reason(const verdict* v, int last, FILE* to)
{
  fputs("\n*", to);
  for (int i = 0, count = 0; i <= last; i++)
    if (check_differs(v, i) && !strcmp(verdict_reason(v, i), verdict_reason(v, last)))
      fprintf(to, "%s%s", count++ ? "; " : "", v->item->check[i].what);
  fprintf(to, "*: %s\n", verdict_reason(v, last));
}

static void put_table(const verdict* v, FILE* to)
{
  char source[SOURCE_SIZE];
  item_source(v->item, source, sizeof source);
  fprintf(to,
          "\n### %s\n\n%s. %s: **%s**.\n\n"
          "| value | reference | expected | here | difference | |\n"
          "| --- | --- | --- | --- | --- | --- |\n",
          v->item->name, source, v->item->title, word(verdict_agrees(v)));
  for (int i = 0; i < v->check_count; i++) {
    char expected[320], ours[40], difference[40], reference[REFERENCE_SIZE];
    format_reference(v->item, &v->item->check[i], reference, sizeof reference);
    format_expected(&v->item->check[i], expected, sizeof expected);
    format_to_tolerance(&v->item->check[i], v->ours[i], ours, sizeof ours);
    format_difference(&v->item->check[i], v->ours[i], difference, sizeof difference);
    fputs("| ", to);
    put_markdown(to, v->item->check[i].what);
    fputs(" | ", to);
    put_markdown(to, reference);
    fputs(" | ", to);
    put_markdown(to, expected);
    fprintf(to, " | %s | %s | %s |\n", ours, difference, check_word(v, i));
  }
  for (int i = 0; i < v->check_count; i++)
    if (reason_ends(v, i)) put_reason(v, i, to);
  if (v->item->note && *v->item->note) fprintf(to, "\n%s\n", v->item->note);
}

static const char fitted_means[] =
    "the paper prints or says it; settings or data that it does not print, named beside the value, "
    "were chosen after their effect was seen";

/* How many values of each kind agree, a line each. */
static void put_kind_table(const verdict* verdicts, int count, FILE* to)
{
  static const char* const meaning[] = {
      [PUBLISHED] = "the paper prints the number",
      [FITTED] = fitted_means,
      [INDEPENDENT] =
          "another implementation gives it, of the scheme or of the equations of motion",
      [EXACT] = "a closed solution, or what follows by hand from the scheme's equations",
      [WORDS] = "the paper says it in words; the threshold is ours"};
  kind_counts counts = count_kinds(verdicts, count);
  fputs(
      "| reference | where the expected value comes from | agree | of |\n"
      "| --- | --- | --- | --- |\n",
      to);
  for (reference_kind kind = PUBLISHED; kind < KIND_COUNT; kind++)
    fprintf(to, "| %s | %s | %d | %d |\n", kind_name(kind), meaning[kind], counts.agree[kind],
            counts.all[kind]);
}

void write_tables(const verdict* verdicts, int count, const char* changed, FILE* to)
{
  int agree = count_agreeing(verdicts, count);
  fputs(
      "# The papers' tables and figures\n\n"
      "What is expected beside what percuss computes, made by `percuss reproduce`, which also "
      "draws\nthe figures ([cli](cli.md#reproduce)); `make reproduction` writes this page anew. A "
      "value *agrees* if\nit is within the tolerance printed beside it, an item if all its values "
      "do. Each difference has its\nreason; a *note* is an experiment beside a reason, not judged. "
      "Whether a check can fail is seen with `--set`, which "
      "changes a parameter of the models:\n`tests/reproduce/test_sensitivity.py` does that for "
      "friction, restitution, masses and inertias.\n\n",
      to);
  if (*changed) fprintf(to, "**Changed models: %s.**\n\n", changed);
  fprintf(to, "**%d items agree, %d differ.** Their values by kind of reference:\n\n", agree,
          count - agree);
  put_kind_table(verdicts, count, to);
  fputs("\n| item | | values |\n| --- | --- | --- |\n", to);
  for (int i = 0; i < count; i++)
    fprintf(to, "| [%s](#%s) %s | %s | %d/%d |\n", verdicts[i].item->name, verdicts[i].item->name,
            verdicts[i].item->title, word(verdict_agrees(&verdicts[i])), verdicts[i].agree_count,
            verdicts[i].judged_count);
  for (int i = 0; i < count; i++) put_table(&verdicts[i], to);
}
