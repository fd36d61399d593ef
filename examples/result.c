/* A model file is run and recorded, and the result read back.
 *
 *     cc result.c -lpercuss-io -lpercuss -lm && ./a.out MODEL.yaml RESULT.h5 */
#include <percuss/percuss.h>
#include <stdio.h>
#include <stdlib.h>

/* Runs the model as its `simulate:` section says; every step goes to the file. */
static pc_status record(const pc_model* model, const char* path, pc_error* error)
{
  pc_sim_def def = {pc_model_system(model), pc_model_scheme(model), pc_model_settings(model)};
  pc_sim* sim = NULL;
  pc_recorder* recorder = NULL;
  pc_status status = pc_sim_create(&def, &sim, error);
  if (status == PC_OK) {
    pc_recorder_def file = pc_default_recorder_def();
    file.path = path;
    file.system = def.system;
    file.model_text = pc_model_text(model);
    file.quantity = pc_model_record(model, &file.quantity_count);
    status = pc_recorder_create(&file, &recorder, error);
  }
  if (status == PC_OK) status = pc_sim_add_observer(sim, pc_recorder_observe, recorder, error);
  if (status == PC_OK) status = pc_sim_run(sim, pc_model_until(model), error);
  /* The file is complete when closing it succeeds. */
  pc_status closed = pc_recorder_close(recorder, status == PC_OK ? error : NULL);
  pc_sim_destroy(sim);
  return status != PC_OK ? status : closed;
}

/* The impacts with their percussions. */
static pc_status read_back(const char* path, pc_error* error)
{
  pc_result* result = NULL;
  pc_status status = pc_result_open(path, &result, error);
  if (status != PC_OK) return status;
  long rows = pc_result_length(result);
  int contacts = pc_result_contact_count(result), impacts = 0;
  double* time = malloc((size_t)rows * sizeof *time);
  double* P_N = malloc((size_t)rows * (size_t)contacts * sizeof *P_N);
  pc_impact* impact = NULL;
  status = time && P_N ? pc_result_read(result, 0, 0, rows, time, error) : PC_OUT_OF_MEMORY;
  if (status == PC_OK) status = pc_result_read_P_N(result, 0, rows, P_N, error);
  if (status == PC_OK) status = pc_result_impacts(result, &impact, &impacts, error);
  for (int i = 0; status == PC_OK && i < impacts; i++)
    printf("%.3f s: %s, %.5f N s\n", time[impact[i].row],
           pc_result_contact(result, impact[i].contact),
           P_N[impact[i].row * contacts + impact[i].contact]);
  free(impact);
  free(P_N);
  free(time);
  pc_result_close(result);
  return status;
}

int main(int argc, char** argv)
{
  if (argc != 3) {
    fputs("usage: result MODEL.yaml RESULT.h5\n", stderr);
    return 2;
  }
  pc_error error = {0};
  pc_model* model = NULL;
  pc_override slow = {"e", "0.2"}; /* as --set e=0.2 */
  pc_status status = pc_model_read(argv[1], &slow, 1, &model, &error);
  if (status == PC_OK) status = record(model, argv[2], &error);
  if (status == PC_OK) status = read_back(argv[2], &error);
  if (status != PC_OK && error.line)
    fprintf(stderr, "%s:%d:%d: %s\n", argv[1], error.line, error.column, error.text);
  else if (status != PC_OK)
    fprintf(stderr, "result: %s\n", error.text);
  pc_model_destroy(model);
  return status != PC_OK;
}
