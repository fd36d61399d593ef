#include "schemes/generalized_alpha/model.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "steps/restitution.h"
#include "system/terms.h"

/* In the order of pc_constraints. */
static const pc_alpha_form forms[] = {
    {"pva", PC_ALPHA_ACCELERATION, 1, 1, 0}, {"pvv", PC_ALPHA_SMOOTH_VELOCITY, 1, 1, 0},
    {"p", PC_ALPHA_POSITION, 0, 0, 0},       {"v", PC_ALPHA_VELOCITY, 0, 0, 0},
    {"pv", PC_ALPHA_VELOCITY, 1, 0, 0},      {"baumgarte", PC_ALPHA_BAUMGARTE, 0, 0, 0},
    {"ggl", PC_ALPHA_VELOCITY, 1, 0, 1}};

void pc_alpha_model_free(pc_alpha_model* m)
{
  free(m->contact);
  *m = (pc_alpha_model){0};
}

static void find_constants(pc_alpha_model* m)
{
  unsigned provides = pc_system_provides(m->system), constant = pc_system_constant(m->system);
  unsigned in_tangent = provides & (PC_TERM_M | PC_TERM_H_Q | PC_TERM_H_U);
  m->does_work = (provides & PC_TERM_F) != 0;
  m->constant_mass = (constant & PC_TERM_M) != 0;
  m->constant_rows = m->rows == 0 || (constant & PC_TERM_W);
  m->constant_forces = !(provides & (PC_TERM_H_Q | PC_TERM_H_U));
  m->constant_tangent = (constant & in_tangent) == in_tangent;
  m->has_restitution_above = pc_has_restitution_above(m->system, m->settings.restitution_above);
}

static pc_status refuse_contacts(const pc_alpha_model* m, pc_error* error)
{
  if (m->contacts == 0 || (m->form.position && m->form.velocity)) return PC_OK;
  return pc_fail(error, PC_BAD_ARGUMENT,
                 "--constraints %s has no impact law and is for systems without contact; '%s' is a "
                 "contact: use pva or pvv",
                 m->form.name, pc_system_contact(m->system, 0).name);
}

/* Strategy 1 takes the joints out of the smooth motion, and these forms have nothing else. */
static pc_status refuse_strategy(const pc_alpha_model* m, pc_error* error)
{
  if (m->settings.alpha.strategy > 1 || (m->form.position && m->form.velocity)) return PC_OK;
  return pc_fail(
      error, PC_BAD_ARGUMENT,
      "--strategy 1 holds joints by impulses alone, which --constraints %s does not have; "
      "use pva or pvv, or leave --strategy out",
      m->form.name);
}

static pc_status refuse_monolithic(const pc_alpha_model* m, pc_error* error)
{
  if (!m->form.ggl || !m->settings.alpha.monolithic) return PC_OK;
  return pc_fail(
      error, PC_BAD_ARGUMENT,
      "--constraints ggl corrects positions along the constraints at the start of the step, "
      "which --monolithic does not have: leave one of them out, or use pv");
}

static pc_status read_contacts(pc_alpha_model* m, pc_error* error)
{
  m->contact = pc_alloc((size_t)m->contacts, sizeof *m->contact);
  if (!m->contact) return pc_no_memory(error);
  for (int k = 0; k < m->contacts; k++) {
    m->contact[k] = pc_system_contact(m->system, k);
    if (m->settings.frictionless) m->contact[k].dimension = 0;
    m->has_friction |= m->contact[k].dimension > 0;
  }
  return PC_OK;
}

pc_status pc_alpha_model_create(pc_alpha_model* m, const pc_system* system,
                                const pc_scheme_settings* settings, pc_error* error)
{
  *m = (pc_alpha_model){.system = system,
                        .settings = *settings,
                        .form = forms[settings->alpha.constraints],
                        .n_q = pc_system_q_count(system),
                        .n_u = pc_system_u_count(system),
                        .rows = pc_system_row_count(system),
                        .g = pc_system_g_count(system),
                        .contacts = pc_system_contact_count(system)};
  m->bilateral = m->g + pc_system_gamma_count(system);
  find_constants(m);
  PC_TRY(pc_alpha_choose_coefficients(settings, &m->c, error));
  PC_TRY(refuse_contacts(m, error));
  PC_TRY(refuse_strategy(m, error));
  PC_TRY(refuse_monolithic(m, error));
  return read_contacts(m, error);
}
