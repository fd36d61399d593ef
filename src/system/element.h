/* What an element is: the one interface between the mechanics and everything else.
 *
 * An element sees a few parts. It is evaluated on *local* coordinates: those of its parts, one
 * part after the other, as one contiguous q and u. What it writes is local too: the system gathers
 * before and scatters after. So an element knows neither its place in the system nor a scheme.
 *
 * Its rows are ordered: n_g position constraints, n_gamma velocity constraints, then for each of
 * its contacts one normal row and `dimension` friction rows. The velocity of row r is
 *     y_r' = W_r(t,q) . u + chi_r(t,q),
 * and for position and normal rows y_r is g or g_N, so that W_r = B' dy_r/dq and chi_r = dy_r/dt
 * (+ dy_r/dq beta). */
#ifndef PC_SYSTEM_ELEMENT_H
#define PC_SYSTEM_ELEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/export.h"
#include "linalg/row.h"
#include "percuss/elements.h"
#include "percuss/shape.h"
#include "percuss/system.h"

/* Terms that can be asked for, as a mask. Local sizes, matrices row-major: */
typedef enum pc_term {
  PC_TERM_M = 1 << 0,    /* M        n_u x n_u, symmetric                               */
  PC_TERM_MA_Q = 1 << 1, /* Ma_q     n_u x n_q    d(M a)/dq at the given a              */
  PC_TERM_H = 1 << 2,    /* h        n_u                                                */
  PC_TERM_H_Q = 1 << 3,  /* h_q      n_u x n_q                                          */
  PC_TERM_H_U = 1 << 4,  /* h_u      n_u x n_u                                          */
  PC_TERM_Y = 1 << 5,    /* y        rows         g and g_N                             */
  PC_TERM_W = 1 << 6,    /* W, chi   rows x n_u, rows                                   */
  PC_TERM_W_Q =
      1 << 7, /* W_q, chi_q, W_t, zeta_t  rows x n_u x n_q, rows x n_q, rows x n_u, rows */
  PC_TERM_ENERGY = 1 << 8, /* energy   3            kinetic, potential, power of time     */
  PC_TERM_F = 1 << 9,      /* f        n_u          the part of h that no energy accounts for */
  PC_TERM_ZETA = 1 << 10,  /* zeta of pc_terms, made of W_Q: asked for together with it   */
  PC_TERM_ALL = (1 << 11) - 1,
  PC_TERM_SLIP_Q = 1 << 11, /* W_Q, but only of elements with rows of velocity level */
  PC_TERM_CHI = 1 << 12,    /* provided only: chi, which comes with W, can differ from zero */
  PC_TERM_P = 1 << 13,      /* p        n_u          momentum dT/du, see below            */
  PC_TERM_P_Q = 1 << 14,    /* p_q      n_u x n_q    dp/dq                                */
  PC_TERM_LATER = 1 << 15   /* asked only: derivatives may be left for later, see pc_terms_create */
} pc_term;

/* The terms that are derivatives. */
#define PC_TERM_SLOPES (PC_TERM_MA_Q | PC_TERM_H_Q | PC_TERM_H_U | PC_TERM_P_Q | PC_TERM_W_Q)

/* Momentum form. Where p is asked for, an element that provides it gives h as the force of p' = h,
 * which is d(T - V)/dq + F, with its derivatives h_q and h_u. An element that has mass and does not
 * provide p has a constant M, p = M u, and there both forms are the same. */

/* Sines and cosines of angles that were met last: the joints and contacts of a body ask for those
 * of the same angle one after the other. The place of an angle follows from its bits. */
enum { PC_TURNS = 8 };

typedef struct pc_turns {
  struct {
    uint64_t angle; /* its bits */
    double sine, cosine;
  } of[PC_TURNS];
} pc_turns;

/* One evaluation. The element fills every term whose pointer is not NULL. All matrices start as
 * zero when they are created and belong to this element alone, so an entry that an element never
 * writes stays zero. `h`, `f`, `p` and `energy` arrive as zero for each evaluation. */
typedef struct pc_local {
  double t;
  const double* q;
  const double* u; /* always valid, even where no velocity matters */
  const double* a; /* only with Ma_q */

  double* M;
  double* Ma_q;
  double* h;
  double* h_q;
  double* h_u;
  double* y;
  double* W;
  double* chi;
  double* W_q;
  double* chi_q;  /* d chi/dq */
  double* W_t;    /* dW/dt of explicit time */
  double* zeta_t; /* the part of y'' that comes from explicit time: (dW/dt) . u + d chi/dt */
  double* energy; /* T, V, and d(V - T)/dt of explicit time: the power of what moves a potential */
  double* f;      /* damping, applied forces: what does work that T + V does not know of */
  double* p;      /* momentum; if it is asked for, h, h_q, h_u are those of p' = h */
  double* p_q;
  int momentum; /* whether p is a term of the mask */

  void* work;      /* what `prepare` made, or NULL */
  pc_turns* turns; /* of one thread, or NULL */
} pc_local;

/* Finite elements side by side: cell c couples the local velocities from c * stride on, `width` of
 * them, and their coordinates, and nothing else is coupled. The matrices M, Ma_q, h_q, h_u of such
 * an element are those of its cells, one after the other, so that their size grows with the number
 * of cells and not with its square. Where q' = B u, a cell is made of whole parts: each is a
 * node. */
typedef struct pc_cells {
  int count;  /* 0: no cells, matrices are n_u x n_q and so on as listed above */
  int stride; /* over velocities */
  int width;
} pc_cells;

typedef struct pc_element_ops {
  const char* kind; /* "revolute", "disc-plane", ... */

  void (*evaluate)(const void* data, pc_local* l);

  /* The terms of PC_TERM_SLOPES, which `evaluate` leaves where `prepare` had PC_TERM_LATER in its
   * mask: at the point of the last evaluation with the same `work`. NULL: it leaves nothing. */
  void (*evaluate_slopes)(const void* data, pc_local* l);

  /* Of a found contact: y and W alone, either of which may be NULL, from the coordinates of its
   * parts: those of the second part are at `second`, or behind those of the first if that is
   * NULL. */
  void (*evaluate_rows)(const void* data, const double* q, const double* second, double* y,
                        double* W);

  /* Of a found contact: its law; the name is that of one of its shapes. */
  pc_contact_law (*law)(const void* data);

  /* It computes all terms of a mask, whichever are asked for: nothing is gained if some are left
   * for later. */
  int evaluates_all;

  /* A lower bound of the gaps at l->q, from what evaluations with the same `work` have found
   * nearby; negative where it is not known. It must cost far less than an evaluation. NULL: there
   * is none. */
  double (*least_gap)(const void* data, const pc_local* l);

  /* Scratch for the evaluations of one mask, made once (may be NULL). The element itself is const
   * and shared by threads; what it needs to write while it evaluates lives here. */
  pc_status (*prepare)(const void* data, unsigned mask, void** work);
  void (*release)(void* work);

  /* Releases the data; NULL: `free`. */
  void (*destroy)(void* data);

  /* Fills in the geometry, but for name and contact; NULL: there is none to draw. A point's part is
   * PC_GROUND or anything else: the system puts the element's parts in, in their order. */
  void (*shape)(const void* data, pc_shape* shape);
} pc_element_ops;

/* An element as it is added. Names and laws are copied. */
typedef struct pc_element_def {
  const pc_element_ops* ops;
  void* data; /* owned by the system from the call on, whether it succeeds or not */
  const char* name;
  int part_count;
  const pc_part_id* part; /* PC_GROUND entries are dropped: they have no coordinates */
  pc_cells cells;         /* only with parts in one run, and with q' = u or all of them alike */
  int g_count;
  int gamma_count;
  int contact_count;
  const pc_contact_law* contact;
  const int* contact_dimension; /* friction rows of each contact */
  /* Names of the g_count + gamma_count constraint rows; NULL: the element's name, numbered where
   * there are several. */
  const char* const* constraint_name;
  /* bit r: row r of the element, constraints first, then its contacts, is an angle, not a length
   * (for units) */
  unsigned angular;
  unsigned provides; /* terms that can differ from zero; rows imply Y, W, W_Q */
  unsigned constant; /* terms that never change: M of a rigid body, h_q of a spring ... */
  int diagonal_M;    /* M never changes and has nothing off its diagonal */
} pc_element_def;

/* Adds an element. `def->data` is destroyed if it is refused. */
pc_status pc_system_add_element(pc_system* system, const pc_element_def* def, pc_error* error);

/* q (n_q) after the increment d (n_u) from q_0, over dt from t on: see pc_system_retract. */
typedef void pc_retract(const void* user, double t, double dt, const double* q_0, const double* d,
                        double* q);

/* A part: an owner of coordinates, with the names of its quantities. */
typedef struct pc_part_def {
  const char* name;
  int kind; /* PC_PART_*: what geometry may be attached to it */
  int q_count;
  int u_count;
  const double* q0;
  const double* u0;
  const char* const* q_name; /* full names of quantities */
  const char* const* u_name;
  const char* const* q_unit; /* static storage */
  const char* const* u_unit;
  pc_kinematics kinematics; /* NULL functions: q' = u */
  pc_retract* retract;      /* may be NULL; only with kinematics */
  const void* user;         /* for the kinematics */
  int chain;                /* how many of the parts added next belong to the same chain of nodes */
} pc_part_def;

PC_SIBLING_API pc_status pc_system_add_part(pc_system* system, const pc_part_def* def,
                                            pc_part_id* id, pc_error* error);

/* Some coordinates of a part (with q' = u) as a part of their own, to which elements can attach
 * without seeing the others: a node of a bar. It adds no coordinates and no quantities. Asked for
 * the second time, it is the same. */
typedef struct pc_window_def {
  pc_part_id part;
  int first, count; /* within that part */
  int kind;         /* PC_PART_* of the window */
  const char* name;
} pc_window_def;

pc_status pc_system_add_window(pc_system* system, const pc_window_def* def, pc_part_id* id,
                               pc_error* error);

/* What a module below keeps with a system, which does not know what it is: shapes and materials of
 * src/collide. */
typedef struct pc_attachment {
  void* data; /* owned by the system; NULL: nothing */
  void (*destroy)(void* data);
  pc_status (*freeze)(void* data, const pc_system* system, pc_error* error);
  /* reach[i], by the index of a part, becomes at least how far its shapes extend from its centre
   * [m] */
  void (*widen)(const void* data, double* reach);
  /* The radius of the largest ball in the smaller shape of a found contact, by the data of its
   * element, or nearly so [m] */
  double (*inner)(const void* data, const void* contact);
} pc_attachment;

/* Only for a system that is open; it has no such attachment yet. */
pc_status pc_system_attach_shapes(pc_system* system, const pc_attachment* shapes, pc_error* error);
const pc_attachment* pc_system_shapes(const pc_system* system);

/* An error if nothing can be added to the system any more. */
pc_status pc_system_check_open(const pc_system* system, pc_error* error);

/* What an element needs to know about the system while it is being added. */
typedef struct pc_part {
  char* name;
  int kind;
  int q_first, q_count;
  int u_first, u_count;
  pc_kinematics kinematics;
  pc_retract* retract;
  const void* user;
  int within; /* index of the part whose coordinates these are, or -1: it has its own */
  int chain;  /* parts that follow it in a chain of nodes */
} pc_part;

/* The part of an id, or NULL for PC_GROUND. An id out of range is reported as an error. */
PC_SIBLING_API pc_status pc_system_part(const pc_system* system, pc_part_id id,
                                        const pc_part** part, pc_error* error);

#endif
