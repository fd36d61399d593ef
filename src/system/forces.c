#include "system/forces.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "system/system.h"

/* What a name ends with, and the end of the velocity or percussion of the same index. */
static const struct {
  const char* tail;
  const char* base;
  pc_force_kind kind;
} tails[] = {
    {"ax", "vx", PC_FORCE_ACCELERATION},
    {"ay", "vy", PC_FORCE_ACCELERATION},
    {"az", "vz", PC_FORCE_ACCELERATION},
    {"alpha", "spin", PC_FORCE_ACCELERATION},
    {"alpha_x", "wx", PC_FORCE_ACCELERATION},
    {"alpha_y", "wy", PC_FORCE_ACCELERATION},
    {"alpha_z", "wz", PC_FORCE_ACCELERATION},
    {"acceleration", "velocity", PC_FORCE_ROW_ACCELERATION},
    {"gap_acceleration", "gap_velocity", PC_FORCE_ROW_ACCELERATION},
    {"slip_acceleration", "slip", PC_FORCE_ROW_ACCELERATION},
    {"lambda", "P", PC_FORCE_ROW},
    {"lambda_N", "P_N", PC_FORCE_ROW},
    {"lambda_F", "P_F", PC_FORCE_ROW},
};

static const struct {
  const char* unit;
  const char* base;
} units[] = {{"m/s^2", "m/s"}, {"rad/s^2", "rad/s"}, {"N", "N s"}, {"N m", "N m s"}};

static const char* unit_above(const char* base)
{
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp(units[i].base, base) == 0) return units[i].unit;
  return "";
}

/* The quantity with this index, if it is a velocity or of a row as `kind` needs. */
static int find_base(const pc_system* s, const char* name, pc_force_kind kind,
                     pc_force_source* source)
{
  static const pc_quantity_kind of[] = {[PC_FORCE_ACCELERATION] = PC_QUANTITY_U,
                                        [PC_FORCE_ROW_ACCELERATION] = PC_QUANTITY_ROW_VELOCITY,
                                        [PC_FORCE_ROW] = PC_QUANTITY_ROW_P};
  int quantity = pc_system_find_quantity(s, name);
  if (quantity < 0) return 0;
  pc_quantity q = pc_system_quantity(s, quantity);
  if (q.kind != of[kind]) return 0;
  *source = (pc_force_source){kind, q.index, unit_above(q.unit)};
  return 1;
}

enum { NAME_MAX_SIZE = 256 };

/* x'' of a coordinate x, whose velocity is x'. */
static int find_second_derivative(const pc_system* s, const char* name, pc_force_source* source)
{
  char base[NAME_MAX_SIZE];
  size_t length = strlen(name);
  if (length < 3 || strcmp(name + length - 2, "''") != 0) return 0;
  snprintf(base, sizeof base, "%.*s", (int)(length - 1), name);
  return find_base(s, base, PC_FORCE_ACCELERATION, source);
}

/* Where the number behind the last dot begins, with its dot, or the end of the name. */
static size_t find_number(const char* name)
{
  size_t end = strlen(name), at = end;
  while (at > 0 && isdigit((unsigned char)name[at - 1])) at--;
  return at > 0 && at < end && name[at - 1] == '.' ? at - 1 : end;
}

int pc_find_force(const pc_system* s, const char* name, pc_force_source* source)
{
  if (strlen(name) >= NAME_MAX_SIZE - 16) return 0;
  if (find_second_derivative(s, name, source)) return 1;
  size_t number = find_number(name), word = number;
  while (word > 0 && name[word - 1] != '.') word--;
  if (word == 0) return 0;
  for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
    char base[NAME_MAX_SIZE];
    if (strlen(tails[i].tail) != number - word ||
        strncmp(name + word, tails[i].tail, number - word) != 0)
      continue;
    snprintf(base, sizeof base, "%.*s%s%s", (int)word, name, tails[i].base, name + number);
    return find_base(s, base, tails[i].kind, source);
  }
  return 0;
}

double pc_force_value(pc_force_kind kind, int index, const pc_output_at* at)
{
  if (kind == PC_FORCE_ACCELERATION) return at->a[index];
  return kind == PC_FORCE_ROW ? at->lambda[index] : at->y_ddot[index];
}

static double value(const void* user, const pc_output_at* at)
{
  const pc_force_source* source = user;
  return pc_force_value(source->kind, source->index, at);
}

pc_status pc_add_force_output(pc_system* s, const char* name, pc_error* error)
{
  PC_TRY(pc_need(s, "system", error));
  PC_TRY(pc_need(name, "name", error));
  pc_force_source source;
  PC_TRY(pc_system_close_rows(s, error));
  if (!pc_find_force(s, name, &source))
    return pc_fail(error, PC_BAD_ARGUMENT, "there is no acceleration or force '%.80s'", name);
  pc_force_source* own = pc_alloc(1, sizeof *own);
  if (!own) return pc_no_memory(error);
  *own = source;
  const pc_output_def def = {
      .name = name, .unit = source.unit, .value = value, .user = own, .destroy = free, .forces = 1};
  return pc_add_output(s, &def, error);
}
