/* make_fclib FILE local|global plane|space JOINTS: a problem for the tests of the command line. */
#include <stdio.h>

#include "fclib/fclib_file.h"

int main(int argc, char** argv)
{
  if (argc != 5) return fputs("make_fclib FILE local|global plane|space JOINTS\n", stderr), 2;
  heap h;
  make_fclib_heap(&h, !strcmp(argv[3], "plane"), atoi(argv[4]), 5);
  (!strcmp(argv[2], "local") ? write_local : write_global)(&h, argv[1], BY_ROWS);
  heap_free(&h);
  return 0;
}
