/* Errors of runs against a finer run, or against the exact motion of the model file. */
#include <math.h>

#include "reproduce/item_runs.h"
#include "reproduce/measure.h"
#include "study/exact_reference.h"

static double error_against_exact(const run_data* run, const item_check* c)
{
  states exact = {0};
  double error = NAN;
  if (make_exact_states(run->model, &run->job.states, &exact, NULL) == PC_OK)
    error = measure_error(run->job.def.system, &run->job.states, &exact, c->norm, c->part);
  free_states(&exact);
  return error;
}

double error_of_run(const item_data* data, const item_check* c)
{
  const run_data *run = data->run[c->run], *reference = data->run[c->reference];
  if (run->job.status != PC_OK || !run->job.states.count) return NAN;
  if (c->reference == 0) return error_against_exact(run, c);
  if (reference->job.status != PC_OK || !reference->job.states.count) return NAN;
  return measure_error(run->job.def.system, &run->job.states, &reference->job.states, c->norm,
                       c->part);
}
