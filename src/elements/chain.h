/* A chain of nodes: the part that a bar or a beam is, and its nodes as parts of their own. */
#ifndef PC_ELEMENTS_CHAIN_H
#define PC_ELEMENTS_CHAIN_H

#include "elements/attach.h"

/* What a node has. Nodes are numbered from 0, the root, to `last`, the tip, and their quantities
 * are called <name>.root.x, <name>.1.x, ..., <name>.tip.x. */
typedef struct pc_chain {
  int kind; /* PC_PART_* of the whole, or of a node where each is a part of its own */
  int last;
  int q_width, u_width; /* coordinates and velocities of a node */
  const char* const* q_tail;
  const char* const* u_tail;
  const char* const* q_unit; /* static storage */
  const char* const* u_unit;
  pc_kinematics kinematics; /* of a node; NULL functions: q' = u */
  pc_retract* retract;      /* of a node that is a part of its own */
} pc_chain;

/* Adds the part; q0 and u0 hold the nodes one after the other. */
pc_status pc_add_chain(const pc_adding* adding, const pc_chain* chain, const double* q0,
                       const double* u0, pc_part_id* id);

/* Adds one node as a part of its own; all nodes are to be added one after the other. */
pc_status pc_add_chain_part(const pc_adding* adding, const pc_chain* chain, int node,
                            const double* q0, const double* u0, pc_part_id* id);

/* How nodes of a part of this kind are seen by what holds on to them. */
typedef struct pc_chain_view {
  int kind;      /* of the whole */
  int node_kind; /* of a node as a part */
  int q_width, u_width;
} pc_chain_view;

/* The number of the last node; -1 if the part is not of this kind. */
int pc_chain_last(const pc_system* system, pc_part_id id, const pc_chain_view* view);

/* A node as a part, of a part that is of this kind. `noun` is "bar" or "beam". */
pc_status pc_chain_node(pc_system* system, pc_part_id id, const pc_chain_view* view,
                        const char* noun, int node, pc_part_id* node_id, pc_error* error);

#endif
