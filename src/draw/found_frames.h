/* Contacts between shapes in the frames of a motion: the impulse (percussion) of each since the
 * frame before. */
#ifndef PC_DRAW_FOUND_FRAMES_H
#define PC_DRAW_FOUND_FRAMES_H

#include "draw/motion.h"

typedef struct found_impulse {
  pc_contact_key key;
  double at[3]; /* [m] */
  double P[3];  /* on the body of the first shape [N s] */
  double size;  /* of P */
} found_impulse;

typedef struct found_frames {
  size_t* first; /* frame_count + 1: where the contacts of a frame begin */
  found_impulse* item;
  size_t count, capacity;
  size_t left_out; /* because a frame has more than `most` */
} found_frames;

/* By frames, and within them by keys; of each frame at most the `most` largest. To be released in
 * any case. */
pc_status read_found_frames(const motion* m, size_t most, found_frames* found, pc_error* error);
void release_found_frames(found_frames* found);

/* "box - floor" */
enum { PAIR_NAME_SIZE = 180 };
void name_shapes(const pc_result* result, const int shape[2], char name[PAIR_NAME_SIZE]);

#endif
