#ifndef PC_TESTS_HDF5_LEAKS_H
#define PC_TESTS_HDF5_LEAKS_H

/* HDF5 (1.10) itself loses some hundred bytes when it refuses a damaged file. The sanitizer's
 * library finds the function only if it is visible. */
__attribute__((visibility("default"))) const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void)
{
  return "leak:libhdf5\n";
}

#endif
