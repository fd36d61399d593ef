/* Convex hulls by libqhull in its reentrant form. Qhull merges facets that are coplanar to
 * round-off, so that the face of a cube is a square; that is what contacts need. It is
 * deterministic. */
#include <libqhull_r/libqhull_r.h>
#include <libqhull_r/poly_r.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/polytope.h"

/* The corners of the hull, numbered in the order of the points that they are. */
static int number_corners(qhT* qh, int point_count, int* number)
{
  vertexT* vertex;
  int count = 0;
  for (int i = 0; i < point_count; i++) number[i] = -1;
  FORALLvertices number[qh_pointid(qh, vertex->point)] = 0;
  for (int i = 0; i < point_count; i++)
    if (number[i] == 0) number[i] = count++;
  return count;
}

/* The corners of each face in order: qh_facet3vertex gives them clockwise seen from outside, in a
 * set that the caller frees. */
static void fill_faces(qhT* qh, const int* number, pc_polytope* p)
{
  facetT* facet;
  vertexT *vertex, **vertexp;
  int f = 0;
  FORALLfacets
  {
    setT* around = qh_facet3vertex(qh, facet);
    int at = p->face_first[f + 1] = p->face_first[f] + qh_setsize(qh, around);
    FOREACHvertex_(around) p->face_corner[--at] = number[qh_pointid(qh, vertex->point)];
    qh_settempfree(qh, &around);
    f++;
  }
}

static pc_polytope* polytope_of(qhT* qh, int count, const double* point, int* number)
{
  facetT* facet;
  int sides = 0;
  FORALLfacets sides += qh_setsize(qh, facet->vertices);
  int corners = number_corners(qh, count, number);
  pc_polytope* p = pc_polytope_create(corners, qh->num_facets, sides);
  if (!p) return NULL;
  for (int i = 0; i < count; i++)
    if (number[i] >= 0) p->corner[number[i]] = pc_v3_of(point + 3 * i);
  fill_faces(qh, number, p);
  return p;
}

/* Qhull writes what it has to say into a text; the first line is what users need. */
static pc_status refuse(const char* said, pc_error* error)
{
  const char* at = said ? strchr(said, 'Q') : NULL;
  int length = at ? (int)strcspn(at, "\n") : 0;
  return pc_fail(
      error, PC_BAD_MODEL,
      "the corners of a polyhedron do not span a solid: all in one point, line or plane%s%.*s",
      length ? "; qhull says " : "", length, length ? at : "");
}

static pc_status hull_with(qhT* qh, FILE* messages, int count, const double* point, int* number,
                           double* copy, pc_polytope** hull)
{
  char command[] = "qhull Pp";
  memcpy(copy, point, 3 * (size_t)count * sizeof *copy);
  qh_zero(qh, messages);
  int failed = qh_new_qhull(qh, 3, count, copy, False, command, NULL, messages);
  *hull = failed ? NULL : polytope_of(qh, count, point, number);
  qh_freeqhull(qh, !qh_ALL);
  int long_memory, short_memory;
  qh_memfreeshort(qh, &long_memory, &short_memory);
  if (failed) return PC_BAD_MODEL;
  return *hull ? PC_OK : PC_OUT_OF_MEMORY;
}

pc_status pc_polytope_hull(int count, const double* point, pc_polytope** hull, pc_error* error)
{
  *hull = NULL;
  if (count < 4)
    return pc_fail(error, PC_BAD_MODEL, "a polyhedron has %d corners; it needs 4 at least", count);
  char* said = NULL;
  size_t said_size = 0;
  FILE* messages = open_memstream(&said, &said_size);
  qhT* qh = pc_alloc(1, sizeof *qh);
  int* number = pc_alloc((size_t)count, sizeof *number);
  double* copy = pc_alloc(3 * (size_t)count, sizeof *copy);
  pc_status status = PC_OUT_OF_MEMORY;
  if (messages && qh && number && copy)
    status = hull_with(qh, messages, count, point, number, copy, hull);
  if (messages) fclose(messages);
  if (status == PC_BAD_MODEL) status = refuse(said, error);
  if (status == PC_OUT_OF_MEMORY) status = pc_no_memory(error);
  if (status == PC_OK) status = pc_polytope_connect(*hull, "polyhedron", error);
  if (status != PC_OK) {
    pc_polytope_destroy(*hull);
    *hull = NULL;
  }
  free(copy);
  free(number);
  free(qh);
  free(said);
  return status;
}
