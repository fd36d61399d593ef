/* Items: the numerical tables and the result figures of the five papers, as data: what to run, what
 * to draw, which numbers to compare with, and where these come from. Arrays end with an empty
 * element. */
#ifndef PC_REPRODUCE_ITEM_H
#define PC_REPRODUCE_ITEM_H

#include <stddef.h>

#include "draw/marks.h"
#include "study/convergence.h"

enum { ITEM_RUNS_MAX = 96, SERIES_NAMES_MAX = 8, SOURCE_SIZE = 96 };

/* A run of a model. Runs that are alike are done once, however many items want them. */
typedef struct item_run {
  const char* label; /* in legends */
  const char* model; /* NULL ends the array */
  const char* scheme;
  double dt, until;     /* [s] */
  const char* set;      /* "e=1 omega=50", or NULL */
  const char* settings; /* "theta=1 evaluation=trapezoid", or NULL */
  int compared;         /* its states are needed for errors */
  /* the choices that the paper does not print and that were made after their effect on its values
   * was seen; NULL: there are none */
  const char* fitted;
} item_run;

/* A number for each state of a run: a quantity, or a function of some. Beside the quantities
 * that the model records there are time, dt, energy.kinetic, energy.potential, energy.total;
 * `iterations` of the scheme's first phase; and of schemes with accelerations the largest
 * violation of joints at that level, `acceleration`, and the smooth forces of the first, second
 * and last row, lambda.first, lambda.second and lambda.last, which the initial state does not
 * have. "d/dt x" is the change of x over a step, divided by dt. */
typedef struct item_series {
  const char* of[SERIES_NAMES_MAX];
  double (*value)(const double* of); /* NULL: of[0] itself */
  double scale;                      /* of the value; 0 means 1. To draw mm and ms: 1000 */
} item_series;

typedef struct item_data item_data;
typedef struct item_check item_check;

/* What comes out of the runs of an item; NAN: nothing. */
typedef double item_measure(const item_data* data, const item_check* check);

/* Where an expected value comes from: five kinds that are not worth the same. */
typedef enum reference_kind {
  NO_KIND,   /* left out, which is an error */
  PUBLISHED, /* the paper prints this number */
  FITTED,    /* the paper prints or says it, and a run was fitted to it: never given, see kind_of */
  /* another implementation gives it: of the same scheme with the same step, or of the equations */
  INDEPENDENT,
  EXACT, /* a closed solution, or what follows by hand from the scheme's equations */
  WORDS, /* the paper says it in words; the threshold is ours */
  KIND_COUNT
} reference_kind;

/* "published", "fitted", "independent", "exact", "words" */
const char* kind_name(reference_kind kind);

typedef enum relation {
  NEAR,  /* |ours - expected| <= tolerance */
  BELOW, /* ours <= expected */
  ABOVE  /* ours >= expected */
} relation;

/* An expected value and how ours is measured. */
struct item_check {
  const char* what; /* with its unit; NULL ends the array */
  const char* says; /* the paper's words, or how the value was derived; NULL: nothing to add */
  reference_kind kind;
  relation relation;
  double expected, tolerance;
  item_measure* ours;
  int run, last;      /* of the item's runs: one, or the first and last of several */
  item_series of;     /* what is measured */
  double from, to;    /* the times to look at [s], or values of `over`; both 0: all */
  item_series over;   /* of nothing: the time */
  double level;       /* to be reached */
  int n;              /* the n-th of something */
  const char* phase;  /* of a scheme's iterations */
  item_measure* each; /* of each run, where several are looked at */
  int reference;      /* the run that errors are measured against; 0: the model's exact motion */
  norm norm;          /* of errors, and what is compared */
  part part;
  const char* why; /* the reason, if it differs */
  int is_note;     /* an experiment beside a reason: shown, not judged */
};

typedef struct item_curve {
  const char* label; /* NULL: that of its run */
  int run;
  item_series x, y; /* x of nothing: the time */
  curve_style style;
  int is_difference; /* y minus the y of run `minus` at the same times */
  int minus;
  item_series minus_x,
      minus_y; /* what these are in the other run; x of nothing: at the same times; y: the same */
  const item_check* scan; /* instead: a measure of several runs over their dt */
} item_curve;

/* The curves of a panel. */
#define CURVES(...)             \
  .curve = (const item_curve[]) \
  {                             \
    __VA_ARGS__,                \
    {                           \
      0                         \
    }                           \
  }

enum { WALLS_MAX = 3, SLOPES_MAX = 4 };

typedef struct item_panel {
  const char* title;        /* "" */
  const char* x_label;      /* with its unit */
  const char* y_label;      /* NULL ends the array */
  double x[2], y[2];        /* ranges; both 0: what there is. What leaves that of y is said */
  int logarithmic;          /* both axes */
  double period;            /* of an angle that jumps: no line across half of it; 0: none */
  double slope[SLOPES_MAX]; /* of triangles in a logarithmic panel; 0 ends them */
  double wall[WALLS_MAX];   /* heights of dashed lines: walls, exact values */
  int wall_count;
  const item_curve* curve; /* ended by one without y and scan */
} item_panel;

typedef struct item {
  const char* name;  /* "acary-table3"; NULL ends the array */
  const char* title; /* a line */
  const char* note;  /* what the paper leaves open and what was taken; "" */
  int columns;       /* of panels */
  const item_run* run;
  const item_panel* panel;
  const item_check* check;
  const char* source; /* "Section 6.4.2" where the name does not tell; else NULL */
} item;

/* Whether a check looks at a run of its item. */
int check_covers(const item_check* c, int run);

/* What was fitted of the runs that a check looks at; NULL: nothing. */
const char* fitted_of(const item* one, const item_check* c);

/* The kind of a check. What the paper prints or says is fitted where a run was; what another
 * implementation gives with the settings of the run, or what follows from them, is not. */
reference_kind kind_of(const item* one, const item_check* c);

/* Where it is in the literature: "Acary, Fig. 26". */
void item_source(const item* one, char* text, size_t size);

#endif
