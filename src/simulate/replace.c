/* Going on with another system of the same layout: other parameters, other forces. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "linalg/copy.h"
#include "percuss/collide.h"
#include "simulate/sim.h"

/* What of a simulation depends on its system. */
typedef struct system_parts {
  const pc_system *system, *step_system;
  pc_finder* finder;
  pc_depths* depths;
  void* scheme;
  pc_terms* terms;
  pc_ledger ledger;
} system_parts;

static system_parts take_parts(pc_sim* s)
{
  system_parts parts = {s->system, s->step_system, s->finder, s->depths,
                        s->scheme, s->terms,       s->ledger};
  s->finder = NULL;
  s->depths = NULL;
  s->scheme = NULL;
  s->terms = NULL;
  s->ledger = (pc_ledger){0};
  return parts;
}

static void release_parts(const pc_sim* s, system_parts* parts)
{
  if (parts->scheme) s->ops->destroy(parts->scheme);
  pc_terms_destroy(parts->terms);
  pc_ledger_clear(&parts->ledger);
  pc_finder_destroy(parts->finder);
  pc_depths_destroy(parts->depths);
}

static void put_parts(pc_sim* s, const system_parts* parts)
{
  s->system = parts->system;
  s->step_system = parts->step_system;
  s->finder = parts->finder;
  s->depths = parts->depths;
  s->scheme = parts->scheme;
  s->terms = parts->terms;
  s->ledger = parts->ledger;
  s->friction.has_curves = pc_has_friction_curves(s->step_system);
}

static pc_status check_layout(const pc_sim* s, const pc_system* system, pc_error* error)
{
  static const struct {
    const char* what;
    int (*count)(const pc_system* system);
  } same[] = {{"coordinates", pc_system_q_count},       {"velocities", pc_system_u_count},
              {"position rows", pc_system_g_count},     {"velocity rows", pc_system_gamma_count},
              {"contacts", pc_system_contact_count},    {"rows", pc_system_row_count},
              {"outputs", pc_system_output_count},      {"shapes", pc_system_collider_count},
              {"held quantities", pc_system_held_count}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (same[i].count(system) != same[i].count(s->system))
      return pc_fail(error, PC_BAD_ARGUMENT, "the other system has %d %s, not %d",
                     same[i].count(system), same[i].what, same[i].count(s->system));
  if ((pc_system_provides(system) ^ pc_system_provides(s->system)) & PC_TERM_CHI)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "only one of the systems has constraints or contacts that move with time");
  return PC_OK;
}

/* The parts for another system, from the state on. */
static pc_status create_others(pc_sim* s, const pc_system* system, pc_error* error)
{
  s->system = system;
  PC_TRY(pc_sim_create_scheme(s, error));
  if (pc_sim_scheme_memory(s) != s->monitor - s->state.memory)
    return pc_fail(error, PC_BAD_ARGUMENT, "the scheme keeps other numbers for the other system");
  pc_sim_set_layout(s);
  PC_TRY(pc_sim_begin(s, error));
  s->info.step = s->state.step;
  return PC_OK;
}

/* Goes back to the parts before, which have worked at this state. */
static void take_back(pc_sim* s, const system_parts* old, const double* memory, long step)
{
  system_parts failed = take_parts(s);
  release_parts(s, &failed);
  put_parts(s, old);
  pc_copy(s->state.memory_count, memory, s->state.memory);
  if (s->finder) pc_sim_fit(s, NULL);
  pc_sim_look_at_start(s, NULL);
  s->info.step = step;
}

pc_status pc_sim_replace_system(pc_sim* s, const pc_system* system, pc_error* error)
{
  PC_TRY(pc_need(s, "sim", error));
  PC_TRY(pc_need(system, "system", error));
  PC_TRY(check_layout(s, system, error));
  double* memory = pc_alloc((size_t)s->state.memory_count, sizeof *memory);
  if (!memory) return pc_no_memory(error);
  pc_copy(s->state.memory_count, s->state.memory, memory);
  long step = s->info.step;
  system_parts old = take_parts(s);
  pc_status status = create_others(s, system, error);
  if (status == PC_OK)
    release_parts(s, &old);
  else
    take_back(s, &old, memory, step);
  free(memory);
  return status;
}
