#include "base/text_index.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Fowler, Noll and Vo's hash, 1a. */
static uint32_t hash(const char* text)
{
  uint32_t h = 2166136261u;
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 16777619u;
  return h;
}

/* The slot of a text, or the free one where it would be. */
static pc_text_entry* find_slot(const pc_text_index* index, const char* text)
{
  uint32_t mask = (uint32_t)index->slot_count - 1, i = hash(text) & mask;
  while (index->slot[i].text && strcmp(index->slot[i].text, text) != 0) i = (i + 1) & mask;
  return &index->slot[i];
}

static pc_status grow(pc_text_index* index)
{
  pc_text_index larger = {.slot_count = index->slot_count ? 2 * index->slot_count : 64,
                          .count = index->count};
  larger.slot = pc_alloc((size_t)larger.slot_count, sizeof *larger.slot);
  if (!larger.slot) return PC_OUT_OF_MEMORY;
  for (int i = 0; i < index->slot_count; i++)
    if (index->slot[i].text) *find_slot(&larger, index->slot[i].text) = index->slot[i];
  free(index->slot);
  *index = larger;
  return PC_OK;
}

pc_status pc_text_index_reserve(pc_text_index* index)
{
  return 2 * (index->count + 1) > index->slot_count ? grow(index) : PC_OK;
}

void pc_text_index_add(pc_text_index* index, const char* text, int id)
{
  *find_slot(index, text) = (pc_text_entry){text, id};
  index->count++;
}

int pc_text_index_find(const pc_text_index* index, const char* text)
{
  if (!index->slot_count) return -1;
  const pc_text_entry* found = find_slot(index, text);
  return found->text ? found->id : -1;
}

void pc_text_index_clear(pc_text_index* index)
{
  free(index->slot);
  *index = (pc_text_index){0};
}
