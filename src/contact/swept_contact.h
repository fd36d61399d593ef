/* One contact of velocity_sweeps.h: its rows over the velocities of its two bodies, and what a
 * sweep does to it.
 *
 * Most contacts are between bodies in space with friction in a plane, one body and the ground or
 * two bodies, with F = G. These have kernels with loops of constant length, for processors that
 * take two numbers at a time and for those that take four. The order of all sums is written down in
 * both and is the same, so that the bits are. */
#ifndef PC_CONTACT_SWEPT_CONTACT_H
#define PC_CONTACT_SWEPT_CONTACT_H

#include <stddef.h>
#include <stdint.h>

#include "solve/contact.h"
#include "solve/local_contact.h"

enum {
  PC_SWEPT_WIDTH = 6,                 /* the most velocities of a body */
  PC_SWEPT_SPAN = 2 * PC_SWEPT_WIDTH, /* entries of a row over both bodies */
  PC_SWEPT_ROWS = PC_CONE_ROWS_MAX
};

enum { PC_SWEPT_BLOCK = 9 }; /* entries of a block of at most three rows */

/* There are many of them. Its rows G (rows x width) lie in a pool, in the order of the sweeps, and
 * behind them the block a = G F' of a contact with four rows. */
typedef struct pc_swept_contact {
  int body[2];    /* where its velocities begin in v, at an even place; -1: ground */
  uint32_t place; /* in the pool, in pairs of numbers */
  unsigned char rows;
  unsigned char size[2]; /* velocities of each body */
  /* bodies in space, 1 or 2, with friction in a plane and F = G; 0: something else */
  unsigned char usual;
  double mu;
  double mass; /* see pc_velocity_sweeps_mass */
  double z[PC_SWEPT_ROWS], c[PC_SWEPT_ROWS];
  pc_local_contact local;
  double block[PC_SWEPT_BLOCK]; /* a, where it fits */
} pc_swept_contact;

/* What the contacts of a sweep share. */
typedef struct pc_swept_rows {
  double* pool; /* G of the contacts, one after the other; aligned for pairs of numbers */
  double* F;    /* as long as the pool, rows where G has its own; only where it is not G */
  double* v;
  int symmetric; /* F = G */
} pc_swept_rows;

/* Entries of a row over both bodies: 0 to PC_SWEPT_SPAN. */
static inline int pc_swept_width(const pc_swept_contact* k)
{
  return k->size[0] + k->size[1];
}

/* Numbers of the pool that a contact needs, made even: the next one is aligned as it is. */
static inline int pc_swept_size(int rows, int width)
{
  int entries = rows * width + (rows * rows > PC_SWEPT_BLOCK ? rows * rows : 0);
  return entries + entries % 2;
}

static inline double* pc_swept_G(const pc_swept_rows* r, const pc_swept_contact* k)
{
  return r->pool + 2 * (size_t)k->place;
}

static inline double* pc_swept_F(const pc_swept_rows* r, const pc_swept_contact* k)
{
  return (r->symmetric ? r->pool : r->F) + 2 * (size_t)k->place;
}

static inline double* pc_swept_block(const pc_swept_rows* r, pc_swept_contact* k)
{
  if (k->rows * k->rows <= PC_SWEPT_BLOCK) return k->block;
  return pc_swept_G(r, k) + k->rows * pc_swept_width(k);
}

/* a = G F' of a contact, what follows from it, and no mode yet. */
void pc_swept_contact_prepare(pc_swept_contact* contact, const pc_swept_rows* rows);

/* y = c + G v */
void pc_swept_contact_dual(const pc_swept_contact* contact, const pc_swept_rows* rows, double* y);

/* v += F' d */
void pc_swept_contact_push(const pc_swept_contact* contact, const pc_swept_rows* rows,
                           const double* d);

/* Solves contacts, one after the other, each with the others held, and takes the change of its
 * impulses to v. `wide`: by kernels of four numbers at a time, where pc_swept_is_wide. */
void pc_swept_contacts_relax(pc_swept_contact* contact, int count, const pc_swept_rows* rows,
                             int wide);

/* Whether this processor takes four numbers at a time. */
int pc_swept_is_wide(void);

#endif
