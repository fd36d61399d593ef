/* Films of pixels: every frame is a still SVG that rsvg-convert draws, and ffmpeg makes a film of
 * the pictures. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draw/film.h"
#include "draw/process.h"
#include "study/error.h"

enum { ARGUMENTS_MAX = 24 };

/* ---- one picture -------------------------------------------------------------------------- */

static pc_status rasterise(FILE* svg, int png, pc_error* error)
{
  char name[] = "rsvg-convert", format[] = "--format=png", white[] = "--background-color=white";
  char* arguments[] = {name, format, white, NULL};
  if (fflush(svg) != 0 || ferror(svg) || lseek(fileno(svg), 0, SEEK_SET) != 0)
    return set_error(error, PC_CANNOT_WRITE, "cannot write a temporary file: %s", strerror(errno));
  return run_program(arguments, fileno(svg), png, "draws the pictures", "librsvg2-bin", error);
}

static pc_status draw_frame_of(const scene* s, const film_options* options, int frame, int png,
                               pc_error* error)
{
  film_options still = *options;
  still.still = 1;
  still.frame = frame;
  FILE* svg = tmpfile();
  if (!svg) return set_error(error, PC_CANNOT_WRITE, "no temporary file: %s", strerror(errno));
  pc_status status = draw_film(s, &still, svg, error);
  if (status == PC_OK) status = rasterise(svg, png, error);
  fclose(svg);
  return status;
}

pc_status draw_png(const scene* s, const film_options* options, FILE* to, pc_error* error)
{
  return draw_frame_of(s, options, options->frame, fileno(to), error);
}

/* ---- all of them -------------------------------------------------------------------------- */

/* Writes the name of a frame by a pattern with one "%d", "%04d" ...; 0 if it is none. */
static int name_frame(const char* pattern, int frame, char* path, size_t size)
{
  const char* percent = strchr(pattern, '%');
  if (!percent || strchr(percent + 1, '%')) return 0;
  char* end;
  long width = strtol(percent + 1, &end, 10);
  if (*end != 'd' || width < 0 || width > 9) return 0;
  int length = snprintf(path, size, "%.*s%0*d%s", (int)(percent - pattern), pattern, (int)width,
                        frame, end + 1);
  return length > 0 && (size_t)length < size;
}

static pc_status draw_into(const scene* s, const film_options* options, int frame, const char* path,
                           pc_error* error)
{
  int png = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (png < 0)
    return set_error(error, PC_CANNOT_WRITE, "cannot write '%s': %s", path, strerror(errno));
  pc_status status = draw_frame_of(s, options, frame, png, error);
  if (close(png) != 0 && status == PC_OK)
    status = set_error(error, PC_CANNOT_WRITE, "cannot write '%s': %s", path, strerror(errno));
  return status;
}

pc_status draw_png_frames(const scene* s, const film_options* options, const char* pattern,
                          pc_error* error)
{
  pc_status status = PC_OK;
  for (int k = 0; status == PC_OK && k < s->motion->frame_count; k++) {
    char path[PATH_MAX];
    if (!name_frame(pattern, k + 1, path, sizeof path))
      return set_error(error, PC_BAD_ARGUMENT,
                       "'%s' is no pattern of file names; one is film-%%04d.png", pattern);
    status = draw_into(s, options, k, path, error);
  }
  return status;
}

/* ---- films -------------------------------------------------------------------------------- */

/* Options of ffmpeg besides the frames, for each kind of film. Sides are even for the first two. */
static char* const* choose_coding(const char* kind)
{
  static char filter[] = "-vf", even[] = "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white";
  static char pixels[] = "-pix_fmt", usual[] = "yuv420p", codec[] = "-c:v", h264[] = "libx264";
  static char vp9[] = "libvpx-vp9", quality[] = "-crf", fine[] = "20", fine9[] = "30";
  static char rate[] = "-b:v", none[] = "0";
  static char palette[] =
      "split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none";
  static char* const mp4[] = {codec, h264, pixels, usual, quality, fine, filter, even, NULL};
  static char* const webm[] = {codec, vp9, quality, fine9, rate, none, filter, even, NULL};
  static char* const gif[] = {filter, palette, NULL};
  return !strcmp(kind, "mp4") ? mp4 : !strcmp(kind, "webm") ? webm : gif;
}

static pc_status encode(const motion* m, const char* folder, const char* kind, pc_error* error)
{
  char name[] = "ffmpeg", quiet[] = "-v", level[] = "error", yes[] = "-y", rate[] = "-framerate",
       from[] = "-i", fps[32], pictures[PATH_MAX], film[PATH_MAX];
  double frames = m->duration > 0 ? fmax(1, m->frame_count - 1) / m->duration : 1;
  snprintf(fps, sizeof fps, "%.6g", frames);
  snprintf(pictures, sizeof pictures, "%s/%%05d.png", folder);
  snprintf(film, sizeof film, "%s/film.%s", folder, kind);
  char* argument[ARGUMENTS_MAX] = {name, quiet, level, yes, rate, fps, from, pictures};
  int count = 8;
  for (char* const* word = choose_coding(kind); *word; word++) argument[count++] = *word;
  argument[count++] = film;
  return run_program(argument, -1, -1, "makes films of pictures", "ffmpeg", error);
}

static pc_status copy_file(const char* path, FILE* to, pc_error* error)
{
  char block[1 << 16];
  size_t count;
  FILE* from = fopen(path, "rb");
  if (!from)
    return set_error(error, PC_CANNOT_WRITE, "cannot read '%s': %s", path, strerror(errno));
  while ((count = fread(block, 1, sizeof block, from)) > 0) fwrite(block, 1, count, to);
  fclose(from);
  return PC_OK;
}

/* Removes a folder and what we have put there. */
static void remove_folder(const char* folder, const char* kind, int frames)
{
  char path[PATH_MAX];
  for (int k = 1; k <= frames; k++) {
    snprintf(path, sizeof path, "%s/%05d.png", folder, k);
    unlink(path);
  }
  snprintf(path, sizeof path, "%s/film.%s", folder, kind);
  unlink(path);
  rmdir(folder);
}

pc_status draw_pixel_film(const scene* s, const film_options* options, const char* kind, FILE* to,
                          pc_error* error)
{
  const char* place = getenv("TMPDIR");
  char folder[PATH_MAX - 64], pattern[PATH_MAX], film[PATH_MAX];
  snprintf(folder, sizeof folder, "%s/percuss-XXXXXX", place && *place ? place : "/tmp");
  if (!mkdtemp(folder))
    return set_error(error, PC_CANNOT_WRITE, "no temporary folder: %s", strerror(errno));
  snprintf(pattern, sizeof pattern, "%s/%%05d.png", folder);
  snprintf(film, sizeof film, "%s/film.%s", folder, kind);
  pc_status status = draw_png_frames(s, options, pattern, error);
  if (status == PC_OK) status = encode(s->motion, folder, kind, error);
  if (status == PC_OK) status = copy_file(film, to, error);
  remove_folder(folder, kind, s->motion->frame_count);
  return status;
}
