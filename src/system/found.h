/* The system of a step: a frozen system, and the contacts that were found for this step.
 *
 * It is what schemes see. Everything but the found contacts is the frozen system's own, which it
 * only borrows: an extension belongs to one simulation, the frozen system to any number. A found
 * contact is an element with one contact, behind all others: its rows are the last ones. Between
 * steps the list is replaced, and whoever has arrays by rows or contacts fits them to it again. */
#ifndef PC_SYSTEM_FOUND_H
#define PC_SYSTEM_FOUND_H

#include "base/threads.h"
#include "system/element.h"

/* What the parts of found contacts have at most: the coordinates of a body in space; and the rows
 * of a contact. */
enum { PC_PART_Q_MAX = 7, PC_FOUND_ROWS_MAX = 4 };

/* The terms that found contacts provide, none of which is constant. */
#define PC_FOUND_PROVIDES ((unsigned)(PC_TERM_Y | PC_TERM_W | PC_TERM_W_Q))

/* A contact that was found. */
typedef struct pc_found_contact {
  char* name;         /* for texts; not copied, not changed */
  pc_part_id part[2]; /* one of them may be PC_GROUND */
  void* data;         /* of the element; must live as long as the list; not changed */
  int row;            /* its first row among those of all that were found, */
  int entry;          /* and the first of its entries of W */
  int dimension;      /* friction rows */
  int law[2];         /* two contacts with the same numbers have the same law */
  unsigned has;       /* of PC_LAW_*, of its law */
} pc_found_contact;

typedef pc_found_contact pc_get_found(const void* user, int index);

pc_status pc_system_extend(const pc_system* frozen, pc_system** extended, pc_error* error);
void pc_system_destroy_extension(pc_system* extended); /* NULL is fine */

/* How many found contacts there are, and how many rows and entries of W they have together. */
typedef struct pc_found_sizes {
  int count, rows, entries;
} pc_found_sizes;

/* Replaces the found contacts; `ops->evaluate` gives their rows, `ops->law` their laws. Threads
 * call `get`. */
pc_status pc_system_set_found(pc_system* extended, const pc_element_ops* ops,
                              const pc_found_sizes* sizes, pc_get_found* get, const void* user,
                              pc_error* error);

/* What some contact of the system has, listed or found, as a mask: restitution from some speed on,
 * friction that depends on the speed. */
enum { PC_LAW_ABOVE = 1, PC_LAW_CURVE = 2 };
unsigned pc_system_laws(const pc_system* system);

/* The threads that share the work on found contacts, for the system of a step; it does not own
 * them. NULL: none. */
void pc_system_set_threads(pc_system* extended, pc_threads* threads);
pc_threads* pc_system_threads(const pc_system* system);

/* Whether contacts may be found: the system of a step. How many there are at present, and how many
 * contacts and rows there are before them. */
int pc_system_is_extended(const pc_system* system);
int pc_system_found_count(const pc_system* system);
int pc_system_fixed_contact_count(const pc_system* system);
int pc_system_fixed_row_count(const pc_system* system);

/* A number that changes whenever found contacts have other parts, rows or laws than those of the
 * step before. While it stays, only their geometry is another one: arrays by rows and contacts,
 * sparsity patterns and laws still fit. */
long pc_system_found_layout(const pc_system* system);

#endif
