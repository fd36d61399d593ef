/* A program that includes this counts its allocations, those of all libraries included: glibc lets
 * a program replace malloc and offers its own under other names. Not for sanitizer builds, which do
 * the same themselves. */
#ifndef PC_TESTS_COUNTING_ALLOCATOR_H
#define PC_TESTS_COUNTING_ALLOCATOR_H

#include <stdlib.h>

/* volatile, since compilers take it that malloc changes no variable. */
static volatile long allocations;

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size)
{
  allocations++;
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
  allocations++;
  return __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size)
{
  allocations++;
  return __libc_realloc(memory, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
  allocations++;
  return __libc_memalign(alignment, size);
}

#endif
