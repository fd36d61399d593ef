/* Any bytes as a file of triangles: it is refused with a text, or its triangles refer to finite
 * corners and a mesh can be made of them. */
#undef NDEBUG /* the checks are what this program is for */
#include <assert.h>
#include <math.h>

#include "collide/mesh_file.h"
#include "collide/shape.h"
#include "fuzz/target.h"

enum { LENGTH_MAX = 65536 };

static void make_mesh(const pc_triangles* t)
{
  pc_geometry* mesh = NULL;
  pc_error error = {0};
  const pc_geometry_def def = {.kind = PC_GEOMETRY_MESH,
                               .corner_count = t->corner_count,
                               .corner = t->corner,
                               .triangle_count = t->triangle_count,
                               .triangle = t->triangle};
  if (pc_geometry_create(&def, &mesh, &error) != PC_OK) assert(error.text[0] && !mesh);
  pc_geometry_destroy(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  if (size > LENGTH_MAX) return 0;
  pc_triangles t;
  pc_error error = {0};
  if (pc_triangles_parse("input", (const char*)data, size, &t, &error) != PC_OK) {
    assert(error.text[0] && !t.corner && !t.triangle);
    return 0;
  }
  assert(t.triangle_count > 0);
  for (int i = 0; i < 3 * t.triangle_count; i++)
    assert(t.triangle[i] >= 0 && t.triangle[i] < t.corner_count);
  for (int i = 0; i < 3 * t.corner_count; i++) assert(isfinite(t.corner[i]));
  make_mesh(&t);
  pc_triangles_release(&t);
  return 0;
}
