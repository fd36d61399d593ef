"""Public C functions that the package does not use, each with its reason. A test compares with the headers."""

LEFT_OUT = {
    "pc_version": "percuss.version() is the text, pc_version_text",
    "pc_model_read": "pc_model_read_extended without an extension is the same",
    "pc_model_read_text": "pc_model_read_text_extended without an extension is the same",
    "pc_set_setting": "pc_set_given sets several at once, and refuses those that have no effect beside others",
    "pc_scheme_reads": "percuss.settings() has the schemes that read each setting",
    "pc_sim_step": "Simulation.step shows the state to the recording, too: pc_sim_run_steps",
    "pc_list_violations": "lists the laws of a system before a run; Simulation.violations has them with their values",
    "pc_observe_event": "of a step that an observer sees; Simulation.events and Result.impacts have the events of a run",
    **dict.fromkeys(("pc_found_event_count", "pc_observe_found_event"), "as pc_observe_event, of contacts between shapes"),
    "pc_contact_key_compare": "numpy sorts keys: np.lexsort over feature and shape",
    "pc_result_every": "slices of numpy do it: values[::n]",
    "pc_result_path": "Result.path is what it was opened with",
    **dict.fromkeys(("pc_table_create", "pc_table_resume", "pc_table_append", "pc_table_flush", "pc_table_close"),
                    "tables are written by percuss sweep; what Python computes goes into files of numpy or pandas"),
    "pc_system_output": "evaluates an output outside a simulation; Simulation[...] and results have its values",
    **dict.fromkeys(("pc_add_held", "pc_hold_quantity", "pc_system_held_count"),
                    "model files hold quantities where formulas use loads or sample; a controller in Python holds what it likes"),
    "pc_system_output_period": "belongs to pc_system_output",
}
