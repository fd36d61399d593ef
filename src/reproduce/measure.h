/* Measures: numbers that come out of the runs of an item. Those of a series look at the states from
 * `from` to `to`. */
#ifndef PC_REPRODUCE_MEASURE_H
#define PC_REPRODUCE_MEASURE_H

#include "reproduce/item.h"

/* Of a series. */
item_measure largest, smallest, largest_size, mean, final_value;
item_measure spread;          /* largest minus smallest */
item_measure value_at;        /* in the state nearest to `from` */
item_measure value_where;     /* where `over` first comes up to `level`, linear in between */
item_measure total_variation; /* sum of |x_{k+1} - x_k| */
item_measure depth;           /* the lowest below 0, as a positive number */
item_measure sign_changes;
item_measure turns;        /* how often it goes up after it went down, or down after up */
item_measure nth_impact;   /* when it is positive after it was negative, the n-th time [s] */
item_measure lost_share;   /* (first - last) / first */
item_measure largest_rise; /* in a step */
item_measure time_of_largest;
item_measure time_reached; /* when it first comes up to `level`, linear in between [s] */

item_measure last_above;     /* the last time at which its size is above `level` [s] */
item_measure time_below;     /* how long it is at most `level` [s] */
item_measure longest_within; /* how long its size is at most `level` without a break [s] */

/* Of a percussion. */
item_measure closing_time;   /* when it becomes positive for the n-th time, from 1 [s] */
item_measure total;          /* its sum */
item_measure first_positive; /* its first value above 0 */
item_measure closing_count;  /* how often it does */
item_measure last_open;      /* the last time at which it is zero [s] */
item_measure contact_span; /* from its first closing until it is last positive, a step longer [s] */
item_measure contact_time; /* how long it is positive [s] */

/* Of a ball on a line, coordinate q, theta = 1/2: the largest multiplier of the projection, which
 * is what q_{k+1} - q_k is more than dt (v_k + v_{k+1})/2. */
item_measure largest_tau;

/* Of the run's summary. */
item_measure penetration, iterations_avg, iterations_max;
item_measure inaccurate_steps; /* used although they miss their tolerance */
item_measure joint_violation, joint_velocity, joint_acceleration;

/* Of several runs, `run` to `last`. */
item_measure order;      /* of `each` over dt, by least squares */
item_measure difference; /* largest |difference| of the series in runs `run` and `last` */
item_measure ratio;      /* of `each` in `run` to that in `last` */
item_measure lead;       /* `each` in `run` minus that in `last` */

/* Of a run against its reference, see measure_error. */
item_measure error_of_run;

/* Of one check about one of its runs. */
double measure_run(const item_data* data, const item_check* check, int run);

#endif
