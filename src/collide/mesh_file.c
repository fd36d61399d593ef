#include "collide/mesh_file.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/vector.h"

enum { STL_HEADER = 84, STL_TRIANGLE = 50, TOKEN_MAX = 64 };

/* What has been read so far. */
typedef struct reader {
  const char* name;
  const char *at, *end; /* of the text that is left */
  int line;
  pc_error* error;
  size_t corner_capacity, triangle_capacity;
  pc_triangles got;
} reader;

static pc_status complain(reader* r, const char* what)
{
  pc_status status = pc_fail(r->error, PC_BAD_MODEL, "%s, line %d: %s", r->name, r->line, what);
  if (r->error) r->error->line = r->line;
  return status;
}

static pc_status add_corner(reader* r, const double x[3])
{
  size_t count = (size_t)r->got.corner_count;
  if (count >= INT_MAX / 4) return pc_no_memory(r->error);
  if (pc_reserve((void**)&r->got.corner, &r->corner_capacity, count + 1, 3 * sizeof(double)) !=
      PC_OK)
    return pc_no_memory(r->error);
  memcpy(r->got.corner + 3 * count, x, 3 * sizeof(double));
  r->got.corner_count++;
  return PC_OK;
}

static pc_status add_triangle(reader* r, int a, int b, int c)
{
  size_t count = (size_t)r->got.triangle_count;
  if (count >= INT_MAX / 4) return pc_no_memory(r->error);
  if (pc_reserve((void**)&r->got.triangle, &r->triangle_capacity, count + 1, 3 * sizeof(int)) !=
      PC_OK)
    return pc_no_memory(r->error);
  int* t = r->got.triangle + 3 * count;
  t[0] = a, t[1] = b, t[2] = c;
  r->got.triangle_count++;
  return PC_OK;
}

/* ---- words of a text ----------------------------------------------------------------------- */

static int is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* The next word of this line; 0 at its end. Words of more than TOKEN_MAX - 1 letters are truncated,
 * which makes no number of one. */
static int next_word(reader* r, char word[TOKEN_MAX])
{
  while (r->at < r->end && is_blank(*r->at)) r->at++;
  int length = 0;
  for (; r->at < r->end && !is_blank(*r->at) && *r->at != '\n'; r->at++)
    if (length < TOKEN_MAX - 1) word[length++] = *r->at ? *r->at : '?';
  word[length] = 0;
  return length;
}

static int next_line(reader* r)
{
  while (r->at < r->end && *r->at != '\n') r->at++;
  if (r->at == r->end) return 0;
  r->at++;
  r->line++;
  return 1;
}

/* The next word, on this line or a later one; 0 at the end of the text. */
static int next_word_anywhere(reader* r, char word[TOKEN_MAX])
{
  while (!next_word(r, word))
    if (!next_line(r)) return 0;
  return 1;
}

/* A number with a decimal point, whatever the locale of the embedding program says. */
static int number_of(const char* word, double* value)
{
  char digits[TOKEN_MAX + 8];
  const char *point = localeconv()->decimal_point, *dot = strchr(word, '.');
  if (dot)
    snprintf(digits, sizeof digits, "%.*s%.7s%s", (int)(dot - word), word, point, dot + 1);
  else
    snprintf(digits, sizeof digits, "%s", word);
  char* end;
  *value = strtod(digits, &end);
  return *digits && !*end && isfinite(*value);
}

static pc_status next_numbers(reader* r, double x[3])
{
  char word[TOKEN_MAX];
  for (int i = 0; i < 3; i++)
    if (!next_word(r, word) || !number_of(word, &x[i]))
      return complain(r, "three finite numbers are expected");
  return PC_OK;
}

/* ---- STL ----------------------------------------------------------------------------------- */

static uint32_t little_endian(const unsigned char* b)
{
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_of(const unsigned char* b)
{
  uint32_t bits = little_endian(b);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

/* A binary file says how many triangles it holds. One that holds fewer bytes has been truncated. */
static pc_status read_binary(reader* r, const unsigned char* bytes, size_t size)
{
  uint32_t count = little_endian(bytes + 80);
  size_t held = (size - STL_HEADER) / STL_TRIANGLE;
  if (held < count)
    return pc_fail(r->error, PC_BAD_MODEL, "%s: it ends after %zu of %lu triangles", r->name, held,
                   (unsigned long)count);
  for (uint32_t i = 0; i < count; i++) {
    const unsigned char* t = bytes + STL_HEADER + (size_t)i * STL_TRIANGLE + 12;
    for (int k = 0; k < 3; k++, t += 12) {
      const double x[3] = {float_of(t), float_of(t + 4), float_of(t + 8)};
      if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
        return pc_fail(r->error, PC_BAD_MODEL, "%s: a corner of triangle %lu is not finite",
                       r->name, (unsigned long)i);
      PC_TRY(add_corner(r, x));
    }
    int last = r->got.corner_count;
    PC_TRY(add_triangle(r, last - 3, last - 2, last - 1));
  }
  return PC_OK;
}

/* solid ... { facet ... { vertex x y z } x 3 endfacet } endsolid. Normals are not used: the order
 * of the corners says which side is outside. */
static pc_status read_text_stl(reader* r)
{
  char word[TOKEN_MAX];
  int corners = 0, in_facet = 0, ended = 0;
  next_line(r); /* past "solid" and a name */
  while (next_word_anywhere(r, word)) {
    if (strcmp(word, "facet") == 0) {
      if (in_facet) return complain(r, "a facet within a facet");
      in_facet = 1, corners = 0;
      next_line(r);
    } else if (strcmp(word, "vertex") == 0) {
      double x[3];
      if (!in_facet || corners == 3) return complain(r, "a vertex that belongs to no triangle");
      PC_TRY(next_numbers(r, x));
      PC_TRY(add_corner(r, x));
      corners++;
    } else if (strcmp(word, "endfacet") == 0) {
      if (!in_facet || corners != 3) return complain(r, "a facet with fewer than three vertices");
      int last = r->got.corner_count;
      PC_TRY(add_triangle(r, last - 3, last - 2, last - 1));
      in_facet = 0;
    } else if (strcmp(word, "solid") == 0 || strcmp(word, "endsolid") == 0) {
      if (in_facet) return complain(r, "a facet that does not end");
      ended = *word == 'e';
      next_line(r);
    } else if (strcmp(word, "outer") != 0 && strcmp(word, "loop") != 0 &&
               strcmp(word, "endloop") != 0) {
      return complain(r, "a word that a text STL file does not have");
    }
  }
  return ended ? PC_OK : complain(r, "the file ends before 'endsolid'");
}

/* ---- OBJ ----------------------------------------------------------------------------------- */

/* "7", "7/1", "7//3", "-1": a corner, counted from 1, or backwards from the last one. */
static pc_status corner_of(reader* r, const char* word, int* corner)
{
  char* end;
  long index = strtol(word, &end, 10);
  if (end == word || (*end && *end != '/')) return complain(r, "a face needs numbers of corners");
  int count = r->got.corner_count;
  if (index < 0 && index >= -(long)count) {
    *corner = count + (int)index;
  } else if (index > 0 && index <= count) {
    *corner = (int)index - 1;
  } else {
    return complain(r, "a face with a corner that has not been given");
  }
  return PC_OK;
}

/* A polygon as a fan of triangles. */
static pc_status read_face(reader* r)
{
  char word[TOKEN_MAX];
  int first = 0, last = 0, count = 0;
  while (next_word(r, word)) {
    int corner = 0;
    PC_TRY(corner_of(r, word, &corner));
    if (count >= 2) PC_TRY(add_triangle(r, first, last, corner));
    if (count == 0) first = corner;
    last = corner;
    count++;
  }
  return count >= 3 ? PC_OK : complain(r, "a face with fewer than three corners");
}

static int is_ignored(const char* word)
{
  static const char* const known[] = {"vn", "vt", "vp", "g",      "o",
                                      "s",  "l",  "p",  "usemtl", "mtllib"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(word, known[i]) == 0) return 1;
  return *word == '#';
}

static pc_status read_obj(reader* r)
{
  char word[TOKEN_MAX];
  do {
    if (!next_word(r, word)) continue;
    if (strcmp(word, "v") == 0) {
      double x[3];
      PC_TRY(next_numbers(r, x));
      PC_TRY(add_corner(r, x));
    } else if (strcmp(word, "f") == 0) {
      PC_TRY(read_face(r));
    } else if (!is_ignored(word)) {
      return complain(r, "neither a binary or text STL file nor a line of an OBJ file");
    }
  } while (next_line(r));
  return PC_OK;
}

/* ---- one corner for equal ones, no triangle without area ----------------------------------- */

typedef struct corner_item {
  double x[3];
  int index;
} corner_item;

static int compare_corners(const void* a, const void* b)
{
  const corner_item *s = a, *t = b;
  for (int i = 0; i < 3; i++)
    if (s->x[i] != t->x[i]) return s->x[i] < t->x[i] ? -1 : 1;
  return (s->index > t->index) - (s->index < t->index);
}

/* number[i] becomes the first corner that equals corner i, then its place among those that are
 * left. */
static pc_status merge_corners(reader* r)
{
  int count = r->got.corner_count, kept = 0;
  corner_item* items = pc_alloc((size_t)count, sizeof *items);
  int* number = pc_alloc((size_t)count, sizeof *number);
  if (!items || !number) {
    free(items);
    free(number);
    return pc_no_memory(r->error);
  }
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) items[i].x[k] = r->got.corner[3 * i + k] + 0.0; /* no -0 */
    items[i].index = i;
  }
  qsort(items, (size_t)count, sizeof *items, compare_corners);
  for (int i = 0; i < count; i++) {
    int same = i > 0 && memcmp(items[i].x, items[i - 1].x, sizeof items[i].x) == 0;
    number[items[i].index] = same ? number[items[i - 1].index] : items[i].index;
  }
  for (int i = 0; i < count; i++) {
    if (number[i] != i) {
      number[i] = number[number[i]]; /* an earlier one, whose place is known */
      continue;
    }
    memmove(r->got.corner + 3 * kept, r->got.corner + 3 * i, 3 * sizeof(double));
    number[i] = kept++;
  }
  r->got.corner_count = kept;
  for (int i = 0; i < 3 * r->got.triangle_count; i++)
    r->got.triangle[i] = number[r->got.triangle[i]];
  free(items);
  free(number);
  return PC_OK;
}

static void drop_flat_triangles(pc_triangles* t)
{
  int kept = 0;
  for (int i = 0; i < t->triangle_count; i++) {
    const int* c = t->triangle + 3 * i;
    pc_v3 a = pc_v3_of(t->corner + 3 * c[0]);
    pc_v3 ab = pc_v3_minus(pc_v3_of(t->corner + 3 * c[1]), a);
    pc_v3 ac = pc_v3_minus(pc_v3_of(t->corner + 3 * c[2]), a);
    double area = pc_v3_length(pc_v3_cross(ab, ac));
    if (!(area > 0) || !isfinite(area)) continue;
    memmove(t->triangle + 3 * kept++, c, 3 * sizeof *c);
  }
  t->triangle_count = kept;
}

/* A binary file may begin with "solid" as well: its size tells. */
static int is_binary(const char* bytes, size_t size)
{
  if (size < STL_HEADER) return 0;
  uint64_t count = little_endian((const unsigned char*)bytes + 80);
  if (size == STL_HEADER + count * STL_TRIANGLE) return 1;
  return memchr(bytes, 0, size) != NULL; /* no text */
}

pc_status pc_triangles_parse(const char* name, const char* bytes, size_t size,
                             pc_triangles* triangles, pc_error* error)
{
  reader r = {.name = name, .at = bytes, .end = bytes + size, .line = 1, .error = error};
  pc_status status;
  while (r.at < r.end && (is_blank(*r.at) || *r.at == '\n')) r.line += *r.at++ == '\n';
  size_t left = (size_t)(r.end - r.at);
  if (is_binary(bytes, size))
    status = read_binary(&r, (const unsigned char*)bytes, size);
  else if (left >= 5 && memcmp(r.at, "solid", 5) == 0)
    status = read_text_stl(&r);
  else
    status = read_obj(&r);
  if (status == PC_OK) status = merge_corners(&r);
  if (status == PC_OK) drop_flat_triangles(&r.got);
  if (status == PC_OK && r.got.triangle_count == 0)
    status = pc_fail(error, PC_BAD_MODEL, "%s: there is no triangle with an area in it", name);
  if (status != PC_OK) pc_triangles_release(&r.got);
  *triangles = r.got;
  return status;
}

/* ---- files --------------------------------------------------------------------------------- */

static pc_status read_all(FILE* file, const char* path, char** bytes, size_t* size, pc_error* error)
{
  size_t capacity = 0;
  *size = 0;
  for (;;) {
    if (pc_reserve((void**)bytes, &capacity, *size + 65536, 1) != PC_OK) return pc_no_memory(error);
    size_t got = fread(*bytes + *size, 1, capacity - *size, file);
    *size += got;
    if (got == 0) break;
  }
  if (ferror(file)) return pc_fail(error, PC_BAD_MODEL, "%s: it cannot be read", path);
  return PC_OK;
}

pc_status pc_triangles_read(const char* path, pc_triangles* triangles, pc_error* error)
{
  PC_TRY(pc_need(triangles, "triangles", error));
  *triangles = (pc_triangles){0};
  FILE* file = fopen(path, "rb");
  if (!file) return pc_fail(error, PC_BAD_MODEL, "%s: it cannot be opened", path);
  char* bytes = NULL;
  size_t size;
  pc_status status = read_all(file, path, &bytes, &size, error);
  fclose(file);
  if (status == PC_OK) status = pc_triangles_parse(path, bytes, size, triangles, error);
  free(bytes);
  return status;
}

void pc_triangles_release(pc_triangles* triangles)
{
  if (!triangles) return;
  free(triangles->corner);
  free(triangles->triangle);
  *triangles = (pc_triangles){0};
}
