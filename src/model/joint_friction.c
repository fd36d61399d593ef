/* Friction in joints, as elements made of formulas.
 *
 * A mass of its own rests on a floor under the weight N = bound: a contact with the friction
 * coefficient 1, whose sliding velocity is the rate of the joint. Its percussion is N dt in every
 * step, so that friction in the joint is bounded by N, and holds exactly where it sticks.
 * Stribeck's curve, N_k + (N - N_k) exp(-(v/v_s)^2), is the bound N less a force along the motion
 * that vanishes at rest with its first derivative. The part of N that the joint's own load gives is
 * that of the last step, held for this one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/friction.h"
#include "model/held.h"
#include "model/makers.h"
#include "model/sections.h"

typedef struct making {
  const pc_joint_friction_def* def;
  const pc_node* place;
  pc_joint_coordinate coordinate;
  pc_held_contact contact;
  int load; /* the coordinate that holds the joint's force; -1: friction does not depend on it */
} making;

/* formula + factor load, for the static or the kinetic bound. */
static pc_status parse_bound(pc_maker* m, const making* what, const pc_node* formula, double mu,
                             pc_expr* bound)
{
  const pc_joint_friction_def* d = what->def;
  pc_pool* pool = m->pool;
  *bound = pc_expr_number(pool, 0);
  if (formula) PC_TRY(pc_maker_parse_force(m, formula, bound));
  if (what->load < 0) return PC_OK;
  double arm = what->coordinate == PC_COORDINATE_ANGLE ? d->radius : 1;
  pc_expr load = m->v.get(&m->v, pool, (pc_part_quantity){what->load, 0, 0});
  *bound =
      pc_expr_of(pool, *bound, '+', pc_expr_of(pool, pc_expr_number(pool, mu * arm), '*', load));
  return PC_OK;
}

static pc_status fill(pc_maker* m, void* user)
{
  making* what = user;
  const pc_joint_friction_def* d = what->def;
  pc_pool* pool = m->pool;
  pc_joint_view view;
  pc_expr bound = 0, kinetic = 0;
  PC_TRY(pc_view_joint(m, d->joint, what->place, &view));
  PC_TRY(parse_bound(m, what, d->bound, d->mu, &bound));
  pc_expr rate = pc_coordinate_rate(pool, &view, what->coordinate);
  pc_fill_held_contact(m, &what->contact, bound, what->coordinate == PC_COORDINATE_ANGLE, 1, &rate);
  if (!(d->stribeck > 0)) return PC_OK;
  double mu = isnan(d->mu_kinetic) ? d->mu : d->mu_kinetic;
  PC_TRY(parse_bound(m, what, d->kinetic ? d->kinetic : d->bound, mu, &kinetic));
  pc_expr drop = pc_expr_stribeck(pool, rate, d->stribeck);
  pc_maker_add_joint_force(m, &view, what->coordinate,
                           pc_expr_of(pool, pc_expr_of(pool, bound, '-', kinetic), '*', drop));
  return PC_OK;
}

static pc_status check(const pc_reader* r, const making* what)
{
  const pc_joint_friction_def* d = what->def;
  int loaded = !isnan(d->mu), drops = d->kinetic || !isnan(d->mu_kinetic);
  const char* wrong = NULL;
  if (!d->bound && !loaded)
    wrong = "expected 'bound', 'mu' or both";
  else if (drops != (d->stribeck > 0))
    wrong = "'stribeck' and 'kinetic' or 'mu_kinetic' need each other";
  else if (!loaded && !isnan(d->mu_kinetic))
    wrong = "'mu_kinetic' needs 'mu'";
  else if (loaded && what->coordinate == PC_COORDINATE_ANGLE && isnan(d->radius))
    wrong = "with an angle, 'mu' needs 'radius', that of the bearing";
  if (!wrong) return PC_OK;
  return pc_fail_at(r->error, what->place, "joint-friction '%s': %s", d->name, wrong);
}

static pc_status hold_load(pc_reader* r, making* what)
{
  char name[128];
  what->load = -1;
  if (isnan(what->def->mu)) return PC_OK;
  snprintf(name, sizeof name, "%.100s.force", r->joints.entry[what->def->joint].name);
  return pc_held_load(r, name, what->place, &what->load);
}

pc_status pc_make_joint_friction(pc_reader* r, const pc_any_def* def, const pc_node* place,
                                 const pc_node* fields)
{
  making what = {.def = &def->joint_friction, .place = place};
  const pc_node* word = what.def->coordinate;
  (void)fields;
  PC_TRY(pc_choose_coordinate(r, what.def->joint,
                              word && word->kind == PC_NODE_SCALAR ? word->text : NULL, place,
                              &what.coordinate));
  PC_TRY(check(r, &what));
  PC_TRY(pc_claim_name(r, def->name, place, "force"));
  PC_TRY(hold_load(r, &what));
  PC_TRY(pc_begin_held_contact(r, def->name, place, &what.contact));
  return pc_make_friction(r, "joint-friction", def->name, place, fill, &what);
}
