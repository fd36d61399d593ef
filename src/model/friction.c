#include "model/friction.h"
#include "base/length.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/held.h"
#include "model/sections.h"

/* --- a contact with a given normal force ---------------------------------------------------- */

pc_status pc_begin_held_contact(pc_reader* r, const char* name, const pc_node* place,
                                pc_held_contact* c)
{
  char text[140];
  snprintf(text, sizeof text, "%.100s.preload", name);
  const char* own = pc_keep_text(r, text);
  if (!own) return pc_no_memory(r->error);
  PC_TRY(pc_place_error(r->error, place, pc_add_coordinate(r, &(pc_coordinate_def){.name = own})));
  c->preload = r->coordinates.count - 1;
  c->contact = (pc_formula_contact){.law = pc_default_contact_law()};
  c->contact.law.name = name;
  c->contact.law.mu = 1;
  return PC_OK;
}

void pc_fill_held_contact(pc_maker* m, pc_held_contact* c, pc_expr bound, int turns, int count,
                          const pc_expr* slip)
{
  pc_pool* pool = m->pool;
  pc_expr height = m->v.get(&m->v, pool, (pc_part_quantity){c->preload, 0, 0});
  pc_expr speed = m->v.get(&m->v, pool, (pc_part_quantity){c->preload, 0, 1});
  m->def.has_kinetic = 1;
  pc_expr half = pc_expr_number(pool, 0.5);
  m->def.kinetic = pc_expr_of(pool, half, '*', pc_expr_of(pool, speed, '*', speed));
  pc_maker_add_force(m, c->preload, 0, pc_expr_of(pool, pc_expr_number(pool, -1), '*', bound));
  c->contact.gap = height;
  c->contact.slip_count = count;
  for (int i = 0; i < count; i++) c->contact.slip[i] = slip[i];
  m->def.contact_count = 1;
  m->def.contact = &c->contact;
  if (turns) m->def.angular = (2u << count) - 1; /* the preload is in the units of the bound */
}

pc_status pc_make_friction(pc_reader* r, const char* kind, const char* name, const pc_node* place,
                           pc_fill_formula* fill, void* user)
{
  pc_status status = pc_make_formula(r, name, fill, user, NULL);
  if (status == PC_OK || status == PC_OUT_OF_MEMORY) return status;
  if (!r->error->column) {
    char prefix[140];
    int length = snprintf(prefix, sizeof prefix, "formula '%.100s': ", name);
    if (strncmp(r->error->text, prefix, (size_t)length) == 0)
      memmove(r->error->text, r->error->text + length, strlen(r->error->text + length) + 1);
    status = pc_place_error(r->error, place, status);
  }
  pc_prefix_error(r->error, "%s '%s': ", kind, name);
  return status;
}

/* --- rolling and drilling ------------------------------------------------------------------- */

typedef struct making {
  const char* contact;
  const pc_node* place;
  pc_part_id part[2];
  /* the normal is fixed in part 1, with two tangents; else the line of the centres */
  int has_plane;
  double axis[3][3];   /* tangents and normal, in the frame of part 1 */
  double centre[2][3]; /* in the frames of the parts */
  double arm;          /* friction is this times the normal force */
  int drilling;
  int load; /* the coordinate that holds the normal force */
  pc_held_contact held;
} making;

/* w along an axis of part 1. */
static pc_expr component(pc_pool* pool, const pc_expr_frame* f, const double axis[3],
                         const pc_expr w[3])
{
  pc_expr v[3], turned[3];
  for (int i = 0; i < 3; i++) v[i] = pc_expr_number(pool, axis[i]);
  pc_expr_turned(pool, f, v, turned);
  return pc_expr_dot(pool, w, turned);
}

/* The unit vector along the line of the centres. */
static void find_normal(pc_pool* pool, const making* what, const pc_expr_frame f[2], pc_expr n[3])
{
  pc_expr v[3];
  pc_expr_point a = pc_expr_point_of(pool, &f[0], what->centre[0]);
  pc_expr_point b = pc_expr_point_of(pool, &f[1], what->centre[1]);
  for (int i = 0; i < 3; i++) v[i] = pc_expr_of(pool, a.position[i], '-', b.position[i]);
  pc_expr length = pc_expr_length(pool, v);
  for (int i = 0; i < 3; i++) n[i] = pc_expr_of(pool, v[i], '/', length);
}

/* Components of the relative angular velocity: about the normal for drilling, across it for
 * rolling. Where the normal turns there are no two tangents that go with it everywhere: then what
 * is left of the vector, with three components. */
static int find_slips(pc_pool* pool, const making* what, const pc_expr_frame f[2], pc_expr slip[3])
{
  pc_expr w[3], n[3];
  for (int i = 0; i < 3; i++) w[i] = pc_expr_of(pool, f[0].spin[i], '-', f[1].spin[i]);
  if (f[0].dimension == 2) {
    slip[0] = w[2];
    return 1;
  }
  if (what->has_plane) {
    for (int i = 0; i < 2; i++)
      slip[i] = component(pool, &f[1], what->axis[what->drilling ? 2 : i], w);
    return what->drilling ? 1 : 2;
  }
  find_normal(pool, what, f, n);
  pc_expr about = pc_expr_dot(pool, w, n);
  for (int i = 0; i < 3; i++)
    slip[i] = pc_expr_of(pool, w[i], '-', pc_expr_of(pool, about, '*', n[i]));
  if (what->drilling) slip[0] = about;
  return what->drilling ? 1 : 3;
}

static pc_status fill(pc_maker* m, void* user)
{
  making* what = user;
  pc_pool* pool = m->pool;
  pc_expr_frame f[2];
  pc_expr slip[3];
  for (int i = 0; i < 2; i++)
    if (!pc_variables_frame(&m->v, pool, what->part[i], &f[i]))
      return pc_fail_at(m->v.r->error, what->place, "it is for rigid bodies, not for nodes");
  pc_expr load = m->v.get(&m->v, pool, (pc_part_quantity){what->load, 0, 0});
  pc_expr bound = pc_expr_of(pool, pc_expr_number(pool, what->arm), '*', load);
  pc_fill_held_contact(m, &what->held, bound, 1, find_slips(pool, what, f, slip), slip);
  return PC_OK;
}

/* A unit normal with two tangents. */
static void make_axes(const double normal[3], double axis[3][3])
{
  double length = pc_length(3, normal);
  double* n = axis[2];
  int least = 0; /* the component of the normal that is smallest */
  for (int i = 0; i < 3; i++) n[i] = normal[i] / length;
  for (int i = 1; i < 3; i++)
    if (fabs(n[i]) < fabs(n[least])) least = i;
  double across = sqrt(1 - n[least] * n[least]);
  for (int i = 0; i < 3; i++) axis[0][i] = ((i == least) - n[least] * n[i]) / across;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    axis[1][i] = n[j] * axis[0][k] - n[k] * axis[0][j];
  }
}

/* What of the contact's geometry is needed. */
static void take_geometry(const pc_kind* kind, const pc_any_def* def, making* what)
{
  what->has_plane = strstr(kind->about.name, "plane") != NULL;
  if (strcmp(kind->about.name, "ellipsoid-plane") == 0) {
    what->part[0] = def->ellipsoid_plane.centre.part;
    what->part[1] = def->ellipsoid_plane.plane.part;
    make_axes(def->ellipsoid_plane.plane.normal, what->axis);
  } else if (what->has_plane) {
    what->part[0] = def->disc_plane.centre.part;
    what->part[1] = def->disc_plane.plane.part;
    make_axes(def->disc_plane.plane.normal, what->axis);
  } else {
    for (int i = 0; i < 2; i++) {
      what->part[i] = def->disc_disc.centre[i].part;
      memcpy(what->centre[i], def->disc_disc.centre[i].at, sizeof what->centre[i]);
    }
  }
}

static pc_status add(pc_reader* r, making* what, const char* tail)
{
  char name[128], load[128];
  snprintf(name, sizeof name, "%.100s-%s", what->contact, tail);
  snprintf(load, sizeof load, "%.100s.force_N", what->contact);
  PC_TRY(pc_claim_name(r, name, what->place, "contact"));
  PC_TRY(pc_held_load(r, load, what->place, &what->load));
  PC_TRY(pc_begin_held_contact(r, name, what->place, &what->held));
  return pc_make_friction(r, tail, what->contact, what->place, fill, what);
}

pc_status pc_read_rolling_friction(pc_reader* r, const pc_kind* kind, const pc_any_def* def,
                                   const pc_node* place, const pc_node* fields)
{
  static const char* const keys[] = {"rolling", "drilling"};
  making what = {.contact = place->text, .place = place};
  for (int drilling = 0; drilling < 2; drilling++) {
    const pc_node* key = pc_node_key(fields, keys[drilling]);
    if (!key) continue;
    pc_status status = pc_number_of_node(&r->scope, key->value, &what.arm, r->error);
    if (status == PC_OK && !(what.arm > 0))
      status = pc_fail_at(r->error, key->value, "it is %g; it must be positive", what.arm);
    if (status == PC_BAD_MODEL)
      pc_prefix_error(r->error, "contact '%s', %s: ", what.contact, keys[drilling]);
    PC_TRY(status);
    what.drilling = drilling;
    take_geometry(kind, def, &what);
    PC_TRY(add(r, &what, keys[drilling]));
  }
  return PC_OK;
}
