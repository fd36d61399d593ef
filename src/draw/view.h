/* The viewer: one page that holds results and the program that shows them (web/). It needs nothing
 * else and asks for nothing from elsewhere. docs/viewer.md describes the data in it. */
#ifndef PC_DRAW_VIEW_H
#define PC_DRAW_VIEW_H

#include <stdio.h>

#include "draw/scene.h"

typedef struct view_options {
  const char* title;         /* NULL: that of the first model */
  motion_options motion;     /* which frames */
  const char* const* series; /* quantities to plot, names; NULL: to be chosen */
  int series_count;
} view_options;

/* Whether this build has the page (web/dist/view.html). */
int has_view_page(void);

/* Writes the page of several results of one model, or of several. */
pc_status draw_view(const pc_result* const* result, int count, const view_options* options,
                    FILE* to, pc_error* error);

/* ---- for the files that write it: members of the object that is a result, each with a comma
 * behind it. ---- */

/* Names, frames, tracks (what moves) and items (what is drawn on it), in draw/view_scene.c. */
pc_status put_view_scene(FILE* to, const scene* s, pc_error* error);

/* Points and impulses of contacts in each frame, in draw/view_contacts.c: at most `most` of
 * them. */
pc_status put_view_contacts(FILE* to, const scene* s, size_t most, pc_error* error);

/* Quantities over time, in draw/view_series.c: some `numbers` of them in all. */
pc_status put_view_series(FILE* to, const motion* m, const view_options* options, long numbers,
                          pc_error* error);

/* What a run was like and its impacts, in draw/view_digest.c. */
pc_status put_view_digest(FILE* to, const motion* m, pc_error* error);

#endif
