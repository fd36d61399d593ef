#define _GNU_SOURCE /* RTLD_DEFAULT, the initializer of a recursive mutex */
#define PC_HDF5_NAMES_ONLY
#include "record/hdf5.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

/* What changes in this library: filled once, under pthread_once, and the same for everybody, since
 * a process has one HDF5. */
pc_hdf5_table pc_hdf5;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason[256]; /* why it could not be loaded; "": it is */
/* HDF5 is one for the whole process and takes one thread at a time. */
static pthread_mutex_t in_use = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

typedef struct symbol {
  const char* name;
  void* place; /* of a pointer in the table */
} symbol;

#define SYMBOL(name) {#name, &pc_hdf5.name},
static const symbol functions[] = {PC_HDF5_FUNCTIONS(SYMBOL) PC_HDF5_LINKS(SYMBOL)};
static const symbol variables[] = {PC_HDF5_VARIABLES(SYMBOL)};
#undef SYMBOL

enum {
  FUNCTION_COUNT = sizeof functions / sizeof *functions,
  VARIABLE_COUNT = sizeof variables / sizeof *variables
};

static void* find(void* library, const char* name)
{
  void* address = dlsym(library, name);
  const char* text = address ? NULL : dlerror();
  if (!address) snprintf(reason, sizeof reason, "%s", text ? text : "a symbol is missing");
  return address;
}

static int find_functions(void* library)
{
  for (int i = 0; i < FUNCTION_COUNT; i++) {
    void* address = find(library, functions[i].name);
    if (!address) return -1;
    memcpy(functions[i].place, &address, sizeof address);
  }
  return 0;
}

/* A program that is linked to HDF5 itself may have a copy of a variable (a copy relocation), which
 * the library uses in place of its own: its own is never set then. */
static int find_variables(void* library)
{
  for (int i = 0; i < VARIABLE_COUNT; i++) {
    hid_t* address = find(library, variables[i].name);
    if (address && *address <= 0) address = find(RTLD_DEFAULT, variables[i].name);
    if (!address) return -1;
    memcpy(variables[i].place, &address, sizeof address);
  }
  return 0;
}

/* By its name, where the system or the program's path finds it; or where it was when percuss was
 * built. It is never unloaded: it has handlers that run at exit. */
static void load(void)
{
  if (pc_hdf5_linked) {
    pc_hdf5 = *pc_hdf5_linked();
    /* All files are closed by then; after a write that failed, HDF5 crashes when it closes them
     * once more at exit. Of a library that others may use too, this is theirs to say. */
    if (pc_hdf5.H5dont_atexit() < 0 || pc_hdf5.H5open() < 0)
      snprintf(reason, sizeof reason, "it cannot be initialised");
    return;
  }
  void* library = dlopen(PC_HDF5_NAME, RTLD_LAZY | RTLD_LOCAL);
  if (!library) library = dlopen(PC_HDF5_PATH, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char* text = dlerror();
    snprintf(reason, sizeof reason, "%s", text ? text : "it cannot be loaded");
    return;
  }
  if (find_functions(library) != 0) return;
  if (pc_hdf5.H5open() < 0)
    snprintf(reason, sizeof reason, "it cannot be initialised");
  else
    find_variables(library);
}

pc_status pc_hdf5_load(pc_status status, pc_error* error)
{
  pthread_once(&once, load);
  if (!*reason) return PC_OK;
  return pc_fail(error, status, "result files need the HDF5 library (%s): %s", PC_HDF5_NAME,
                 reason);
}

pc_hdf5_use pc_hdf5_begin(void)
{
  pc_hdf5_use use = {0};
  pthread_mutex_lock(&in_use);
  pc_hdf5.H5Eget_auto2(H5E_DEFAULT, &use.print, &use.user);
  pc_hdf5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return use;
}

void pc_hdf5_end(pc_hdf5_use use)
{
  pc_hdf5.H5Eset_auto2(H5E_DEFAULT, use.print, use.user);
  pthread_mutex_unlock(&in_use);
}
