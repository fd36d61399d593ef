/* The checksum of HDF5's filter Fletcher32. */
#ifndef PC_RECORD_FLETCHER_H
#define PC_RECORD_FLETCHER_H

#include <stddef.h>
#include <stdint.h>

/* A last byte without another counts as one with a zero. */
uint32_t pc_fletcher32(const unsigned char* data, size_t size);

#endif
