#include "draw/vtk_shapes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draw/motion.h"
#include "draw/solid.h"
#include "study/error.h"

enum { PATH_SIZE = 4096, NAME_SIZE = 64, MANY = 300 }; /* MANY shapes: circles get fewer corners */

typedef struct exporter {
  motion m;
  const pc_system* system;
  const char* directory;
  char scratch[PATH_SIZE]; /* where files are made; they are moved when all are there */
  int shape_count;
  solid* shape;
  long every;
  double* q; /* of the row at hand */
} exporter;

static pc_status cannot_write(const exporter* e, pc_error* error)
{
  return set_error(error, PC_CANNOT_WRITE, "cannot write into '%s': %s", e->directory,
                   strerror(errno ? errno : EIO));
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void begin_array(FILE* to, const char* type, const char* name, int components)
{
  fprintf(to, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n",
          type, name, components);
}

static void end_array(FILE* to)
{
  fputs("</DataArray>\n", to);
}

static void begin_file(FILE* to, double t)
{
  fputs(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\">\n<PolyData>\n"
      "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">",
      to);
  fprintf(to, "%.17g", t);
  end_array(to);
  fputs("</FieldData>\n", to);
}

static void end_file(FILE* to)
{
  fputs("</Piece>\n</PolyData>\n</VTKFile>\n", to);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static void print_points(FILE* to, const exporter* e)
{
  fputs("<Points>\n", to);
  begin_array(to, "Float32", "position", 3);
  for (int i = 0; i < e->shape_count; i++) {
    pc_pose pose = pc_collider_pose(e->system, i, e->q);
    for (int k = 0; k < e->shape[i].point_count; k++) {
      const double *p = e->shape[i].point + 3 * (size_t)k, *A = pose.A;
      for (int d = 0; d < 3; d++)
        fprintf(to, "%.9g%c",
                pose.x[d] + A[3 * d] * p[0] + A[3 * d + 1] * p[1] + A[3 * d + 2] * p[2],
                d < 2 ? ' ' : '\n');
    }
  }
  end_array(to);
  fputs("</Points>\n", to);
}

/* Lines or polygons: their corners, and where each ends. */
static void print_cells(FILE* to, const exporter* e, int lines)
{
  int first = 0, end = 0;
  fputs(lines ? "<Lines>\n" : "<Polys>\n", to);
  begin_array(to, "Int32", "connectivity", 1);
  for (int i = 0; i < e->shape_count; first += e->shape[i++].point_count)
    for (int k = 0; e->shape[i].is_line == lines && k < e->shape[i].corner_count; k++)
      fprintf(to, "%d\n", first + e->shape[i].corner[k]);
  end_array(to);
  begin_array(to, "Int32", "offsets", 1);
  for (int i = 0; i < e->shape_count; i++) {
    if (e->shape[i].is_line != lines) continue;
    for (int k = 0; k < e->shape[i].face_count; k++) fprintf(to, "%d\n", end + e->shape[i].end[k]);
    end += e->shape[i].corner_count;
  }
  end_array(to);
  fputs(lines ? "</Lines>\n" : "</Polys>\n", to);
}

static int count_cells(const exporter* e, int lines)
{
  int count = 0;
  for (int i = 0; i < e->shape_count; i++)
    if (e->shape[i].is_line == lines) count += e->shape[i].face_count;
  return count;
}

/* Of every cell the number of its shape, and that of its part (-1: the ground); lines come
 * first. */
static void print_owners(FILE* to, const exporter* e, const char* name, int part)
{
  begin_array(to, "Int32", name, 1);
  for (int lines = 1; lines >= 0; lines--)
    for (int i = 0; i < e->shape_count; i++)
      for (int k = 0; e->shape[i].is_line == lines && k < e->shape[i].face_count; k++)
        fprintf(to, "%d\n", part ? pc_system_collider(e->system, i).part.index : i);
  end_array(to);
}

static void print_shapes(FILE* to, const exporter* e)
{
  int points = 0;
  for (int i = 0; i < e->shape_count; i++) points += e->shape[i].point_count;
  fprintf(to, "<Piece NumberOfPoints=\"%d\" NumberOfLines=\"%d\" NumberOfPolys=\"%d\">\n", points,
          count_cells(e, 1), count_cells(e, 0));
  print_points(to, e);
  print_cells(to, e, 1);
  print_cells(to, e, 0);
  fputs("<CellData Scalars=\"body\">\n", to);
  print_owners(to, e, "body", 1);
  print_owners(to, e, "shape", 0);
  fputs("</CellData>\n", to);
}

/* ---- contacts -------------------------------------------------------------------------------- */

static const double* vector_of(const pc_shape_contact* c, int which)
{
  return which == 0 ? c->point : which == 1 ? c->P : c->normal;
}

static void print_vectors(FILE* to, const pc_shape_contact* c, long count, const char* name,
                          int which)
{
  begin_array(to, "Float64", name, 3);
  for (long k = 0; k < count; k++)
    fprintf(to, "%.17g %.17g %.17g\n", vector_of(&c[k], which)[0], vector_of(&c[k], which)[1],
            vector_of(&c[k], which)[2]);
  end_array(to);
}

static void print_scalars(FILE* to, const pc_shape_contact* c, long count, const char* name)
{
  begin_array(to, "Float64", name, 1);
  for (long k = 0; k < count; k++) fprintf(to, "%.17g\n", *name == 'g' ? c[k].gap : c[k].P_N);
  end_array(to);
}

static void print_contacts(FILE* to, const pc_shape_contact* c, long count)
{
  fprintf(to, "<Piece NumberOfPoints=\"%ld\" NumberOfVerts=\"%ld\">\n<Points>\n", count, count);
  print_vectors(to, c, count, "position", 0);
  fputs("</Points>\n<Verts>\n", to);
  begin_array(to, "Int32", "connectivity", 1);
  for (long k = 0; k < count; k++) fprintf(to, "%ld\n", k);
  end_array(to);
  begin_array(to, "Int32", "offsets", 1);
  for (long k = 0; k < count; k++) fprintf(to, "%ld\n", k + 1);
  end_array(to);
  fputs("</Verts>\n<PointData Vectors=\"impulse\" Scalars=\"gap\">\n", to);
  print_vectors(to, c, count, "impulse", 1);
  print_vectors(to, c, count, "normal", 2);
  print_scalars(to, c, count, "gap");
  print_scalars(to, c, count, "P_N");
  begin_array(to, "Int32", "shapes", 2);
  for (long k = 0; k < count; k++) fprintf(to, "%d %d\n", c[k].key.shape[0], c[k].key.shape[1]);
  end_array(to);
  fputs("</PointData>\n", to);
}

/* ---- files ----------------------------------------------------------------------------------- */

static const char* const KIND[] = {"shapes", "contacts"};
enum { KINDS = 2 };

static void name_row(int kind, long row, char name[NAME_SIZE])
{
  snprintf(name, NAME_SIZE, "%s-%08ld.vtp", KIND[kind], row);
}

static void name_list(int kind, char name[NAME_SIZE])
{
  snprintf(name, NAME_SIZE, "%s.pvd", KIND[kind]);
}

static FILE* create(const exporter* e, const char* name)
{
  char path[PATH_SIZE + NAME_SIZE + 2];
  snprintf(path, sizeof path, "%s/%s", e->scratch, name);
  errno = 0;
  return fopen(path, "w");
}

static pc_status finish(const exporter* e, FILE* file, pc_error* error)
{
  errno = 0;
  int ok = !ferror(file);
  ok = fclose(file) == 0 && ok;
  return ok ? PC_OK : cannot_write(e, error);
}

static pc_status write_shapes(const exporter* e, long row, pc_error* error)
{
  char name[NAME_SIZE];
  name_row(0, row, name);
  FILE* file = create(e, name);
  if (!file) return cannot_write(e, error);
  begin_file(file, e->m.row_time[row]);
  print_shapes(file, e);
  end_file(file);
  return finish(e, file, error);
}

static pc_status write_contacts(const exporter* e, long row, pc_error* error)
{
  char name[NAME_SIZE];
  long offset[2];
  pc_status status = pc_result_found_offsets(e->m.result, row, 1, offset, error);
  if (status != PC_OK) return status;
  long count = offset[1] - offset[0];
  pc_shape_contact* contact = calloc((size_t)count + 1, sizeof *contact);
  if (!contact) return PC_OUT_OF_MEMORY;
  status = pc_result_read_found(e->m.result, offset[0], count, contact, error);
  name_row(1, row, name);
  FILE* file = status == PC_OK ? create(e, name) : NULL;
  if (file) {
    begin_file(file, e->m.row_time[row]);
    print_contacts(file, contact, count);
    end_file(file);
    status = finish(e, file, error);
  } else if (status == PC_OK) {
    status = cannot_write(e, error);
  }
  free(contact);
  return status;
}

static pc_status write_lists(const exporter* e, pc_error* error)
{
  pc_status status = PC_OK;
  for (int kind = 0; kind < KINDS && status == PC_OK; kind++) {
    char name[NAME_SIZE];
    name_list(kind, name);
    FILE* file = create(e, name);
    if (!file) return cannot_write(e, error);
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
          file);
    for (long row = 0; row < e->m.row_count;
         row = pc_result_every(e->m.result, e->every, row + 1)) {
      name_row(kind, row, name);
      fprintf(file, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n", e->m.row_time[row],
              name);
    }
    fputs("</Collection>\n</VTKFile>\n", file);
    status = finish(e, file, error);
  }
  return status;
}

static pc_status write_files(exporter* e, int (*go_on)(void*), void* user, pc_error* error)
{
  pc_status status = PC_OK;
  int width = pc_system_q_count(e->system);
  for (long row = 0; row < e->m.row_count && status == PC_OK;
       row = pc_result_every(e->m.result, e->every, row + 1)) {
    if (go_on && !go_on(user))
      return set_error(error, PC_STOPPED, "stopped: '%s' has no new shapes", e->directory);
    status = pc_result_read_table(e->m.result, "q", row, 1, width, e->q, error);
    if (status == PC_OK) status = write_shapes(e, row, error);
    if (status == PC_OK) status = write_contacts(e, row, error);
  }
  return status == PC_OK ? write_lists(e, error) : status;
}

/* Moves a file to its place, or removes it. */
static int move(const exporter* e, const char* name, int keep)
{
  char from[PATH_SIZE + NAME_SIZE + 2], to[PATH_SIZE + NAME_SIZE + 2];
  snprintf(from, sizeof from, "%s/%s", e->scratch, name);
  snprintf(to, sizeof to, "%s/%s", e->directory, name);
  return (keep ? rename(from, to) : unlink(from)) == 0 ? 0 : -1;
}

/* The lists last, so that they never name a file that is not there. */
static int move_all(const exporter* e, int keep)
{
  char name[NAME_SIZE];
  int failed = 0;
  for (int kind = 0; kind < KINDS; kind++)
    for (long row = 0; row < e->m.row_count;
         row = pc_result_every(e->m.result, e->every, row + 1)) {
      name_row(kind, row, name);
      failed |= move(e, name, keep);
    }
  for (int kind = 0; kind < KINDS; kind++) {
    name_list(kind, name);
    failed |= move(e, name, keep);
  }
  return failed;
}

/* ---- all together ---------------------------------------------------------------------------- */

/* Half-spaces are drawn as far as the shapes that move are from the origin at the start. */
static double find_extent(const pc_system* system)
{
  double extent = 0;
  for (int i = 0; i < pc_system_collider_count(system); i++) {
    pc_collider_info c = pc_system_collider(system, i);
    pc_pose pose = pc_collider_pose(system, i, pc_system_q0(system));
    if (c.part.index < 0) continue;
    for (int d = 0; d < 3; d++) extent = fmax(extent, fabs(pose.x[d]));
  }
  return extent > 0 ? 1.5 * extent : 1;
}

static pc_status make_shapes(exporter* e)
{
  const solid_options o = {e->shape_count > MANY ? 12 : 24, find_extent(e->system)};
  pc_status status = PC_OK;
  e->shape = calloc((size_t)e->shape_count, sizeof *e->shape);
  e->q = calloc((size_t)pc_system_q_count(e->system) + 1, sizeof *e->q);
  if (!e->shape || !e->q) return PC_OUT_OF_MEMORY;
  for (int i = 0; i < e->shape_count && status == PC_OK; i++)
    status = make_solid(pc_system_collider(e->system, i).geometry, &o, &e->shape[i]);
  return status;
}

static pc_status run(exporter* e, int (*go_on)(void*), void* user, pc_error* error)
{
  pc_status status = make_shapes(e);
  if (status != PC_OK) return status;
  if (snprintf(e->scratch, sizeof e->scratch, "%s/.percuss-XXXXXX", e->directory) >= PATH_SIZE)
    return set_error(error, PC_CANNOT_WRITE, "the name of the directory is too long");
  if (!mkdtemp(e->scratch)) return cannot_write(e, error);
  status = write_files(e, go_on, user, error);
  if (status == PC_OK && move_all(e, 1) != 0) status = cannot_write(e, error);
  if (status != PC_OK) move_all(e, 0);
  rmdir(e->scratch);
  return status;
}

pc_status write_vtk_shapes(const pc_result* result, const char* directory, long every,
                           int (*go_on)(void*), void* user, pc_error* error)
{
  if (pc_result_shape_count(result) == 0) return PC_OK;
  exporter* e = calloc(1, sizeof *e);
  if (!e) return PC_OUT_OF_MEMORY;
  e->directory = directory;
  e->every = every;
  const motion_options frames = {NAN, NAN, 1, NAN, 1, 0};
  pc_status status = read_motion(result, &frames, &e->m, error);
  if (status == PC_OK) {
    e->system = e->m.system;
    e->shape_count = pc_system_collider_count(e->system);
    status = run(e, go_on, user, error);
  }
  for (int i = 0; e->shape && i < e->shape_count; i++) release_solid(&e->shape[i]);
  free(e->shape);
  free(e->q);
  release_motion(&e->m);
  free(e);
  return status;
}
