/* The motion for ParaView: a point per body and a file per step, and a collection that gives each
 * file its time. XML as VTK defines it, with the numbers as text.
 *
 * A body is whatever has a quantity `<body>.x`: planar and spatial bodies, nodes of bars. The
 * result file does not say where contacts are, so their percussions are field data of the step.
 *
 * All files are written into a directory of their own inside the target and moved at the end. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/status.h"
#include "percuss/result.h"
#include "record/file.h"
#include "record/number.h"
#include "record/result.h"

enum { NUMBERS_MAX = 1 << 18 }; /* in memory at a time: 2 MiB */

/* What a body may have; what it has not is 0, and the quaternion of a planar body follows from its
 * angle. */
enum { X, Y, Z, VX, VY, VZ, ANGLE, SPIN, QW, QX, QY, QZ, WHAT_COUNT };
static const char* const what[WHAT_COUNT] = {"x",     "y",    "z",  "vx", "vy", "vz",
                                             "angle", "spin", "qw", "qx", "qy", "qz"};

typedef struct body {
  char* name;
  int series[WHAT_COUNT]; /* -1: it has no such quantity */
} body;

/* A quantity to be read, and the line of `value` that it goes to. */
typedef struct wanted {
  int series, line;
} wanted;

typedef struct exporter {
  const pc_result* result;
  const char* directory;
  int (*go_on)(void* user); /* or NULL */
  void* user;
  char* scratch; /* where the files are written first */
  body* body;
  int body_count, body_capacity;
  int* series; /* what the bodies have, in the order of the file: neighbours are read at once */
  int* line;   /* of `value`, for each of these */
  int series_count;
  long capacity; /* rows in memory */
  double* time;  /* capacity numbers */
  double* value; /* WHAT_COUNT * body_count lines of `capacity` numbers */
  double* P_N;   /* capacity rows of one number per contact */
  double*
      read; /* for `capacity` numbers of each series, twice: as lines, and as the file has them */
} exporter;

static char* path_of(const char* directory, const char* name)
{
  size_t size = strlen(directory) + strlen(name) + 2;
  char* path = pc_alloc(size, 1);
  if (path) snprintf(path, size, "%s/%s", directory, name);
  return path;
}

enum { STEP_NAME_SIZE = 32 };

static void name_step(long row, char* name)
{
  snprintf(name, STEP_NAME_SIZE, "step-%08ld.vtp", row);
}

/* "crank" from "crank.x"; 0 if the name does not end like that. */
static size_t length_of_body(const char* name)
{
  size_t length = strlen(name);
  return length > 2 && !strcmp(name + length - 2, ".x") ? length - 2 : 0;
}

static pc_status add_body(exporter* e, const char* name, size_t length)
{
  PC_TRY(pc_grow((void**)&e->body, &e->body_capacity, e->body_count, sizeof *e->body));
  size_t size = length + 16;
  char* text = pc_alloc(size, 1);
  if (!text) return PC_OUT_OF_MEMORY;
  body* b = &e->body[e->body_count++];
  b->name = text;
  for (int i = 0; i < WHAT_COUNT; i++) {
    snprintf(text, size, "%.*s.%s", (int)length, name, what[i]);
    b->series[i] = pc_result_find(e->result, text);
  }
  text[length] = '\0';
  return PC_OK;
}

static pc_status find_bodies(exporter* e, pc_error* error)
{
  for (int i = 0; i < pc_result_series_count(e->result); i++) {
    const char* name = pc_result_series(e->result, i).name;
    size_t length = length_of_body(name);
    if (length && add_body(e, name, length) != PC_OK) return pc_no_memory(error);
  }
  if (e->body_count) return PC_OK;
  return pc_fail(error, PC_BAD_MODEL, "'%s' has no bodies to show: no quantity <body>.x",
                 pc_result_path(e->result));
}

static int by_series(const void* a, const void* b)
{
  return ((const wanted*)a)->series - ((const wanted*)b)->series;
}

/* Columns of a dataset stand in the order of their series. */
static pc_status sort_series(exporter* e, pc_error* error)
{
  size_t most = (size_t)e->body_count * WHAT_COUNT;
  wanted* all = pc_alloc(most, sizeof *all);
  e->series = pc_alloc(most, sizeof *e->series);
  e->line = pc_alloc(most, sizeof *e->line);
  if (all && e->series && e->line) {
    for (int b = 0; b < e->body_count; b++)
      for (int i = 0; i < WHAT_COUNT; i++)
        if (e->body[b].series[i] >= 0)
          all[e->series_count++] = (wanted){e->body[b].series[i], b * WHAT_COUNT + i};
    qsort(all, (size_t)e->series_count, sizeof *all, by_series);
    for (int i = 0; i < e->series_count; i++) {
      e->series[i] = all[i].series;
      e->line[i] = all[i].line;
    }
  }
  free(all);
  return e->series_count ? PC_OK : pc_no_memory(error);
}

static pc_status allocate_blocks(exporter* e, pc_error* error)
{
  size_t lines = (size_t)e->body_count * WHAT_COUNT;
  size_t contacts = (size_t)pc_result_contact_count(e->result);
  e->capacity = (long)(NUMBERS_MAX / (lines + contacts + 1));
  if (e->capacity < 1) e->capacity = 1;
  size_t rows = (size_t)e->capacity;
  e->time = pc_alloc(rows, sizeof *e->time);
  e->value = pc_alloc(rows * lines, sizeof *e->value);
  e->P_N = pc_alloc(rows * contacts, sizeof *e->P_N);
  e->read = pc_alloc(2 * rows * (size_t)e->series_count, sizeof *e->read);
  return e->time && e->value && e->P_N && e->read ? PC_OK : pc_no_memory(error);
}

static double* line_of(const exporter* e, int b, int i)
{
  return e->value + ((size_t)b * WHAT_COUNT + (size_t)i) * (size_t)e->capacity;
}

/* A rotation about z by `angle`: the angle stands before the quaternion in the list above. */
static double missing_value(int i, double angle)
{
  if (i == QW) return pc_cos(angle / 2);
  if (i == QZ) return pc_sin(angle / 2);
  return 0;
}

static pc_status read_lines(exporter* e, long first, long rows, pc_error* error)
{
  double* scratch = e->read + e->capacity * e->series_count;
  for (int i = 0, done = 0; i < e->series_count; i += done) {
    PC_TRY(pc_result_read_neighbours(e->result, e->series + i, e->series_count - i, first, rows,
                                     e->read, scratch, &done, error));
    for (int n = 0; n < done; n++)
      memcpy(e->value + (long)e->line[i + n] * e->capacity, e->read + (long)n * rows,
             (size_t)rows * sizeof *e->read);
  }
  return PC_OK;
}

static pc_status read_block(exporter* e, long first, long rows, pc_error* error)
{
  PC_TRY(pc_result_read(e->result, 0, first, rows, e->time, error));
  PC_TRY(pc_result_read_P_N(e->result, first, rows, e->P_N, error));
  PC_TRY(read_lines(e, first, rows, error));
  for (int b = 0; b < e->body_count; b++)
    for (int i = 0; i < WHAT_COUNT; i++)
      for (long k = 0; e->body[b].series[i] < 0 && k < rows; k++)
        line_of(e, b, i)[k] = missing_value(i, line_of(e, b, ANGLE)[k]);
  return PC_OK;
}

static void print_escaped(FILE* to, const char* text)
{
  for (; *text; text++) switch (*text) {
      case '&': fputs("&amp;", to); break;
      case '<': fputs("&lt;", to); break;
      case '>': fputs("&gt;", to); break;
      case '"': fputs("&quot;", to); break;
      default: fputc(*text, to);
    }
}

static void begin_array(FILE* to, const char* type, const char* name, int components)
{
  fprintf(to, "<DataArray type=\"%s\" Name=\"", type);
  print_escaped(to, name);
  fprintf(to, "\" NumberOfComponents=\"%d\" format=\"ascii\">\n", components);
}

static void end_array(FILE* to)
{
  fputs("</DataArray>\n", to);
}

/* Of row k of the block, one line per body: `count` of its quantities from `first` on. */
static void print_quantities(FILE* to, const exporter* e, long k, const char* name, int first,
                             int count)
{
  begin_array(to, "Float64", name, count);
  for (int b = 0; b < e->body_count; b++)
    for (int i = 0; i < count; i++) {
      pc_print_number(to, line_of(e, b, first + i)[k]);
      fputc(i + 1 < count ? ' ' : '\n', to);
    }
  end_array(to);
}

/* The body's own x axis in the inertial frame, for arrows. */
static void print_axes(FILE* to, const exporter* e, long k)
{
  begin_array(to, "Float64", "axis", 3);
  for (int b = 0; b < e->body_count; b++) {
    double w = line_of(e, b, QW)[k], x = line_of(e, b, QX)[k];
    double y = line_of(e, b, QY)[k], z = line_of(e, b, QZ)[k];
    double axis[3] = {w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)};
    for (int i = 0; i < 3; i++) {
      pc_print_number(to, axis[i]);
      fputc(i < 2 ? ' ' : '\n', to);
    }
  }
  end_array(to);
}

/* VTK's texts are the codes of their bytes, each text ended by a 0. */
static void print_names(FILE* to, const exporter* e)
{
  begin_array(to, "String", "name", 1);
  for (int b = 0; b < e->body_count; b++) {
    for (const char* c = e->body[b].name; *c; c++) fprintf(to, "%d ", (unsigned char)*c);
    fputs("0\n", to);
  }
  end_array(to);
}

static void print_field(FILE* to, const char* name, const char* suffix, double value)
{
  fputs("<DataArray type=\"Float64\" Name=\"", to);
  print_escaped(to, name);
  fprintf(to, "%s\" NumberOfTuples=\"1\" format=\"ascii\">", suffix);
  pc_print_number(to, value);
  end_array(to);
}

static void print_fields(FILE* to, const exporter* e, long k)
{
  int contacts = pc_result_contact_count(e->result);
  fputs("<FieldData>\n", to);
  print_field(to, "TimeValue", "", e->time[k]);
  for (int i = 0; i < contacts; i++)
    print_field(to, pc_result_contact(e->result, i), ".P_N", e->P_N[k * contacts + i]);
  fputs("</FieldData>\n", to);
}

/* A vertex per point, without which ParaView shows nothing. */
static void print_vertices(FILE* to, int count)
{
  fputs("<Verts>\n", to);
  begin_array(to, "Int32", "connectivity", 1);
  for (int b = 0; b < count; b++) fprintf(to, "%d\n", b);
  end_array(to);
  begin_array(to, "Int32", "offsets", 1);
  for (int b = 0; b < count; b++) fprintf(to, "%d\n", b + 1);
  end_array(to);
  fputs("</Verts>\n", to);
}

static void print_step(FILE* to, const exporter* e, long k)
{
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\">\n<PolyData>\n", to);
  print_fields(to, e, k);
  fprintf(to, "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\">\n<Points>\n", e->body_count,
          e->body_count);
  print_quantities(to, e, k, "position", X, 3);
  fputs("</Points>\n", to);
  print_vertices(to, e->body_count);
  fputs("<PointData Vectors=\"velocity\" Scalars=\"angle\">\n", to);
  print_names(to, e);
  print_quantities(to, e, k, "velocity", VX, 3);
  print_quantities(to, e, k, "angle", ANGLE, 1);
  print_quantities(to, e, k, "spin", SPIN, 1);
  print_quantities(to, e, k, "quaternion", QW, 4);
  print_axes(to, e, k);
  fputs("</PointData>\n</Piece>\n</PolyData>\n</VTKFile>\n", to);
}

static FILE* create(const exporter* e, const char* name)
{
  char* path = path_of(e->scratch, name);
  FILE* file = path ? fopen(path, "w") : NULL;
  free(path);
  return file;
}

/* A file is written when closing it succeeds. */
static pc_status finish(const exporter* e, FILE* file, pc_error* error)
{
  errno = 0;
  int ok = file && !ferror(file);
  if (file) ok = fclose(file) == 0 && ok;
  return ok ? PC_OK : pc_cannot_write(e->directory, errno, error);
}

static pc_status write_step(const exporter* e, long row, long k, pc_error* error)
{
  char name[STEP_NAME_SIZE];
  if (e->go_on && !e->go_on(e->user))
    return pc_fail(error, PC_STOPPED, "stopped: '%s' is as it was", e->directory);
  name_step(row, name);
  FILE* file = create(e, name);
  if (!file) return pc_cannot_write(e->directory, errno, error);
  print_step(file, e, k);
  return finish(e, file, error);
}

static void list_step(FILE* list, long row, double time)
{
  char name[STEP_NAME_SIZE];
  name_step(row, name);
  fputs("<DataSet timestep=\"", list);
  pc_print_number(list, time);
  fprintf(list, "\" part=\"0\" file=\"%s\"/>\n", name);
}

static pc_status write_steps(exporter* e, long every, FILE* list, pc_error* error)
{
  long length = pc_result_length(e->result);
  for (long first = 0; first < length; first += e->capacity) {
    long rows = length - first < e->capacity ? length - first : e->capacity;
    PC_TRY(read_block(e, first, rows, error));
    long row = pc_result_every(e->result, every, first);
    for (; row < first + rows; row = pc_result_every(e->result, every, row + 1)) {
      PC_TRY(write_step(e, row, row - first, error));
      list_step(list, row, e->time[row - first]);
    }
  }
  return PC_OK;
}

static pc_status write_files(exporter* e, long every, pc_error* error)
{
  FILE* list = create(e, "bodies.pvd");
  if (!list) return pc_cannot_write(e->directory, errno, error);
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
        list);
  pc_status status = write_steps(e, every, list, error);
  fputs("</Collection>\n</VTKFile>\n", list);
  pc_status finished = finish(e, list, status == PC_OK ? error : NULL);
  return status != PC_OK ? status : finished;
}

/* Moves a file from the scratch directory to its place; without `keep` removes it. */
static int move(const exporter* e, const char* name, int keep)
{
  char* from = path_of(e->scratch, name);
  char* to = path_of(e->directory, name);
  int ok = from && to && (keep ? rename(from, to) : unlink(from)) == 0;
  int reason = errno;
  free(from);
  free(to);
  errno = reason;
  return ok ? 0 : -1;
}

/* The steps first, so that the list never names a file that is not there. */
static int move_all(const exporter* e, long every, int keep)
{
  char name[STEP_NAME_SIZE];
  int failed = 0;
  long length = pc_result_length(e->result);
  for (long row = 0; row < length; row = pc_result_every(e->result, every, row + 1)) {
    name_step(row, name);
    if (move(e, name, keep) != 0 && keep) return -1;
  }
  failed = move(e, "bodies.pvd", keep) != 0;
  return failed ? -1 : 0;
}

static pc_status write_and_move(exporter* e, long every, pc_error* error)
{
  if (!mkdtemp(e->scratch)) return pc_cannot_write(e->directory, errno, error);
  pc_status status = write_files(e, every, error);
  if (status == PC_OK && move_all(e, every, 1) != 0)
    status = pc_cannot_write(e->directory, errno, error);
  if (status != PC_OK) move_all(e, every, 0);
  rmdir(e->scratch);
  return status;
}

static pc_status run(exporter* e, long every, pc_error* error)
{
  PC_TRY(find_bodies(e, error));
  PC_TRY(sort_series(e, error));
  PC_TRY(allocate_blocks(e, error));
  e->scratch = path_of(e->directory, ".percuss-XXXXXX");
  if (!e->scratch) return pc_no_memory(error);
  int made = mkdir(e->directory, 0777) == 0;
  if (!made && errno != EEXIST) return pc_cannot_write(e->directory, errno, error);
  pc_status status = write_and_move(e, every, error);
  if (made && status != PC_OK) rmdir(e->directory);
  return status;
}

pc_status pc_result_write_vtk(const pc_result* result, const char* directory, long every,
                              int (*go_on)(void* user), void* user, pc_error* error)
{
  PC_TRY(pc_need(result, "result", error));
  PC_TRY(pc_need(directory, "directory", error));
  if (every < 1) return pc_fail(error, PC_BAD_ARGUMENT, "every: %ld, must be 1 or more", every);
  exporter e = {.result = result, .directory = directory, .go_on = go_on, .user = user};
  pc_status status = run(&e, every, error);
  for (int b = 0; b < e.body_count; b++) free(e.body[b].name);
  free(e.body);
  free(e.series);
  free(e.line);
  free(e.read);
  free(e.time);
  free(e.value);
  free(e.P_N);
  free(e.scratch);
  return status;
}
