#include "cli/film_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/results.h"

double read_number(const char* text)
{
  char* end;
  double value = strtod(text, &end);
  return end != text && !*end && isfinite(value) ? value : NAN;
}

static int take_time(double* to, const char* name, const char* value)
{
  *to = read_number(value);
  if (!isnan(*to)) return EXIT_DONE;
  return complain(EXIT_USAGE, "--%s is '%s'; it must be a time in s", name, value);
}

static int take_rate(double* to, const char* name, const char* value, int most)
{
  *to = read_number(value);
  if (*to > 0 && !(most && *to > most)) return EXIT_DONE;
  if (!most) return complain(EXIT_USAGE, "--%s is '%s'; it must be a positive number", name, value);
  return complain(EXIT_USAGE, "--%s is '%s'; it must be a positive number, %d at most", name, value,
                  most);
}

int take_film_option(motion_options* o, const char* name, const char* value, int fps_max)
{
  if (!strcmp(name, "from")) return take_time(&o->from, name, value);
  if (!strcmp(name, "speed")) return take_rate(&o->speed, name, value, 0);
  if (!strcmp(name, "fps")) return take_rate(&o->fps, name, value, fps_max);
  if (strcmp(name, "frames") != 0) return take_time(&o->until, name, value);
  o->frames = read_positive(value);
  if (o->frames > 0) return EXIT_DONE;
  return complain(EXIT_USAGE, "--%s is '%s'; it must be a whole number from 1 on", name, value);
}
