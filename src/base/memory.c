#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  ALIGNMENT = 32,
  CHUNKS_MAX = 48,
  GROWTH = 64 /* arrays that are reserved grow by this part of their length at least */
};

void* pc_alloc(size_t count, size_t size)
{
  return calloc(count ? count : 1, size ? size : 1);
}

char* pc_copy_text(const char* text)
{
  size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

pc_status pc_grow(void** items, int* capacity, int count, size_t size)
{
  if (count < *capacity) return PC_OK;
  if (*capacity > INT32_MAX / 2) return PC_OUT_OF_MEMORY;
  int wanted = *capacity ? 2 * *capacity : 8;
  if ((size_t)wanted > SIZE_MAX / size) return PC_OUT_OF_MEMORY;
  void* grown = realloc(*items, (size_t)wanted * size);
  if (!grown) return PC_OUT_OF_MEMORY;
  memset((char*)grown + (size_t)count * size, 0, (size_t)(wanted - count) * size);
  *items = grown;
  *capacity = wanted;
  return PC_OK;
}

pc_status pc_trim(void** items, int* capacity, int count, size_t size)
{
  if (count >= *capacity || count == 0) return PC_OK;
  void* trimmed = realloc(*items, (size_t)count * size);
  if (!trimmed) return PC_OUT_OF_MEMORY;
  *items = trimmed;
  *capacity = count;
  return PC_OK;
}

pc_status pc_reserve(void** items, size_t* capacity, size_t count, size_t size)
{
  if (count <= *capacity && *items) return PC_OK;
  size_t wanted = *capacity + *capacity / GROWTH;
  if (wanted < count) wanted = count;
  if (wanted < 64) wanted = 64;
  if (wanted > SIZE_MAX / 2 / size) return PC_OUT_OF_MEMORY;
  void* grown = realloc(*items, wanted * size);
  if (!grown) return PC_OUT_OF_MEMORY;
  *items = grown;
  *capacity = wanted;
  return PC_OK;
}

pc_status pc_reserve_arrays(int arrays, const pc_array* array, size_t* capacity, size_t count)
{
  int is_new = arrays > 0 && !*(void**)array[0].items;
  if (count <= *capacity && !is_new) return PC_OK;
  size_t wanted = *capacity + *capacity / GROWTH;
  if (wanted < count || is_new) wanted = count ? count : 1;
  for (int i = 0; i < arrays; i++) {
    void** items = array[i].items;
    size_t size = array[i].size, known = *items ? *capacity : 0;
    if (wanted > SIZE_MAX / 2 / size) return PC_OUT_OF_MEMORY;
    void* grown = realloc(*items, wanted * size);
    if (!grown) return PC_OUT_OF_MEMORY;
    memset((char*)grown + known * size, 0, (wanted - known) * size);
    *items = grown;
  }
  *capacity = wanted;
  return PC_OK;
}

/* A stack of chunks, each at least twice as large as the one below it. */
struct pc_arena {
  int chunk; /* in use at the moment */
  int count;
  size_t used; /* of that chunk */
  char* memory[CHUNKS_MAX];
  size_t size[CHUNKS_MAX];
};

static int add_chunk(pc_arena* arena, size_t bytes)
{
  if (arena->count == CHUNKS_MAX || bytes > SIZE_MAX - ALIGNMENT) return 0;
  size_t size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  char* memory = aligned_alloc(ALIGNMENT, size);
  if (!memory) return 0;
  arena->memory[arena->count] = memory;
  arena->size[arena->count] = size;
  arena->count++;
  return 1;
}

pc_arena* pc_arena_create(size_t bytes)
{
  pc_arena* arena = pc_alloc(1, sizeof *arena);
  if (arena && !add_chunk(arena, bytes < 1024 ? 1024 : bytes)) {
    free(arena);
    return NULL;
  }
  return arena;
}

void pc_arena_destroy(pc_arena* arena)
{
  if (!arena) return;
  for (int i = 0; i < arena->count; i++) free(arena->memory[i]);
  free(arena);
}

static void* take(pc_arena* arena, size_t count, size_t size)
{
  if (count > (SIZE_MAX - ALIGNMENT) / size) return NULL;
  size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  while (arena->size[arena->chunk] - arena->used < bytes) {
    size_t twice = 2 * arena->size[arena->chunk];
    if (arena->chunk + 1 == arena->count && !add_chunk(arena, bytes > twice ? bytes : twice))
      return NULL;
    arena->chunk++;
    arena->used = 0;
  }
  void* result = arena->memory[arena->chunk] + arena->used;
  arena->used += bytes;
  return result;
}

double* pc_arena_doubles(pc_arena* arena, size_t count)
{
  return take(arena, count, sizeof(double));
}

int* pc_arena_ints(pc_arena* arena, size_t count)
{
  return take(arena, count, sizeof(int));
}

pc_mark pc_arena_mark(const pc_arena* arena)
{
  return (pc_mark){arena->chunk, arena->used};
}

void pc_arena_release(pc_arena* arena, pc_mark mark)
{
  arena->chunk = mark.chunk;
  arena->used = mark.used;
}
