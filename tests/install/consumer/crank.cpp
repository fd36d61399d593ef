// Reads the model file named on the command line and runs it; prints the angle of the slider.
#include <percuss/percuss.h>

#include <cstdio>
#include <memory>

int main(int argc, char** argv)
{
  if (argc != 2) return 2;
  pc_error error = {};
  pc_model* read = nullptr;
  if (pc_model_read(argv[1], nullptr, 0, &read, &error) != PC_OK) {
    std::fprintf(stderr, "%s:%d: %s\n", argv[1], error.line, error.text);
    return 3;
  }
  std::unique_ptr<pc_model, void (*)(pc_model*)> model(read, pc_model_destroy);
  pc_sim_def def = {pc_model_system(read), pc_model_scheme(read), pc_model_settings(read)};
  pc_sim* made = nullptr;
  if (pc_sim_create(&def, &made, &error) != PC_OK) return 1;
  std::unique_ptr<pc_sim, void (*)(pc_sim*)> sim(made, pc_sim_destroy);
  if (pc_sim_run(made, pc_model_until(read), &error) != PC_OK) return 1;
  int angle = pc_system_find_quantity(def.system, "slider.angle");
  std::printf("%.17g\n", pc_observe_quantity(pc_sim_observation(made), angle));
  return 0;
}
