/* An animated SVG: the scene of a motion on a page. It plays without scripts (SMIL). */
#ifndef PC_DRAW_FILM_H
#define PC_DRAW_FILM_H

#include <stdio.h>

#include "draw/scene.h"

typedef struct film_options {
  int width; /* [pixels] */
  const char* title;
  double azimuth, elevation; /* of the eye, in space [degrees] */
  int still;                 /* not 0: a picture of one frame that does not move */
  int frame;                 /* which one, from 0 */
  int no_arrows;             /* impulses (percussions) are not drawn */
} film_options;

/* A page: how the world is seen and where it is put. */
typedef struct page {
  double right[3], up[3]; /* unit vectors of the picture in the inertial frame */
  double scale;           /* pixels per m */
  double origin[2];       /* of the inertial frame on the page [pixels] */
  int width, height;
  double title, text; /* height of the letters of the title, and of the lines below it [pixels] */
  double top, bottom; /* of the drawing [pixels] */
  double foot;        /* of axes and scale, which are below it */
  double duration;    /* [s] */
  int frames;
  int still, frame; /* as in the options; a film begins with frame 0 */
} page;

/* Below this width the legend of the impulses is a line of its own, as it would meet the subtitle
 * beside it, and axes and scale have a band of their own [pixels]. */
enum { NARROW_PAGE = 760 };

/* Writes the SVG element. */
pc_status draw_film(const scene* s, const film_options* options, FILE* to, pc_error* error);

/* Films of pixels, in draw/film_pixels.c: rsvg-convert draws the frames, ffmpeg makes films of
 * them. A still picture as PNG into a file; all frames into files by a pattern with one %d, such as
 * "film-%04d.png"; or a film, whose kind is "mp4", "webm" or "gif". */
pc_status draw_png(const scene* s, const film_options* options, FILE* to, pc_error* error);
pc_status draw_png_frames(const scene* s, const film_options* options, const char* pattern,
                          pc_error* error);
pc_status draw_pixel_film(const scene* s, const film_options* options, const char* kind, FILE* to,
                          pc_error* error);

/* An HTML page that plays it, stops and seeks; in draw/film_page.c. */
pc_status draw_film_page(const scene* s, const film_options* options, FILE* to, pc_error* error);

/* For the files that draw it: a position on the page [pixels]. */
void on_page(const page* p, const double position[3], double at[2]);

/* In draw/film_path.c. A path through `count` points for each frame: xy is frames x count x 2.
 * Without motion it is a path and nothing else. `style` are further attributes. */
typedef struct moving_path {
  double* xy;
  int count, closed, jumps; /* jumps: nothing between the frames */
  int comes; /* and goes: in most frames a point, which cannot be seen; those are left out */
} moving_path;

void put_path(FILE* to, const page* p, const moving_path* path, const char* style);

/* Something at a point for each frame: xy is frames x 2. `what` is drawn around the origin. */
void put_moving(FILE* to, const page* p, const double* xy, const char* what);

/* ";"-separated values of an attribute over the frames, printed by the callback. */
typedef void put_value(FILE* to, const void* user, int frame);
void put_animation(FILE* to, const page* p, const char* head, int jumps, put_value* put,
                   const void* user);

/* A put_value for a moving_path: the path in a frame. */
void put_path_at(FILE* to, const void* path, int frame);

/* Whether the numbers of a frame, as they are printed, differ between frames. */
int path_moves(const double* xy, int frames, int numbers);

/* A number with one decimal at most. */
void put_pixels(FILE* to, double value);

/* The height of the title's letters and of those below it, which fit into the width of the page. */
void choose_letters(const film_options* options, page* p);

/* The frame around the drawing, in draw/film_frame.c: title, scale, axes, time. */
void draw_frame(const scene* s, const page* p, const film_options* options, FILE* to);

/* The arrows, in draw/film_arrows.c. */
pc_status draw_arrows(const scene* s, const page* p, FILE* to, pc_error* error);

/* The corners of a box around all arrows of the film [pixels]; infinite and empty without any. */
pc_status find_reach_of_arrows(const scene* s, const page* p, double low[2], double high[2],
                               pc_error* error);

#endif
