/* Model files that include others: `include: rails.yaml`, or a list of names. */
#ifndef PC_TEXT_INCLUDE_H
#define PC_TEXT_INCLUDE_H

#include "text/files.h"

/* Adds the sections of all included files to those of `root`. Entries of mappings and lists come
 * together, those of the included file first. Parameters, keys of `simulate` and single values of
 * the including file replace those of the included one; in all other mappings no name may stand
 * twice. */
pc_status pc_include(pc_node* root, pc_files* files, pc_error* error);

#endif
