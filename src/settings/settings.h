/* The settings of schemes: keys, what is allowed, which scheme reads which, and which exclude each
 * other. Here is what the library itself asks for; the public part is percuss/scheme.h. */
#ifndef PC_SETTINGS_SETTINGS_H
#define PC_SETTINGS_SETTINGS_H

#include "percuss/scheme.h"

/* Checks the settings that all schemes share, and those that their scheme reads. */
pc_status pc_check_settings(const pc_scheme_settings* settings, pc_error* error);

#endif
