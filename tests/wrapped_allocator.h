/* Counts the allocations of everything that a test links statically: its CMakeLists.txt has the
 * linker wrap these functions. Unlike counting_allocator.h it works under sanitizers, too, and does
 * not see shared libraries. */
#ifndef PC_TESTS_WRAPPED_ALLOCATOR_H
#define PC_TESTS_WRAPPED_ALLOCATOR_H

#include <stddef.h>

static long allocations;

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* old, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* old, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);

void* __wrap_malloc(size_t size)
{
  allocations++;
  return __real_malloc(size);
}

void* __wrap_calloc(size_t count, size_t size)
{
  allocations++;
  return __real_calloc(count, size);
}

void* __wrap_realloc(void* old, size_t size)
{
  allocations++;
  return __real_realloc(old, size);
}

void* __wrap_aligned_alloc(size_t alignment, size_t size)
{
  allocations++;
  return __real_aligned_alloc(alignment, size);
}

#endif
