#include "base/texts.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 256, MOST = 1 << 15 }; /* bytes of a chunk, if its first text is not larger */

typedef struct pc_text_chunk {
  struct pc_text_chunk* before;
  size_t size, used;
  char text[];
} pc_text_chunk;

/* A chunk with space for `bytes`: twice as large as the one before, up to some size. */
static pc_text_chunk* add_chunk(pc_texts* texts, size_t bytes)
{
  size_t size = texts->last ? 2 * texts->last->size : LEAST;
  if (size > MOST) size = MOST;
  if (size < bytes) size = bytes;
  pc_text_chunk* chunk = malloc(sizeof *chunk + size);
  if (!chunk) return NULL;
  *chunk = (pc_text_chunk){.before = texts->last, .size = size};
  texts->last = chunk;
  return chunk;
}

char* pc_texts_add(pc_texts* texts, const char* head, const char* tail)
{
  size_t first = strlen(head), second = strlen(tail) + 1;
  pc_text_chunk* chunk = texts->last;
  if (!chunk || chunk->size - chunk->used < first + second)
    chunk = add_chunk(texts, first + second);
  if (!chunk) return NULL;
  char* text = chunk->text + chunk->used;
  memcpy(text, head, first);
  memcpy(text + first, tail, second);
  chunk->used += first + second;
  return text;
}

void pc_texts_clear(pc_texts* texts)
{
  while (texts->last) {
    pc_text_chunk* before = texts->last->before;
    free(texts->last);
    texts->last = before;
  }
}
