/// \file
/// What a system looks like: the points, discs and planes that its joints, springs and contacts know
/// of, each fixed to a part. For drawings; the mechanics does not need it.
#ifndef PERCUSS_SKETCH_H
#define PERCUSS_SKETCH_H

#include "percuss/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pc_feature_kind {
  PC_FEATURE_JOINT,   ///< a point where a joint holds the part
  PC_FEATURE_ROD,     ///< an end of a massless rod; its other end is the feature before or after it
  PC_FEATURE_SPRING,  ///< an end of a spring, likewise
  PC_FEATURE_POINT,   ///< a point that may touch
  PC_FEATURE_DISC,    ///< a disc; in space about `direction`, which is its axis
  PC_FEATURE_SPHERE,  ///< in the plane also a disc
  PC_FEATURE_ELLIPSOID,  ///< along the axes of the part's frame, semi-axes `size`
  PC_FEATURE_PLANE       ///< through `at`; `direction` is its normal, towards the free side
} pc_feature_kind;

typedef struct pc_feature {
  pc_feature_kind kind;
  const char* owner;    ///< name of the joint, spring or contact
  const char* part;     ///< the part it is fixed to; NULL: the ground
  int contact;          ///< its contact, -1 if the owner is none
  double at[3];         ///< in the part's frame [m]
  double direction[3];  ///< unit vector in the part's frame, or zero
  double size[3];       ///< radius [m], or semi-axes
} pc_feature;

/// The i-th feature of a frozen system; 0 past the last. Texts are owned by the system.
PC_API int pc_system_feature(const pc_system* system, int index, pc_feature* f);

#ifdef __cplusplus
}
#endif
#endif
