/// \file
/// Initial values that fit the joints, drives and contacts of a system, from rough ones.
#ifndef PERCUSS_ASSEMBLE_H
#define PERCUSS_ASSEMBLE_H

#include "percuss/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What an assembly has found. Released by pc_assemble_free.
typedef struct pc_assemble_report {
  double* q;               ///< coordinates, those of the system projected onto positions
  double* u;               ///< velocities, projected onto joints, drives and closed contacts
  int iterations;          ///< of the positions
  double position_before;  ///< largest |g| of a joint, or depth of a contact [m or rad]
  double position_after;   ///< the same for q
  /// largest |g'| or |gamma|, or approach of a closed contact, at q [m/s or rad/s]
  double velocity_before;
  double velocity_after;  ///< the same for u
  const char* worst;      ///< the quantity to which position_after belongs; "": none
} pc_assemble_report;

/// Projects the initial values of a frozen system, at t = 0: positions onto all joints, prescribed
/// coordinates and constraints, and out of contacts that are closed too far; velocities likewise.
/// Each is the nearest in the sense of the kinetic energy: the mass matrix is the metric. Contacts
/// between shapes, which are found while a system runs, take no part. PC_NOT_CONVERGED names what
/// cannot be assembled.
PC_API pc_status pc_assemble(const pc_system* system, pc_assemble_report* report, pc_error* error);
/// Releases the arrays; a zeroed report is fine.
PC_API void pc_assemble_free(pc_assemble_report* report);

#ifdef __cplusplus
}
#endif
#endif
