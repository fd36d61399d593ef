#include "cli/heap.h"

#include <stdlib.h> /* defines __GLIBC__, where it is that */

#ifdef __GLIBC__
#include <malloc.h>

/* The limit with which glibc begins. It is raised with every large array that is freed, unless it
 * is set. */
enum { LARGE = 128 * 1024 /* bytes */ };

void give_large_arrays_pages(void)
{
  mallopt(M_MMAP_THRESHOLD, LARGE);
}

void return_free_pages(void)
{
  malloc_trim(0);
}

#else

void give_large_arrays_pages(void)
{
}

void return_free_pages(void)
{
}

#endif
