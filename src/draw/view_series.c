/* Quantities over time for the viewer. All have the same times: where there are more rows than can
 * be drawn, these are bins with two points, the lowest and the highest value of the bin in the
 * order in which they came, so that no peak is lost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/json.h"
#include "draw/series.h"
#include "draw/view.h"

enum { SERIES_MAX = 240, POINTS_MOST = 2000, POINTS_LEAST = 120 };

/* ---- which -------------------------------------------------------------------------------- */

/* What a reader asks for first: energies, gaps and impulses; then the coordinates, then the
 * rest. */
static int rank_of(const char* name)
{
  static const char* const first[] = {".gap", ".P_N", ".P_F"};
  static const char* const last[] = {".gap_velocity", ".residual", ".velocity", ".position"};
  size_t length = strlen(name);
  if (!strncmp(name, "energy.", 7)) return 0;
  if (!strncmp(name, "iterations.", 11)) return 4;
  if (strstr(name, ".P.")) return 3;
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    if (length > strlen(first[i]) && !strcmp(name + length - strlen(first[i]), first[i])) return 1;
  for (size_t i = 0; i < sizeof last / sizeof *last; i++)
    if (strstr(name, last[i])) return 3;
  return 2;
}

/* Fills `series` (SERIES_MAX) with those that the model records, and the energies. */
static int choose_series(const pc_result* r, int* series)
{
  int count = 0;
  for (int rank = 0; rank <= 4; rank++)
    for (int i = 1; i < pc_result_series_count(r) && count < SERIES_MAX; i++) {
      pc_series s = pc_result_series(r, i);
      int rank_here = rank_of(s.name);
      if (rank_here == rank && (s.recorded || rank_here == 0)) series[count++] = i;
    }
  return count;
}

static pc_status find_named(const pc_result* r, const view_options* o, int* series, int* count,
                            pc_error* error)
{
  *count = 0;
  for (int i = 0; i < o->series_count && *count < SERIES_MAX; i++) {
    pc_status status = find_series(r, o->series[i], &series[*count], error);
    if (status != PC_OK) return status;
    ++*count;
  }
  return PC_OK;
}

/* ---- thinner ------------------------------------------------------------------------------ */

typedef struct bins {
  long rows;   /* of the motion */
  long points; /* two for each bin, or one for each row */
} bins;

static bins choose_bins(long rows, int series, long numbers)
{
  long most = numbers / (series > 0 ? series : 1);
  if (most > POINTS_MOST) most = POINTS_MOST;
  if (most < POINTS_LEAST) most = POINTS_LEAST;
  return (bins){rows, rows <= most ? rows : most / 2 * 2};
}

static long first_row(const bins* b, long bin)
{
  return bin * b->rows / (b->points / 2);
}

static void thin_times(const bins* b, const double* time, double* to)
{
  if (b->points == b->rows) memcpy(to, time, (size_t)b->rows * sizeof *to);
  for (long k = 0; b->points < b->rows && k < b->points / 2; k++) {
    long from = first_row(b, k), until = first_row(b, k + 1);
    to[2 * k] = time[from];
    to[2 * k + 1] = time[until - 1];
  }
}

static void thin_values(const bins* b, const double* value, float* to)
{
  for (long k = 0; b->points == b->rows && k < b->rows; k++) to[k] = (float)value[k];
  for (long k = 0; b->points < b->rows && k < b->points / 2; k++) {
    long low = first_row(b, k), high = low;
    for (long i = low; i < first_row(b, k + 1); i++) {
      if (value[i] < value[low]) low = i;
      if (value[i] > value[high]) high = i;
    }
    to[2 * k] = (float)value[low < high ? low : high];
    to[2 * k + 1] = (float)value[low < high ? high : low];
  }
}

/* ---- writing ------------------------------------------------------------------------------ */

static pc_status put_values(FILE* to, const motion* m, const int* series, int count, long numbers,
                            pc_error* error)
{
  bins b = choose_bins(m->row_count, count, numbers);
  double* row = calloc((size_t)m->row_count + 1, sizeof *row);
  float* value = calloc((size_t)b.points + 1, sizeof *value);
  pc_status status = row && value ? PC_OK : PC_OUT_OF_MEMORY;
  if (status == PC_OK) {
    thin_times(&b, m->row_time, row);
    fputs("\"time\":", to);
    put_packed_doubles(to, row, (size_t)b.points);
    fputs(",\"values\":[", to);
  }
  for (int i = 0; status == PC_OK && i < count; i++) {
    status = pc_result_read(m->result, series[i], m->row_first, m->row_count, row, error);
    if (status != PC_OK) break;
    thin_values(&b, row, value);
    if (i) fputs(",\n", to);
    put_packed_floats(to, value, (size_t)b.points);
  }
  fputs("]", to);
  free(row);
  free(value);
  return status;
}

pc_status put_view_series(FILE* to, const motion* m, const view_options* o, long numbers,
                          pc_error* error)
{
  int series[SERIES_MAX], count;
  pc_status status = PC_OK;
  if (o->series)
    status = find_named(m->result, o, series, &count, error);
  else
    count = choose_series(m->result, series);
  if (status != PC_OK) return status;
  fputs("\"series\":{\"names\":[", to);
  for (int i = 0; i < count; i++) {
    pc_series s = pc_result_series(m->result, series[i]);
    if (i) fputc(',', to);
    fputc('[', to);
    put_json_text(to, s.name);
    fputc(',', to);
    put_json_text(to, s.unit);
    fputc(']', to);
  }
  fprintf(to, "],\"chosen\":%d,", o->series != NULL);
  status = put_values(to, m, series, count, numbers, error);
  fputs("},\n", to);
  return status;
}
