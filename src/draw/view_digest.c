/* What a run was like, from its result file: energies, the deepest penetration, the contacts with
 * the largest impulses; and its impacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/found_frames.h"
#include "draw/json.h"
#include "draw/view.h"

enum { IMPACTS_MAX = 2000, CONTACTS_MAX = 12, BLOCK = 1 << 17 };

/* What a contact did, or what the contacts between two shapes did. */
typedef struct record {
  int contact;  /* of the result; behind these, pairs of shapes */
  int shape[2]; /* of a pair */
  int is_angle; /* a stop of an angle: its gap is in rad */
  int closings;
  long carried;         /* of a pair: behind the row in which it last carried an impulse */
  double largest, when; /* normal impulse [N s], time [s] */
} record;

typedef struct digest {
  record* of; /* of each contact of the result */
  int count;
  record* pair; /* of each pair of shapes that touched, by shapes */
  int pair_count, pair_capacity;
  double deepest, deepest_time;          /* penetration [m], 0 if there was none; [s] */
  int deepest_contact, deepest_shape[2]; /* -1: of a pair */
} digest;

/* ---- contacts ----------------------------------------------------------------------------- */

/* Whether a contact is a stop of an angle: by the unit of its impulse. */
static int is_angle(const pc_result* r, int contact)
{
  char name[160];
  snprintf(name, sizeof name, "%.150s.P_N", pc_result_contact(r, contact));
  int series = pc_result_find(r, name);
  return series >= 0 && !strcmp(pc_result_series(r, series).unit, "N m s");
}

static void look_at_row(digest* d, const motion* m, long row, const double* gap, const double* P_N)
{
  double t = m->row_time[row];
  for (int k = 0; k < d->count; k++) {
    if (!d->of[k].is_angle && -gap[k] > d->deepest) {
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
  if (x->contact != y->contact) return x->contact - y->contact;
  return x->shape[0] != y->shape[0] ? x->shape[0] - y->shape[0] : x->shape[1] - y->shape[1];
}

/* ---- pairs of shapes ---------------------------------------------------------------------- */

/* The first pair that is not before these shapes. */
static int place_of(const digest* d, const int shape[2])
{
  int low = 0, high = d->pair_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    const int* of = d->pair[middle].shape;
    if (of[0] < shape[0] || (of[0] == shape[0] && of[1] < shape[1]))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The record of a pair, a new one if need be; NULL if there is no memory. */
static record* pair_of(digest* d, const int shape[2])
{
  int at = place_of(d, shape);
  if (at < d->pair_count && d->pair[at].shape[0] == shape[0] && d->pair[at].shape[1] == shape[1])
    return &d->pair[at];
  if (d->pair_count == d->pair_capacity) {
    int capacity = d->pair_capacity ? 2 * d->pair_capacity : 64;
    record* larger = realloc(d->pair, (size_t)capacity * sizeof *larger);
    if (!larger) return NULL;
    d->pair = larger;
    d->pair_capacity = capacity;
  }
  memmove(d->pair + at + 1, d->pair + at, (size_t)(d->pair_count - at) * sizeof *d->pair);
  d->pair_count++;
  d->pair[at] = (record){.contact = PC_FOUND, .shape = {shape[0], shape[1]}};
  return &d->pair[at];
}

/* The contacts of a row, sorted by shapes: a pair carries the sum of its contacts. */
static pc_status look_at_found(digest* d, long row, double t, const pc_shape_contact* c, long count)
{
  for (long i = 0; i < count;) {
    const int* shape = c[i].key.shape;
    double P = 0;
    record* r = pair_of(d, shape);
    if (!r) return PC_OUT_OF_MEMORY;
    for (; i < count && c[i].key.shape[0] == r->shape[0] && c[i].key.shape[1] == r->shape[1]; i++) {
      P += c[i].P_N;
      if (!(-c[i].gap > d->deepest)) continue;
      d->deepest = -c[i].gap;
      d->deepest_time = t;
      d->deepest_contact = PC_FOUND;
      memcpy(d->deepest_shape, r->shape, sizeof r->shape);
    }
    if (P > 0) {
      r->closings += r->carried != row;
      r->carried = row + 1;
    }
    if (!(P > r->largest)) continue;
    r->largest = P;
    r->when = t;
  }
  return PC_OK;
}

static pc_status look_at_block(digest* d, const motion* m, long row, long rows, pc_error* error)
{
  long* offset = malloc(((size_t)rows + 1) * sizeof *offset);
  pc_shape_contact* contact = NULL;
  pc_status status = offset ? PC_OK : PC_OUT_OF_MEMORY;
  if (status == PC_OK)
    status = pc_result_found_offsets(m->result, m->row_first + row, rows, offset, error);
  if (status == PC_OK) {
    contact = malloc((size_t)(offset[rows] - offset[0] + 1) * sizeof *contact);
    status = contact ? pc_result_read_found(m->result, offset[0], offset[rows] - offset[0], contact,
                                            error)
                     : PC_OUT_OF_MEMORY;
  }
  for (long k = 0; status == PC_OK && k < rows; k++)
    status = look_at_found(d, row + k, m->row_time[row + k], contact + (offset[k] - offset[0]),
                           offset[k + 1] - offset[k]);
  free(contact);
  free(offset);
  return status;
}

static pc_status look_at_pairs(digest* d, const motion* m, pc_error* error)
{
  enum { ROWS = 64 };
  pc_status status = PC_OK;
  if (pc_result_shape_count(m->result) == 0) return PC_OK;
  for (long row = 0; row < m->row_count && status == PC_OK; row += ROWS)
    status = look_at_block(d, m, row, m->row_count - row < ROWS ? m->row_count - row : ROWS, error);
  return status;
}

/* ---- impacts ------------------------------------------------------------------------------ */

typedef struct impact {
  double time, P_N;
  int contact, shape[2]; /* PC_FOUND: between these shapes */
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

/* Those within the rows of the motion. */
static void list_impacts(const motion* m, const pc_impact* found, int count, digest* d, impact* to,
                         int* kept)
{
  *kept = 0;
  for (int i = 0; i < count; i++) {
    const pc_impact* from = &found[i];
    long row = from->row - m->row_first;
    if (row < 0 || row >= m->row_count) continue;
    if (from->contact != PC_FOUND) d->of[from->contact].closings++; /* pairs: see look_at_found */
    to[*kept] = (impact){
        m->row_time[row], from->P_N, from->contact, {from->shape[0], from->shape[1]}, *kept};
    ++*kept;
  }
}

/* Names of all contacts, then those of the pairs of shapes of the impacts; numbers the impacts by
 * them. And which of the contacts are stops of angles. */
static void put_names(FILE* to, const motion* m, impact* list, int count)
{
  int contacts = pc_result_contact_count(m->result), pairs = 0;
  fputs("\"contact_names\":[", to);
  for (int i = 0; i < contacts; i++) {
    if (i) fputc(',', to);
    put_json_text(to, pc_result_contact(m->result, i));
  }
  for (int i = 0; i < count; i++) {
    char name[PAIR_NAME_SIZE];
    if (list[i].contact != PC_FOUND) continue;
    name_shapes(m->result, list[i].shape, name);
    if (contacts + pairs) fputc(',', to);
    put_json_text(to, name);
    list[i].contact = contacts + pairs++;
  }
  fputs("],\n\"angles\":[", to);
  for (int i = 0, angles = 0; i < contacts; i++)
    if (is_angle(m->result, i)) fprintf(to, angles++ ? ",%d" : "%d", i);
  fputs("],\n", to);
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
    contact[i] = (unsigned)list[i].contact;
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
  if (status == PC_OK && !list) status = PC_OUT_OF_MEMORY;
  if (status == PC_OK) {
    list_impacts(m, found, all, d, list, &kept);
    int shown = kept < IMPACTS_MAX ? kept : IMPACTS_MAX;
    qsort(list, (size_t)kept, sizeof *list, stronger_first);
    qsort(list, (size_t)shown, sizeof *list, earlier_first);
    put_names(to, m, list, shown);
    fprintf(to, "\"impacts\":{\"all\":%d,\"time\":", kept);
    status = put_impacts(to, list, shown);
    fputs("},\n", to);
  }
  free(found);
  free(list);
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

/* Where the energy went, over the rows of the motion: work, impacts, friction, the scheme [J]. */
static pc_status put_balance(FILE* to, const motion* m, pc_error* error)
{
  pc_balance b;
  pc_status status = pc_result_balance(m->result, m->row_first + 1, m->row_count - 1, &b, error);
  if (status != PC_OK) return status;
  const double part[] = {b.work, b.impact, b.friction, b.scheme};
  fputs("\"balance\":[", to);
  for (int k = 0; k < 4; k++) {
    if (k) fputc(',', to);
    put_json_number(to, part[k]);
  }
  fputs("],", to);
  return PC_OK;
}

static void name_record(const motion* m, int contact, const int shape[2], FILE* to)
{
  char name[PAIR_NAME_SIZE];
  if (contact != PC_FOUND) {
    put_json_text(to, pc_result_contact(m->result, contact));
    return;
  }
  name_shapes(m->result, shape, name);
  put_json_text(to, name);
}

/* Contacts and pairs of shapes, both with the largest impulses first: the largest of all. */
static void put_contacts(FILE* to, const motion* m, const digest* d)
{
  fputs("\"contacts\":[", to);
  for (int i = 0, k = 0; i + k < CONTACTS_MAX && (i < d->count || k < d->pair_count);) {
    int is_pair = i == d->count || (k < d->pair_count && d->pair[k].largest > d->of[i].largest);
    const record* r = is_pair ? &d->pair[k] : &d->of[i];
    if (!(r->largest > 0)) break;
    fputs(i + k ? ",[" : "[", to);
    name_record(m, r->contact, r->shape, to);
    fprintf(to, ",%d,%.9g,%.9g,\"%s\"]", r->closings, r->largest, r->when,
            r->is_angle ? "N m s" : "N s");
    i += !is_pair;
    k += is_pair;
  }
  fputs("]", to);
}

static void sort_records(record* list, int count)
{
  if (count > 0) qsort(list, (size_t)count, sizeof *list, larger_first);
}

static pc_status put_all(FILE* to, const motion* m, digest* d, pc_error* error)
{
  pc_status status = d->count > 0 ? look_at_rows(d, m, error) : PC_OK;
  if (status == PC_OK) status = look_at_pairs(d, m, error);
  if (status == PC_OK) status = put_list(to, m, d, error);
  if (status != PC_OK) return status;
  fputs("\"digest\":{\"options\":", to);
  put_json_text(to, pc_result_options(m->result));
  fprintf(to, ",\"rows\":%ld,\"from\":%.17g,\"until\":%.17g,", m->row_count, m->row_time[0],
          m->row_time[m->row_count - 1]);
  status = put_energies(to, m, error);
  if (status == PC_OK) status = put_balance(to, m, error);
  if (d->deepest > 0) {
    fputs("\"penetration\":[", to);
    name_record(m, d->deepest_contact, d->deepest_shape, to);
    fprintf(to, ",%.9g,%.9g],", d->deepest, d->deepest_time);
  }
  sort_records(d->of, d->count);
  sort_records(d->pair, d->pair_count);
  put_contacts(to, m, d);
  fputs("},\n", to);
  return status;
}

pc_status put_view_digest(FILE* to, const motion* m, pc_error* error)
{
  digest d = {.count = pc_result_contact_count(m->result)};
  d.of = calloc((size_t)d.count + 1, sizeof *d.of);
  if (!d.of) return PC_OUT_OF_MEMORY;
  for (int k = 0; k < d.count; k++)
    d.of[k] = (record){.contact = k, .is_angle = is_angle(m->result, k)};
  pc_status status = put_all(to, m, &d, error);
  free(d.of);
  free(d.pair);
  return status;
}
