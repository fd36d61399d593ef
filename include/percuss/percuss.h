/// \file
/// All of percuss: nonsmooth multibody dynamics.
#ifndef PERCUSS_PERCUSS_H
#define PERCUSS_PERCUSS_H

#include "percuss/assemble.h"
#include "percuss/base.h"
#include "percuss/check.h"
#include "percuss/collide.h"
#include "percuss/elements.h"
#include "percuss/fclib.h"
#include "percuss/found.h"
#include "percuss/geometry.h"
#include "percuss/history.h"
#include "percuss/model.h"
#include "percuss/record.h"
#include "percuss/result.h"
#include "percuss/scheme.h"
#include "percuss/shape.h"
#include "percuss/simulate.h"
#include "percuss/solver.h"
#include "percuss/system.h"
#include "percuss/table.h"
#include "percuss/version.h"

#endif
