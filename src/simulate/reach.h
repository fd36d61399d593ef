/* How large the bodies of a system are, from the geometry of their joints, contacts and shapes. */
#ifndef PC_SIMULATE_REACH_H
#define PC_SIMULATE_REACH_H

#include "percuss/system.h"

/* reach (as many as parts, zeros): how far the geometry of each body extends from its centre [m];
 * stays 0 where none is known. */
void pc_find_reaches(const pc_system* system, double* reach);

/* The size of the smallest of some bodies [m], PC_GROUND left out; infinity where none is known. */
double pc_body_size(const double* reach, const int* part, int count);

#endif
