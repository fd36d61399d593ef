/* What a fuzz target is: libFuzzer's entry, called by its own main or by replay.c. */
#ifndef PC_FUZZ_TARGET_H
#define PC_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Reads an input, whatever it is, and must neither crash nor leak nor hang. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#endif
