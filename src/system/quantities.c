/* Quantities by number and by name. A body in space has thirteen, and there may be many bodies: of
 * quantities that differ by their index and name alone, one after the other, the first is listed;
 * the names of the others lie behind its own. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/system.h"

/* Names of a run: those before the one that is asked for are walked through. */
enum { RUN_MAX = 16 };

void pc_quantities_clear(pc_quantity_list* list)
{
  free(list->run);
  free(list->unit);
  free(list->by_head);
}

static const char* next_name(const char* name)
{
  return name + strlen(name) + 1;
}

/* What names of the same part or joint have in common: how long it is, with its dot. */
static size_t head_length(const char* name)
{
  const char* dot = strrchr(name, '.');
  return dot ? (size_t)(dot - name) + 1 : 0;
}

static int compare_heads(const char* a, const char* b)
{
  size_t of_a = head_length(a), of_b = head_length(b);
  int order = memcmp(a, b, of_a < of_b ? of_a : of_b);
  return order ? order : (of_a > of_b) - (of_a < of_b);
}

/* ---- adding -------------------------------------------------------------------------------- */

/* The number of a unit; it is mostly one of those that came last. */
static pc_status find_unit(pc_quantity_list* list, const char* unit, short* number)
{
  int i = list->unit_count;
  while (i > 0 && list->unit[i - 1] != unit) i--;
  if (i == 0) {
    if (list->unit_count == SHRT_MAX) return PC_OUT_OF_MEMORY;
    PC_TRY(
        pc_grow((void**)&list->unit, &list->unit_capacity, list->unit_count, sizeof *list->unit));
    list->unit[list->unit_count++] = unit;
    i = list->unit_count;
  }
  *number = (short)(i - 1);
  return PC_OK;
}

/* Whether a quantity goes on where the last run ends. */
static int goes_on(const pc_quantity_list* list, const pc_quantity_run* q)
{
  if (list->run_count == 0 || q->name != list->end) return 0;
  const pc_quantity_run* last = &list->run[list->run_count - 1];
  int length = list->count - last->first;
  return length < RUN_MAX && q->kind == last->kind && q->unit == last->unit &&
         q->index == last->index + length && compare_heads(q->name, last->name) == 0;
}

pc_status pc_system_add_quantity(pc_system* s, const char* name, const char* tail, const char* unit,
                                 pc_quantity_kind kind, int index)
{
  pc_quantity_list* list = &s->quantity;
  const char* own = pc_texts_add(&s->names.all, name, tail);
  if (!own) return PC_OUT_OF_MEMORY;
  pc_quantity_run q = {
      .name = own, .first = list->count, .index = index, .kind = (unsigned char)kind};
  PC_TRY(find_unit(list, unit, &q.unit));
  if (!goes_on(list, &q)) {
    PC_TRY(pc_grow((void**)&list->run, &list->capacity, list->run_count, sizeof *list->run));
    list->run[list->run_count++] = q;
  }
  list->count++;
  list->end = next_name(own);
  return PC_OK;
}

void pc_quantities_drop(pc_quantity_list* list, int count)
{
  list->count = count;
  while (list->run_count && list->run[list->run_count - 1].first >= count) list->run_count--;
  list->end = NULL; /* the names behind the last one are of those that were dropped */
}

/* ---- by number ----------------------------------------------------------------------------- */

int pc_system_quantity_count(const pc_system* s)
{
  if (!s) return 0;
  return s->quantity.count;
}

/* Where a run ends: the number of the quantity behind it. */
static int end_of(const pc_quantity_list* list, int run)
{
  return run + 1 < list->run_count ? list->run[run + 1].first : list->count;
}

static const pc_quantity_run* run_of(const pc_quantity_list* list, int quantity)
{
  int low = 0, high = list->run_count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (list->run[middle].first <= quantity)
      low = middle;
    else
      high = middle;
  }
  return &list->run[low];
}

pc_quantity pc_system_quantity(const pc_system* s, int quantity)
{
  if ((unsigned)quantity >= (unsigned)pc_system_quantity_count(s)) return (pc_quantity){0};
  const pc_quantity_run* of = run_of(&s->quantity, quantity);
  int place = quantity - of->first;
  const char* name = of->name;
  for (int i = 0; i < place; i++) name = next_name(name);
  return (pc_quantity){name, s->quantity.unit[of->unit], of->kind, of->index + place};
}

/* ---- by name ------------------------------------------------------------------------------- */

/* The quantity of a run that is called so, or -1. */
static int find_in_run(const pc_quantity_list* list, int run, const char* name)
{
  const char* own = list->run[run].name;
  int i = list->run[run].first, end = end_of(list, run);
  for (; i < end; i++, own = next_name(own))
    if (strcmp(own, name) == 0) return i;
  return -1;
}

/* Before the runs are sorted. */
static int find_unsorted(const pc_quantity_list* list, const char* name)
{
  int found = -1;
  for (int r = 0; r < list->run_count && found < 0; r++) found = find_in_run(list, r, name);
  return found;
}

/* The first of the sorted runs that is not before those with the head of this name. */
static int bisect_head(const pc_quantity_list* list, const char* name)
{
  int low = 0, high = list->run_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (compare_heads(list->run[list->by_head[middle]].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int pc_system_find_quantity(const pc_system* s, const char* name)
{
  if (!s || !name) return 0;
  const pc_quantity_list* list = &s->quantity;
  if (!s->frozen) return find_unsorted(list, name);
  int found = -1;
  for (int i = bisect_head(list, name); i < list->run_count && found < 0; i++) {
    int run = list->by_head[i];
    if (compare_heads(list->run[run].name, name) != 0) break;
    found = find_in_run(list, run, name);
  }
  return found;
}

/* ---- sorting ------------------------------------------------------------------------------- */

typedef struct named {
  const char* name;
  int index;
} named;

static int compare_names(const void* a, const void* b)
{
  return strcmp(((const named*)a)->name, ((const named*)b)->name);
}

/* By their heads, and those of one head as they come. */
static int compare_runs(const void* a, const void* b)
{
  const named *x = a, *y = b;
  int order = compare_heads(x->name, y->name);
  return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Two of one name would be ambiguous. `list` has space for all. */
static pc_status check_names(const pc_quantity_list* all, named* list, pc_error* error)
{
  for (int r = 0; r < all->run_count; r++) {
    const char* name = all->run[r].name;
    for (int i = all->run[r].first; i < end_of(all, r); i++, name = next_name(name))
      list[i] = (named){name, i};
  }
  qsort(list, (size_t)all->count, sizeof *list, compare_names);
  for (int i = 1; i < all->count; i++)
    if (!strcmp(list[i].name, list[i - 1].name))
      return pc_fail(error, PC_BAD_MODEL,
                     "two quantities are called '%s': give their parts different names",
                     list[i].name);
  return PC_OK;
}

pc_status pc_quantities_freeze(pc_quantity_list* all, pc_error* error)
{
  named* list = pc_alloc((size_t)all->count, sizeof *list);
  all->by_head = pc_alloc((size_t)all->run_count, sizeof *all->by_head);
  pc_status status = list && all->by_head ? PC_OK : pc_no_memory(error);
  if (status == PC_OK) status = check_names(all, list, error);
  if (status == PC_OK) {
    for (int r = 0; r < all->run_count; r++) list[r] = (named){all->run[r].name, r};
    qsort(list, (size_t)all->run_count, sizeof *list, compare_runs);
    for (int r = 0; r < all->run_count; r++) all->by_head[r] = list[r].index;
  }
  free(list);
  if (status != PC_OK) return status;
  status = pc_trim((void**)&all->run, &all->capacity, all->run_count, sizeof *all->run);
  return status == PC_OK ? PC_OK : pc_no_memory(error);
}
