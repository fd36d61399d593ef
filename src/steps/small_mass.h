/* A tolerance that is a momentum [N s] may be all that a step brings to a body of a milligram. Bodies
 * lighter than this [kg] are measured as if they had it: their velocities are as good as its own. */
#ifndef PC_STEPS_SMALL_MASS_H
#define PC_STEPS_SMALL_MASS_H

#define PC_SMALL_MASS 1e-3

#endif
