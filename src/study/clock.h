/* The time that passes, for progress and costs. */
#ifndef PC_STUDY_CLOCK_H
#define PC_STUDY_CLOCK_H

/* Wall clock [s], monotonic. */
double wall_clock(void);

#endif
