/* A scheme for the system at hand. The rules are those of docs/choosing-a-scheme.md, where they are
 * measured. */
#include <math.h>

#include "simulate/check.h"

enum { MANY_CONTACTS = 100 }; /* from here on the contact problem is what a step costs */

typedef struct recommendation {
  const char *scheme, *reason;
} recommendation;

/* Whether something vibrates faster than the step resolves: then schemes that take forces at given
 * positions are unstable. */
static int is_stiff(const pc_checking* c)
{
  double dt = c->settings ? c->settings->dt : c->report->step.dt;
  return dt > c->report->step.positions_limit;
}

static int has_friction(const pc_system* system)
{
  for (int k = 0; k < pc_system_contact_count(system); k++)
    if (pc_system_contact(system, k).dimension > 0) return 1;
  return pc_check_found_friction(system);
}

/* Listed ones, and between shapes about as many as there are shapes, or those that are closed. */
static int contact_count(const pc_checking* c)
{
  const pc_check_found* found = &c->report->found;
  int between = found->closed_count > found->shape_count ? found->closed_count : found->shape_count;
  return c->report->contact_count + between;
}

static recommendation for_smooth_motion(int stiff)
{
  if (stiff)
    return (recommendation){
        "generalized-alpha",
        "there is no contact, and vibrations faster than dt: it is implicit, of second "
        "order, and damps what it cannot resolve"};
  return (recommendation){"lobatto",
                          "there is no contact: its order is 2s - 2 with s stages, joints hold at "
                          "position and velocity level"};
}

static recommendation for_contact(const pc_checking* c, int stiff)
{
  int many = contact_count(c) >= MANY_CONTACTS, joints = c->report->joint_count > 0;
  if (many && !joints)
    return (recommendation){
        "moreau-jean",
        "there are many contacts and no joints: one contact problem a step, and "
        "impacts make every scheme one of first order"};
  if (many)
    return (recommendation){
        "combined-projection",
        "there are many contacts, and joints: the contact problem of moreau-jean, "
        "without penetration and drift"};
  if (stiff && !has_friction(c->system))
    return (recommendation){
        "generalized-alpha",
        "vibrations are faster than dt: it is implicit and damps what it cannot "
        "resolve, without penetration"};
  if (stiff)
    return (recommendation){
        "moreau-jean",
        "vibrations are faster than dt, and there is friction: it is implicit and "
        "robust; theta above 0.5 damps what it cannot resolve"};
  return (recommendation){
      "rattle",
      "there are few contacts: no penetration, joints hold, second order while contacts "
      "stay closed"};
}

void pc_check_scheme(pc_checking* c)
{
  int stiff = is_stiff(c) || pc_check_has_elements(c->system);
  recommendation r = contact_count(c) ? for_contact(c, stiff) : for_smooth_motion(stiff);
  c->report->scheme = r.scheme;
  c->report->scheme_reason = r.reason;
}
