/* Drawings: what the section `draw` says about a model whose formulas have no geometry. */
#ifndef PC_MODEL_DRAWING_H
#define PC_MODEL_DRAWING_H

#include "model/field.h"
#include "percuss/model.h"

/* A drawing and its numbers: three for each point, then the radius or the three of the normal. */
typedef struct pc_drawing_entry {
  pc_drawing about; /* its name lives in the tree */
  pc_output_def* number;
  int number_count;
} pc_drawing_entry;

typedef struct pc_drawings {
  pc_drawing_entry* item;
  int count, capacity;
} pc_drawings;

/* Reads the section (NULL: not there) of a frozen system. */
pc_status pc_read_drawings(pc_reader* r, const pc_node* section, pc_drawings* drawings);
void pc_drawings_clear(pc_drawings* drawings);

#endif
