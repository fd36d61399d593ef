/* What a run was like, from its result file: energies, the deepest penetration, the contacts with the largest
 * impulses; and its impacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/json.h"
#include "draw/view.h"

enum { IMPACTS_MAX = 2000, CONTACTS_MAX = 12, BLOCK = 1 << 17 };

/* What a contact did. */
typedef struct record {
  int contact, closings;
  double largest, when; /* normal impulse [N s], time [s] */
} record;

typedef struct digest {
  record* of; /* of each contact of the result */
  int count;
  double deepest, deepest_time; /* penetration [m], 0 if there was none; [s] */
  int deepest_contact;
} digest;

/* ---- contacts ----------------------------------------------------------------------------- */

static void look_at_row(digest* d, const motion* m, long row, const double* gap, const double* P_N)
{
  double t = m->row_time[row];
  for (int k = 0; k < d->count; k++) {
    if (-gap[k] > d->deepest) {
      d->deepest = -gap[k];
      d->deepest_time = t;
      d->deepest_contact = k;
    }
    if (P_N[k] > d->of[k].largest) {
      d->of[k].largest = P_N[k];
      d->of[k].when = t;
    }
  }
}

static pc_status look_at_rows(digest* d, const motion* m, pc_error* error)
{
  long block = BLOCK / d->count + 1;
  double* gap = malloc((size_t)block * (size_t)d->count * sizeof *gap);
  double* P_N = malloc((size_t)block * (size_t)d->count * sizeof *P_N);
  int has_gaps = pc_result_table_width(m->result, "contacts/gap") == d->count;
  pc_status status = gap && P_N ? PC_OK : PC_OUT_OF_MEMORY;
  if (status == PC_OK) memset(gap, 0, (size_t)block * (size_t)d->count * sizeof *gap);
  for (long row = 0; status == PC_OK && row < m->row_count; row += block) {
    long count = m->row_count - row < block ? m->row_count - row : block;
    long first = m->row_first + row;
    if (has_gaps)
      status = pc_result_read_table(m->result, "contacts/gap", first, count, d->count, gap, error);
    if (status == PC_OK) status = pc_result_read_P_N(m->result, first, count, P_N, error);
    for (long k = 0; status == PC_OK && k < count; k++)
      look_at_row(d, m, row + k, gap + k * d->count, P_N + k * d->count);
  }
  free(gap);
  free(P_N);
  return status;
}

static int larger_first(const void* a, const void* b)
{
  const record *x = a, *y = b;
  if (x->largest != y->largest) return x->largest < y->largest ? 1 : -1;
  return x->contact - y->contact;
}

/* ---- impacts ------------------------------------------------------------------------------ */

typedef struct impact {
  double time, P_N;
  unsigned contact;
  int order;
} impact;

static int stronger_first(const void* a, const void* b)
{
  const impact *x = a, *y = b;
  if (x->P_N != y->P_N) return x->P_N < y->P_N ? 1 : -1;
  return x->order - y->order;
}

static int earlier_first(const void* a, const void* b)
{
  return ((const impact*)a)->order - ((const impact*)b)->order;
}

/* Those within the rows of the motion, with their impulses; `scratch` holds a row of P_N. */
static pc_status measure_impacts(const motion* m, const pc_impact* found, int count, digest* d,
                                 double* scratch, impact* to, int* kept, pc_error* error)
{
  long read = -1;
  *kept = 0;
  for (int i = 0; i < count; i++) {
    long row = found[i].row - m->row_first;
    if (row < 0 || row >= m->row_count) continue;
    if (read != row) {
      pc_status status = pc_result_read_P_N(m->result, found[i].row, 1, scratch, error);
      if (status != PC_OK) return status;
    }
    read = row;
    d->of[found[i].contact].closings++;
    to[*kept] =
        (impact){m->row_time[row], scratch[found[i].contact], (unsigned)found[i].contact, *kept};
    ++*kept;
  }
  return PC_OK;
}

static pc_status put_impacts(FILE* to, const impact* list, int count)
{
  double* time = calloc((size_t)count + 1, sizeof *time);
  float* P_N = calloc((size_t)count + 1, sizeof *P_N);
  unsigned* contact = calloc((size_t)count + 1, sizeof *contact);
  pc_status status = time && P_N && contact ? PC_OK : PC_OUT_OF_MEMORY;
  for (int i = 0; status == PC_OK && i < count; i++) {
    time[i] = list[i].time;
    P_N[i] = (float)list[i].P_N;
    contact[i] = list[i].contact;
  }
  if (status == PC_OK) {
    put_packed_doubles(to, time, (size_t)count);
    fputs(",\"P_N\":", to);
    put_packed_floats(to, P_N, (size_t)count);
    fputs(",\"contact\":", to);
    put_packed_ints(to, contact, (size_t)count);
  }
  free(time);
  free(P_N);
  free(contact);
  return status;
}

/* The largest ones, in the order of time. */
static pc_status put_list(FILE* to, const motion* m, digest* d, pc_error* error)
{
  pc_impact* found = NULL;
  int all = 0, kept = 0;
  pc_status status = pc_result_impacts(m->result, &found, &all, error);
  impact* list = calloc((size_t)all + 1, sizeof *list);
  double* scratch = calloc((size_t)d->count + 1, sizeof *scratch);
  if (status == PC_OK && (!list || !scratch)) status = PC_OUT_OF_MEMORY;
  if (status == PC_OK) status = measure_impacts(m, found, all, d, scratch, list, &kept, error);
  if (status == PC_OK) {
    int shown = kept < IMPACTS_MAX ? kept : IMPACTS_MAX;
    qsort(list, (size_t)kept, sizeof *list, stronger_first);
    qsort(list, (size_t)shown, sizeof *list, earlier_first);
    fprintf(to, "\"impacts\":{\"all\":%d,\"time\":", kept);
    status = put_impacts(to, list, shown);
    fputs("},\n", to);
  }
  free(found);
  free(list);
  free(scratch);
  return status;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static pc_status put_energies(FILE* to, const motion* m, pc_error* error)
{
  static const char* const name[] = {"energy.kinetic", "energy.potential"};
  double E[2][2] = {{0}}; /* of first and last row, kinetic and potential */
  for (int k = 0; k < 4; k++) {
    int series = pc_result_find(m->result, name[k % 2]);
    long row = m->row_first + (k / 2 ? m->row_count - 1 : 0);
    if (series < 0) continue;
    pc_status status = pc_result_read(m->result, series, row, 1, &E[k / 2][k % 2], error);
    if (status != PC_OK) return status;
  }
  fputs("\"energy\":[", to);
  for (int k = 0; k < 4; k++) {
    if (k) fputc(',', to);
    put_json_number(to, E[k / 2][k % 2]);
  }
  fputs("],", to);
  return PC_OK;
}

static void put_contacts(FILE* to, const motion* m, const digest* d)
{
  fputs("\"contacts\":[", to);
  for (int i = 0; i < d->count && i < CONTACTS_MAX; i++) {
    const record* r = &d->of[i];
    if (!(r->largest > 0)) break;
    fputs(i ? ",[" : "[", to);
    put_json_text(to, pc_result_contact(m->result, r->contact));
    fprintf(to, ",%d,%.9g,%.9g]", r->closings, r->largest, r->when);
  }
  fputs("]", to);
}

static void put_names(FILE* to, const motion* m)
{
  fputs("\"contact_names\":[", to);
  for (int i = 0; i < pc_result_contact_count(m->result); i++) {
    if (i) fputc(',', to);
    put_json_text(to, pc_result_contact(m->result, i));
  }
  fputs("],\n", to);
}

static pc_status put_all(FILE* to, const motion* m, digest* d, pc_error* error)
{
  pc_status status = d->count > 0 ? look_at_rows(d, m, error) : PC_OK;
  put_names(to, m);
  if (status == PC_OK) status = put_list(to, m, d, error);
  if (status != PC_OK) return status;
  fputs("\"digest\":{\"options\":", to);
  put_json_text(to, pc_result_options(m->result));
  fprintf(to, ",\"rows\":%ld,\"from\":%.17g,\"until\":%.17g,", m->row_count, m->row_time[0],
          m->row_time[m->row_count - 1]);
  status = put_energies(to, m, error);
  if (d->deepest > 0) {
    fputs("\"penetration\":[", to);
    put_json_text(to, pc_result_contact(m->result, d->deepest_contact));
    fprintf(to, ",%.9g,%.9g],", d->deepest, d->deepest_time);
  }
  if (d->count > 0) qsort(d->of, (size_t)d->count, sizeof *d->of, larger_first);
  put_contacts(to, m, d);
  fputs("},\n", to);
  return status;
}

pc_status put_view_digest(FILE* to, const motion* m, pc_error* error)
{
  digest d = {.count = pc_result_contact_count(m->result)};
  d.of = calloc((size_t)d.count + 1, sizeof *d.of);
  if (!d.of) return PC_OUT_OF_MEMORY;
  for (int k = 0; k < d.count; k++) d.of[k].contact = k;
  pc_status status = put_all(to, m, &d, error);
  free(d.of);
  return status;
}
