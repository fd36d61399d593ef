/* Looking at a frozen system: who owns a row, what touches a part. For reports, not for schemes. */
#ifndef PC_SYSTEM_INSPECT_H
#define PC_SYSTEM_INSPECT_H

#include "system/element.h"

typedef struct pc_element_view {
  const char* name;
  const char* kind; /* "revolute", "body", ... */
  int part_count;
  const int* part; /* indices of the parts it touches; the ground is not among them */
  int row_count;   /* constraints and contacts */
  int constraint_count;
  int contact_first, contact_count; /* its contacts */
  unsigned provides;
  const void* data; /* of its kind */
} pc_element_view;

pc_element_view pc_system_element(const pc_system* system, int element);

/* The name of the joint, constraint or contact that a row belongs to. */
const char* pc_system_row_name(const pc_system* system, int row);

/* Whether rows a and b of constraints have the same owner, by that name. */
int pc_system_same_owner(const pc_system* system, int a, int b);

/* The rows of a contact: where they begin, and where those of the next one. */
int pc_system_contact_row(const pc_system* system, int contact);
int pc_system_contact_end(const pc_system* system, int contact);

#endif
