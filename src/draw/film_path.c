/* Paths and marks that move, as elements of an SVG. */
#include <math.h>
#include <stdlib.h>

#include "draw/film.h"

/* What is far beyond any page, or is no number, is drawn far beyond it: no reader of SVG takes
 * larger numbers. */
void put_pixels(FILE* to, double value)
{
  const double limit = 1e6;
  if (!(fabs(value) <= limit)) value = value < 0 ? -limit : limit;
  long tenths = lround(10 * value);
  if (tenths % 10 == 0)
    fprintf(to, "%ld", tenths / 10);
  else
    fprintf(to, "%s%ld.%ld", tenths < 0 ? "-" : "", labs(tenths) / 10, labs(tenths) % 10);
}

void put_animation(FILE* to, const page* p, const char* head, int jumps, put_value* put,
                   const void* user)
{
  if (p->still) return;
  fprintf(to, "<%s dur=\"%.6gs\" repeatCount=\"indefinite\"%s values=\"", head, p->duration,
          jumps ? " calcMode=\"discrete\"" : "");
  for (int k = 0; k < p->frames; k++) {
    if (k) fputc(';', to);
    put(to, user, k);
  }
  fputs("\"/>", to);
}

void put_path_at(FILE* to, const void* user, int frame)
{
  const moving_path* path = user;
  const double* xy = path->xy + (size_t)frame * (size_t)path->count * 2;
  for (int k = 0; k < path->count; k++) {
    fputc(k == 0 ? 'M' : k == 1 ? 'L' : ' ', to);
    put_pixels(to, xy[2 * k]);
    fputc(' ', to);
    put_pixels(to, xy[2 * k + 1]);
  }
  if (path->closed) fputc('Z', to);
}

int path_moves(const double* xy, int frames, int numbers)
{
  for (int k = 1; k < frames; k++)
    for (int i = 0; i < numbers; i++)
      if (lround(10 * xy[k * numbers + i]) != lround(10 * xy[i])) return 1;
  return 0;
}

/* Whether a path has shrunk to a point in two frames, the same in both. */
static int is_point(const moving_path* path, int frame, int other)
{
  const double *here = path->xy + 2 * path->count * frame,
               *there = path->xy + 2 * path->count * other;
  for (int i = 0; i < 2 * path->count; i++)
    if (here[i] != here[i % 2] || there[i] != here[i % 2]) return 0;
  return 1;
}

/* Whether a frame is not one of those between two others in which there is nothing to be seen. */
static int is_listed(const page* p, const moving_path* path, int frame)
{
  return frame == 0 || frame == p->frames - 1 || !is_point(path, frame, frame - 1) ||
         !is_point(path, frame, frame + 1);
}

static void put_seen(FILE* to, const page* p, const moving_path* path)
{
  if (p->still) return;
  fprintf(to, "<animate attributeName=\"d\" dur=\"%.6gs\" repeatCount=\"indefinite\" keyTimes=\"",
          p->duration);
  for (int k = 0; k < p->frames; k++)
    if (is_listed(p, path, k)) fprintf(to, "%s%.5g", k ? ";" : "", (double)k / (p->frames - 1));
  fputs("\" values=\"", to);
  for (int k = 0; k < p->frames; k++)
    if (is_listed(p, path, k)) {
      if (k) fputc(';', to);
      put_path_at(to, path, k);
    }
  fputs("\"/>", to);
}

void put_path(FILE* to, const page* p, const moving_path* path, const char* style)
{
  fprintf(to, "<path %s d=\"", style);
  put_path_at(to, path, p->frame);
  if (!path_moves(path->xy, p->frames, 2 * path->count)) {
    fputs("\"/>\n", to);
    return;
  }
  fputs("\">", to);
  if (path->comes)
    put_seen(to, p, path);
  else
    put_animation(to, p, "animate attributeName=\"d\"", path->jumps, put_path_at, path);
  fputs("</path>\n", to);
}

static void put_place(FILE* to, const void* user, int frame)
{
  const double* xy = user;
  put_pixels(to, xy[2 * frame]);
  fputc(' ', to);
  put_pixels(to, xy[2 * frame + 1]);
}

void put_moving(FILE* to, const page* p, const double* xy, const char* what)
{
  fputs("<g transform=\"translate(", to);
  put_place(to, xy, p->frame);
  fputs(")\">", to);
  fputs(what, to);
  if (path_moves(xy, p->frames, 2))
    put_animation(to, p, "animateTransform attributeName=\"transform\" type=\"translate\"", 0,
                  put_place, xy);
  fputs("</g>\n", to);
}
