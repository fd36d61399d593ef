/* Contacts between shapes as comma-separated columns: a line for each contact of each row. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "percuss/result.h"
#include "record/field.h"
#include "record/number.h"

static const char HEADER[] =
    "time [s],row,shape,other shape,body,other body,feature,other feature,P_N [N s],P.x [N s],"
    "P.y [N s],P.z [N s],spin [N s],point.x [m],point.y [m],point.z [m],normal.x,normal.y,normal.z,"
    "gap [m]\n";

static void print_name(FILE* to, const char* name)
{
  pc_print_field(to, 1, &name);
  fputc(',', to);
}

static void print_numbers(FILE* to, int count, const double* number)
{
  for (int i = 0; i < count; i++) {
    pc_print_number(to, number[i]);
    fputc(',', to);
  }
}

static void print_contact(FILE* to, const pc_result* r, double t, long row,
                          const pc_shape_contact* c)
{
  const pc_result_shape shape[2] = {pc_result_get_shape(r, c->key.shape[0]),
                                    pc_result_get_shape(r, c->key.shape[1])};
  print_numbers(to, 1, &t);
  fprintf(to, "%ld,", row);
  for (int i = 0; i < 2; i++) print_name(to, shape[i].name);
  for (int i = 0; i < 2; i++) print_name(to, shape[i].body);
  fprintf(to, "%lu,%lu,", (unsigned long)(c->key.feature >> 32),
          (unsigned long)(c->key.feature & UINT32_MAX));
  print_numbers(to, 1, &c->P_N);
  print_numbers(to, 3, c->P);
  print_numbers(to, 1, &c->spin);
  print_numbers(to, 3, c->point);
  print_numbers(to, 3, c->normal);
  pc_print_number(to, c->gap);
  fputc('\n', to);
}

/* The contacts of one row; the array grows. */
typedef struct row_contacts {
  pc_shape_contact* item;
  size_t capacity;
} row_contacts;

static pc_status print_row(FILE* to, const pc_result* r, long row, row_contacts* held,
                           pc_error* error)
{
  long offset[2];
  double t;
  PC_TRY(pc_result_found_offsets(r, row, 1, offset, error));
  long count = offset[1] - offset[0];
  if (count == 0) return PC_OK;
  if (pc_reserve((void**)&held->item, &held->capacity, (size_t)count, sizeof *held->item) != PC_OK)
    return pc_no_memory(error);
  PC_TRY(pc_result_read(r, 0, row, 1, &t, error));
  PC_TRY(pc_result_read_found(r, offset[0], count, held->item, error));
  for (long k = 0; k < count; k++) print_contact(to, r, t, row, &held->item[k]);
  return PC_OK;
}

pc_status pc_result_write_found_csv(const pc_result* r, long every, FILE* to, pc_error* error)
{
  PC_TRY(pc_need(r, "result", error));
  PC_TRY(pc_need(to, "to", error));
  if (every < 1) return pc_fail(error, PC_BAD_ARGUMENT, "every: %ld, must be 1 or more", every);
  if (pc_result_shape_count(r) == 0)
    return pc_fail(error, PC_BAD_ARGUMENT, "the model of '%s' has no shapes", pc_result_path(r));
  row_contacts held = {0};
  pc_status status = PC_OK;
  fputs(HEADER, to);
  long length = pc_result_length(r);
  for (long row = 0; row < length && status == PC_OK && !ferror(to);
       row = pc_result_every(r, every, row + 1))
    status = print_row(to, r, row, &held, error);
  free(held.item);
  if (status != PC_OK) return status;
  if (fflush(to) != 0 || ferror(to))
    return pc_fail(error, PC_CANNOT_WRITE, "cannot write the columns");
  return PC_OK;
}
