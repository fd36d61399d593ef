/* Where model files are: a path as it is, or the name of one that comes with percuss. */
#ifndef PC_STUDY_MODELS_H
#define PC_STUDY_MODELS_H

#include <stddef.h>

#include "study/suggest.h"

/* The folder of the models that come with percuss: ./models, or beside the program. 0 if none. */
int model_folder(char* path, size_t size);

/* The file of a MODEL argument: the argument itself if there is such a file or it looks like a
 * path, else NAME.yaml in the folder. */
void model_path(const char* argument, char* path, size_t size);

/* Whether the argument is the name of neither a file nor a model that comes with percuss, with the
 * name nearest to it. What looks like a path is left to those who open it. */
int is_unknown_model(const char* argument, suggestion* near);

#endif
