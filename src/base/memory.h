/* Memory: growth at creation and between steps, never inside a step.
 *
 * Long-lived arrays come from `pc_alloc` (zeroed, freed with `free`). Scratch comes from an arena:
 * a stack of chunks with marks, so that an early return leaks nothing. Once an arena has grown to
 * what a step needs, it does not allocate any more. */
#ifndef PC_BASE_MEMORY_H
#define PC_BASE_MEMORY_H

#include <stddef.h>

#include "base/export.h"

/* `count` zeroed objects of `size` bytes; NULL if there is no memory (or count * size overflows).
 * A count of 0 gives a valid pointer. */
PC_SIBLING_API void* pc_alloc(size_t count, size_t size);

/* A copy of a text, or NULL. */
PC_SIBLING_API char* pc_copy_text(const char* text);

/* Makes space for one more object in a growing array: *items of *capacity, of which `count` are in
 * use. Returns PC_OUT_OF_MEMORY and leaves all as it was if it cannot. */
PC_SIBLING_API pc_status pc_grow(void** items, int* capacity, int count, size_t size);

/* Gives back what a growing array has beyond its `count` objects; PC_OUT_OF_MEMORY leaves all as it
 * was. */
PC_SIBLING_API pc_status pc_trim(void** items, int* capacity, int count, size_t size);

/* Makes *items hold at least `count` objects, of which what is there stays; what is new is not
 * initialised. Grows by a 64th at least, so that an array that is reserved step by step seldom
 * moves. */
PC_SIBLING_API pc_status pc_reserve(void** items, size_t* capacity, size_t count, size_t size);

/* One of several arrays that always have the same length: the address of its pointer, and the size
 * of an object. */
typedef struct pc_array {
  void* items; /* a T** */
  size_t size;
} pc_array;

#define PC_ARRAY(pointer)         \
  {                               \
    &(pointer), sizeof *(pointer) \
  }

/* Makes each of the arrays hold at least `count` objects. What is there stays, what is new is zero.
 * At first they have exactly that many; later they grow by a 64th at least. If there is no
 * memory, some may have grown, and *capacity is what it was. */
pc_status pc_reserve_arrays(int arrays, const pc_array* array, size_t* capacity, size_t count);

/* Memory that its owner does not need for a while: whoever it is lent to may write over it. None:
 * {NULL, 0}. */
typedef struct pc_spare {
  void* memory; /* aligned for doubles */
  size_t bytes;
} pc_spare;

typedef struct pc_arena pc_arena;

typedef struct pc_mark {
  int chunk;
  size_t used;
} pc_mark;

pc_arena* pc_arena_create(size_t bytes);
void pc_arena_destroy(pc_arena* arena); /* NULL is fine */

/* Uninitialised space for `count` doubles / ints; NULL if there is no memory. Aligned to 32
 * bytes. */
double* pc_arena_doubles(pc_arena* arena, size_t count);
int* pc_arena_ints(pc_arena* arena, size_t count);

pc_mark pc_arena_mark(const pc_arena* arena);
void pc_arena_release(pc_arena* arena, pc_mark mark);

#endif
