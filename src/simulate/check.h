/* The inside of pc_check: one file per question, all of them on one state of knowledge. */
#ifndef PC_SIMULATE_CHECK_H
#define PC_SIMULATE_CHECK_H

#include "percuss/check.h"
#include "steps/consistent_start.h"

typedef struct pc_checking {
  const pc_system* system;
  const pc_scheme_settings* settings; /* may be NULL */
  double until;                       /* may be NAN */
  int quick;                          /* not 0: no more than a run can wait for */
  int bilateral_count;
  const double* q; /* the initial values */
  const double* u;
  pc_consistent_start* start; /* terms, factorised M, eliminated joints */
  const pc_terms* terms;      /* of `start` */
  double* a;                  /* n_u: initial accelerations; the report's */
  double* work;               /* n_u */
  double* lambda;             /* rows: initial forces */
  int* owner;                 /* bilateral rows: index of the joint in the report */
  unsigned char* redundant;   /* bilateral rows: it follows from those before it */
  const char* vibration;      /* what the limit of the vibrations is called */
  double size;                /* of the system: its largest coordinate that is no angle [m] */
  pc_check_report* report;
  pc_error* error;
} pc_checking;

/* A violation of position level counts from this share of the system's size on. */
#define PC_POSITION_SHARE 1e-8

/* The largest coordinate of a system that is no angle [m]; 1 where all are zero. */
double pc_check_size(const pc_system* system);

/* Lists the joints; rank, dof, redundant rows. */
pc_status pc_check_rank(pc_checking* c);

/* A rate below this is not a time scale but round-off [1/s]. */
#define PC_RATE_MIN 1e-6

/* rate_max, dt_explicit and dt_vibration of the report; what limits the latter. */
pc_status pc_check_vibration(pc_checking* c);

/* A sensible dt from the time scales of the system. */
pc_status pc_check_dt(pc_checking* c);

/* A scheme for the system, with the reason. */
void pc_check_scheme(pc_checking* c);

/* Whether there are bars or beams. */
int pc_check_has_elements(const pc_system* system);

/* What is found between the shapes of a system; the list of overlaps is to be freed. */
pc_status pc_check_shapes(const pc_system* system, const pc_scheme_settings* settings,
                          pc_check_found* found, pc_error* error);

/* A warning about convex hulls that stand for concave surfaces; 0: there are none. */
int pc_check_describe_hulls(const pc_system* system, pc_warning* warning);

/* A warning about overlaps; 0: there are none. */
int pc_check_describe_overlap(const pc_system* system, const pc_check_found* found,
                              pc_warning* warning);

/* Whether there is friction between shapes that may touch. */
int pc_check_found_friction(const pc_system* system);

/* The whole examination; `quick` as above. */
pc_status pc_check_system(const pc_system* system, const pc_scheme_settings* settings, double until,
                          int quick, pc_check_report* report, pc_error* error);

/* The remarks on the model, the initial values and the settings. */
pc_status pc_check_warnings(pc_checking* c);

#endif
