/* Who may call what across the border of a shared library.
 *
 * Symbols are hidden unless marked: PC_API marks what users call, PC_SIBLING_API what libpercuss-io
 * calls inside libpercuss. The latter bear the exact version (cmake/shared.cmake) and are no
 * interface for anybody else. */
#ifndef PC_BASE_EXPORT_H
#define PC_BASE_EXPORT_H

#include "percuss/base.h"

#define PC_SIBLING_API PC_API

#endif
