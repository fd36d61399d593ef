#include "study/convergence_runs.h"

#include "study/exact_reference.h"

job* add_convergence_run(convergence_runs* r, double dt, double until)
{
  job* j = &r->jobs[r->job_count++];
  *j = (job){.def = r->def, .until = until, .keep_all = 1};
  j->def.settings.dt = dt;
  return j;
}

job* add_reference_run(convergence_runs* r, double dt)
{
  double end = (double)pc_step_count(dt, r->until) * dt;
  job* j = add_convergence_run(r, dt, end < r->until - 1e-6 * dt ? r->until + dt : r->until);
  j->grid = r->found.dt;
  j->grid_count = r->found.count;
  r->increments = 1;
  return j;
}

static void swap_jobs(job* a, job* b)
{
  job other = *a;
  *a = *b;
  *b = other;
}

int keep_finished(convergence_runs* r)
{
  convergence* f = &r->found;
  int asked = f->count, has_reference_run = r->job_count > asked;
  f->count = 0;
  for (int i = 0; i < asked; i++) {
    if (r->jobs[i].status != PC_OK) continue;
    f->dt[f->count] = f->dt[i];
    swap_jobs(&r->jobs[f->count++], &r->jobs[i]);
  }
  if (!has_reference_run) return f->count > 0;
  swap_jobs(&r->jobs[f->count], &r->jobs[asked]);
  return f->count > 0 && r->jobs[f->count].status == PC_OK;
}

static int is_wanted(const convergence_runs* r, part p)
{
  int paper = p == PART_P_N_PAPER || p == PART_P_F_PAPER;
  if (r->exact) return has_exact_part(r->model, p);
  if (paper && r->found.norm != NORM_RATTLE) return 0;
  if ((p == PART_P_N || p == PART_P_F) && !r->increments) return 0;
  return has_part(r->def.system, p);
}

/* The errors of one run. */
static pc_status measure_run(convergence_runs* r, int i, pc_error* error)
{
  convergence* f = &r->found;
  const states* run = &r->jobs[i].states;
  const states* reference = r->stored.count ? &r->stored : &r->jobs[f->count].states;
  states exact = {0};
  pc_status status = r->exact ? make_exact_states(r->model, run, &exact, error) : PC_OK;
  for (int p = 0; status == PC_OK && p < PART_COUNT; p++)
    if (f->present[p])
      f->error[p][i] =
          measure_error(r->def.system, run, r->exact ? &exact : reference, f->norm, (part)p);
  free_states(&exact);
  return status;
}

pc_status measure_convergence(convergence_runs* r, pc_error* error)
{
  convergence* f = &r->found;
  pc_status status = PC_OK;
  f->title = pc_model_title(r->model);
  for (int p = 0; p < PART_COUNT; p++) f->present[p] = is_wanted(r, (part)p);
  for (int i = 0; status == PC_OK && i < f->count; i++) status = measure_run(r, i, error);
  for (int p = 0; p < PART_COUNT; p++)
    if (f->present[p]) f->fit[p] = fit_order(f->dt, f->error[p], f->count);
  return status;
}

void free_convergence_runs(convergence_runs* r)
{
  for (int i = 0; i < r->job_count; i++) free_states(&r->jobs[i].states);
  free_states(&r->stored);
}
