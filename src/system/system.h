/* The inside of pc_system, for the files of this module. */
#ifndef PC_SYSTEM_SYSTEM_H
#define PC_SYSTEM_SYSTEM_H

#include "base/text_index.h"
#include "base/texts.h"
#include "linalg/row.h"
#include "system/element.h"

/* The matrices of an element are `count` times u x q (or u x u) on velocities that begin `stride`
 * further with each cell. Without finite elements: one cell of everything. */
typedef struct pc_cell_layout {
  int count, stride;
  int q, u;
  int q_stride;           /* the same over coordinates */
  int parts, part_stride; /* how many of its parts a cell has, and where it begins */
} pc_cell_layout;

typedef struct pc_element {
  const pc_element_ops* ops;
  void* data;
  char* name;
  int part_count;
  int* part; /* indices of its parts */
  /* The parts' runs of coordinates, neighbours joined. A single run needs no gathering. */
  int block_count;
  pc_block* q_block;
  pc_block* u_block;
  int q_count, u_count; /* local sizes */
  pc_cell_layout cell;
  int g_count, gamma_count, contact_count;
  int row_count;            /* all local rows */
  int g_first, gamma_first; /* global rows */
  int contact_first;        /* first contact; its rows follow each other */
  int contact_row_first;
  int row_first;        /* its rows follow each other from here on; -1: they do not */
  int plain_kinematics; /* q' = u for all its parts */
  unsigned provides, constant;
  char** constraint_name; /* g_count + gamma_count, or NULL */
  unsigned angular;
  int diagonal_M;
} pc_element;

typedef struct pc_contact {
  char* name;
  int element;
  int row, dimension;
  double mu, e_N, e_F, e_above;
  double stribeck, mu_kinetic;
  unsigned angular; /* bit 0: the gap is an angle; bit d: friction row d is one */
} pc_contact;

/* Where a global row lives. */
typedef struct pc_row_place {
  int element;
  int local; /* row within the element */
} pc_row_place;

/* A coordinate that holds a quantity. */
typedef struct pc_held {
  int q; /* its index */
  int quantity;
  double interval;
  int of_impulses;
} pc_held;

/* Quantities that follow each other in their numbers and indices, with the same kind and unit, and
 * names that begin alike: x, y and z of a body. */
typedef struct pc_quantity_run {
  const char* name; /* of the first; those of the others lie behind it, one after the other */
  int first;        /* its number */
  int index;        /* its own */
  short unit;       /* among those of the list */
  unsigned char kind;
} pc_quantity_run;

typedef struct pc_quantity_list {
  int count; /* quantities */
  pc_quantity_run* run;
  int run_count, capacity;
  const char* end;   /* where the last name ends; NULL: nothing goes on there */
  const char** unit; /* those that occur, by their addresses */
  int unit_count, unit_capacity;
  int* by_head; /* runs, by what their names begin with, after freezing */
} pc_quantity_list;

typedef struct pc_output_list {
  pc_output_def* item;
  int count, capacity;
} pc_output_list;

typedef struct pc_held_list {
  pc_held* item;
  int count, capacity;
} pc_held_list;

/* Coordinates and velocities at the start. */
typedef struct pc_system_start {
  double *q, *u;
} pc_system_start;

typedef struct pc_system_names {
  pc_texts all;        /* of parts, elements, contacts and quantities */
  pc_text_index parts; /* by name, until the system is frozen: no two are the same */
} pc_system_names;

/* What is known of its elements and parts together. */
typedef struct pc_system_terms {
  unsigned provides, constant; /* of a frozen one, without found contacts */
  int plain_kinematics;        /* q' = u everywhere */
} pc_system_terms;

/* What the arrays of a system have space for, while it is open. */
typedef struct pc_system_capacity {
  int q, u, part, element, contact;
} pc_system_capacity;

/* A contact that was found: what an element of it is made of when somebody asks for it. There are
 * many of them. */
typedef struct pc_found_slot {
  void* data;
  char* name;
  int part[2];
  pc_block q[2], u[2];
  int row;    /* its first row, */
  int entry;  /* and the first of its entries of W, among those of all found contacts */
  int law[2]; /* names the law, for comparison */
  unsigned char rows, parts, blocks, plain_kinematics;
} pc_found_slot;

/* The system of a step has elements of contacts that were found, behind the element_count own
 * ones. */
typedef struct pc_system_found {
  struct pc_extension* extension; /* NULL, or what makes this the system of a step */
  const pc_element_ops* ops;      /* of all found contacts */
  pc_found_slot* slot;
  int count;
  unsigned laws; /* PC_LAW_* of some of them */
  long layout; /* changes with the parts, rows and laws of the contacts, not with their geometry */
  size_t entries; /* of W */
} pc_system_found;

struct pc_system {
  int dimension;
  double gravity[3];
  int closed; /* rows are numbered and named: nothing but outputs can be added */
  int frozen;
  int q_count, u_count;
  pc_system_start start;
  pc_part* part;
  int part_count;
  pc_system_names names;
  pc_element* element;
  int element_count;
  pc_contact* contact;
  int contact_count;
  pc_system_capacity capacity;
  pc_quantity_list quantity;
  pc_output_list output;
  pc_held_list held;
  pc_row_place* row; /* but those of found contacts: see pc_system_row_place */
  int g_count, gamma_count, row_count;
  pc_system_terms terms;
  pc_attachment shapes;
  pc_system_found found;
};

/* Where a row lives; that of a found contact is found by its number. */
pc_row_place pc_find_found_row(const pc_system* system, int row);
static inline pc_row_place pc_system_row_place(const pc_system* s, int row)
{
  int is_found = s->found.count > 0 && row >= s->found.slot[0].row;
  return is_found ? pc_find_found_row(s, row) : s->row[row];
}

/* All elements, with those of found contacts. */
static inline int pc_system_all_elements(const pc_system* s)
{
  return s->element_count + s->found.count;
}

/* An element, with those of found contacts behind the others; one of these is made at `found`. */
void pc_make_found_element(const pc_system* system, int index, pc_element* found);
static inline const pc_element* pc_system_element_at(const pc_system* s, int index,
                                                     pc_element* found)
{
  if (index < s->element_count) return &s->element[index];
  pc_make_found_element(s, index - s->element_count, found);
  return found;
}

/* A contact, with those that were found behind the others. */
pc_contact pc_make_found_contact(const pc_system* system, int index);
static inline pc_contact pc_system_contact_at(const pc_system* s, int index)
{
  int fixed = s->contact_count - s->found.count;
  return index < fixed ? s->contact[index] : pc_make_found_contact(s, index - fixed);
}

/* A quantity more, called name and tail, which are copied; the unit is not. */
pc_status pc_system_add_quantity(pc_system* system, const char* name, const char* tail,
                                 const char* unit, pc_quantity_kind kind, int index);

/* Back to the first `count` of them. */
void pc_quantities_drop(pc_quantity_list* list, int count);

/* Sorts them for look-up by name; an error where two have the same name. */
pc_status pc_quantities_freeze(pc_quantity_list* list, pc_error* error);

/* Releases what the list holds. */
void pc_quantities_clear(pc_quantity_list* list);

/* Gives a frozen system other initial values. For its owner alone, before anyone else sees it. */
PC_SIBLING_API void pc_system_set_start(pc_system* system, const double* q, const double* u);

/* Releases the outputs. */
void pc_outputs_clear(pc_system* system);

/* Memory for one element's gathered numbers, in doubles. */
size_t pc_system_scratch_size(const pc_system* system);

#endif
