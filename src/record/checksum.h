/* The checksum that HDF5 keeps of its structure: Bob Jenkins' lookup3, begun with 0. */
#ifndef PC_RECORD_CHECKSUM_H
#define PC_RECORD_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint32_t pc_checksum(const unsigned char* data, size_t size);

#endif
