"""Public C functions that the package does not use, each with its reason. A test compares with the headers."""

LEFT_OUT = {
    "pc_version": "percuss.version() is the text, pc_version_text",
    "pc_model_read": "pc_model_read_extended without an extension is the same",
    "pc_model_read_text": "pc_model_read_text_extended without an extension is the same",
    "pc_sim_step": "Simulation.step shows the state to the recording, too: pc_sim_run_steps",
    "pc_list_violations": "lists the laws of a system before a run; Simulation.violations has them with their values",
    "pc_observe_event": "of a step that an observer sees; Simulation.events and Result.impacts have the events of a run",
    "pc_result_path": "Result.path is what it was opened with",
    "pc_system_output": "evaluates an output outside a simulation; Simulation[...] and results have its values",
    "pc_system_output_period": "belongs to pc_system_output",
}
