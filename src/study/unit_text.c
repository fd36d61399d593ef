#include "study/unit_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
  double size;
  const char* name;
} prefixes[] = {{1e9, "G"},  {1e6, "M"},  {1e3, "k"},  {1, ""},
                {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}};

enum { PREFIX_COUNT = sizeof prefixes / sizeof *prefixes, NO_PREFIX = 3 };

static int takes_prefix(const char* unit)
{
  return *unit && strncmp(unit, "kg", 2) != 0 && strcmp(unit, "1") != 0 && !strchr("/(^", *unit);
}

/* Nobody says kilosecond or megaradian. */
static int takes_large_prefix(const char* unit)
{
  return strcmp(unit, "s") != 0 && strncmp(unit, "rad", 3) != 0;
}

/* The prefix for which the number, rounded to four digits, is 1 to 999.9. */
static int choose_prefix(double size, const char* unit)
{
  int i = takes_large_prefix(unit) ? 0 : NO_PREFIX;
  while (i < PREFIX_COUNT - 1 && size < 0.99995 * prefixes[i].size) i++;
  return i;
}

unit_text with_unit(double value, const char* unit)
{
  unit_text to = {"-"};
  double size = fabs(value);
  if (!isfinite(value)) return to;
  int i = takes_prefix(unit) && size > 0 ? choose_prefix(size, unit) : NO_PREFIX;
  double least = prefixes[PREFIX_COUNT - 1].size;
  if (takes_prefix(unit) && size > 0 && size < least)
    snprintf(to.text, sizeof to.text, "< 1 p%s", unit);
  else if (size > 0 && size < least)
    snprintf(to.text, sizeof to.text, "< 1e-12");
  else
    snprintf(to.text, sizeof to.text, "%.4g%s%s%s", value / prefixes[i].size + 0.0,
             *unit ? " " : "", prefixes[i].name, unit);
  return to;
}

unit_text as_percent(double share)
{
  unit_text to = {"-"};
  double percent = 100 * share;
  if (isfinite(percent))
    snprintf(to.text, sizeof to.text,
             fabs(percent) >= 99.5  ? "%.0f %%"
             : fabs(percent) >= 0.1 ? "%.2g %%"
             : percent == 0         ? "0 %%"
                                    : "< 0.1 %%",
             percent);
  return to;
}

int is_continuation(char byte)
{
  return ((unsigned char)byte & 0xC0) == 0x80;
}

int text_width(const char* text)
{
  int width = 0;
  for (; *text; text++) width += !is_continuation(*text);
  return width;
}
