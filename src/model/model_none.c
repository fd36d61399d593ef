/* Holds the place of the library until the reader of model files is there. */
extern int pc_model_place;
int pc_model_place;
