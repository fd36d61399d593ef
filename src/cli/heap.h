/* How the program uses the heap of the C library. A run of many bodies has arrays of megabytes that
 * grow with its contacts, after a model has been read into many small objects, most of which are
 * freed. Only glibc is told; elsewhere these functions do nothing. */
#ifndef PC_CLI_HEAP_H
#define PC_CLI_HEAP_H

/* Large arrays get pages of their own: they grow without a copy, and what is freed of them goes
 * back to the system, where the heap would keep holes into which no larger one fits. To be called
 * at the start. */
void give_large_arrays_pages(void);

/* Gives pages back to the system on which everything is freed. */
void return_free_pages(void);

#endif
