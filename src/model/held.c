#include "model/held.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/outputs.h"

enum { DELAY_MAX = 1000 }; /* samples that a controller may be late */

/* --- names ---------------------------------------------------------------------------------- */

/* The text after the first dot; NULL without one. */
static const char* tail_of(const char* name, size_t length, size_t* tail_length)
{
  const char* dot = memchr(name, '.', length);
  if (!dot) return NULL;
  *tail_length = length - (size_t)(dot + 1 - name);
  return dot + 1;
}

int pc_is_load_name(const pc_reader* r, const char* name, size_t length)
{
  static const char* const tails[] = {"force",  "torque", "force_N",     "P",     "P_N",   "P_F",
                                      "gap",    "slip",   "P.1",         "P.2",   "P.3",   "P.4",
                                      "P.5",    "P.6",    "P_F.1",       "P_F.2", "P_F.3", "slip.1",
                                      "slip.2", "slip.3", "gap_velocity"};
  size_t tail_length = 0;
  const char* tail = tail_of(name, length, &tail_length);
  if (!tail || pc_names_find(&r->bodies.names, name, (size_t)(tail - 1 - name)) >= 0) return 0;
  for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
    if (strlen(tails[i]) == tail_length && strncmp(tails[i], tail, tail_length) == 0) return 1;
  return 0;
}

void pc_list_loads(const pc_reader* r, pc_suggestion* names)
{
  char name[128];
  for (int i = 0; i < r->joint_names.count; i++)
    for (int torque = 0; torque < 2; torque++) {
      snprintf(name, sizeof name, "%.80s.%s", r->joint_names.text[i], torque ? "torque" : "force");
      pc_suggest_add(names, name);
    }
}

int pc_find_held(const pc_reader* r, const char* name, size_t length)
{
  for (int i = 0; i < r->held.count; i++) {
    const pc_held_entry* h = &r->held.entry[i];
    if (!h->value && h->interval == 0 && strlen(h->name) == length &&
        strncmp(h->name, name, length) == 0)
      return h->coordinate;
  }
  return -1;
}

/* --- adding --------------------------------------------------------------------------------- */

const char* pc_keep_text(pc_reader* r, const char* text)
{
  if (pc_grow((void**)&r->texts.text, &r->texts.capacity, r->texts.count, sizeof *r->texts.text) !=
      PC_OK)
    return NULL;
  char* own = pc_copy_text(text);
  if (own) r->texts.text[r->texts.count++] = own;
  return own;
}

/* A coordinate called `name` and what it holds. */
static pc_status add(pc_reader* r, const char* name, pc_held_entry entry)
{
  const char* own = pc_keep_text(r, name);
  entry.name = pc_keep_text(r, entry.name);
  if (!own || !entry.name ||
      pc_grow((void**)&r->held.entry, &r->held.capacity, r->held.count, sizeof *r->held.entry) !=
          PC_OK ||
      pc_grow((void**)&r->coordinates.entry, &r->coordinates.capacity, r->coordinates.count,
              sizeof *r->coordinates.entry) != PC_OK)
    return pc_no_memory(r->error);
  pc_coordinate_entry* coordinate = &r->coordinates.entry[r->coordinates.count];
  coordinate->name = own;
  PC_TRY(pc_place_error(r->error, entry.place,
                        pc_add_held(r->system, own, 0, &coordinate->id, r->error)));
  entry.coordinate = r->coordinates.count++;
  r->held.entry[r->held.count++] = entry;
  return PC_OK;
}

pc_status pc_hold_load(pc_reader* r, const char* name, const pc_node* place)
{
  char held[160];
  snprintf(held, sizeof held, "%s.held", name);
  return add(r, held, (pc_held_entry){.name = name, .place = place});
}

pc_status pc_held_load(pc_reader* r, const char* name, const pc_node* place, int* coordinate)
{
  *coordinate = pc_find_held(r, name, strlen(name));
  if (*coordinate >= 0) return PC_OK;
  PC_TRY(pc_hold_load(r, name, place));
  *coordinate = r->coordinates.count - 1;
  return PC_OK;
}

/* The command goes from one coordinate to the next with each sample; the last one acts. */
pc_status pc_hold_command(pc_reader* r, const pc_controller_def* def, int* coordinate)
{
  char name[160], source[160];
  double late = def->delay / def->sample, count = round(late);
  if (fabs(late - count) > 1e-6 || count > DELAY_MAX)
    return pc_fail_at(r->error, def->place,
                      "'%s': delay is %g; it must be a multiple of sample, %g, and at most %d of "
                      "them",
                      def->name, def->delay, def->sample, (int)DELAY_MAX);
  snprintf(source, sizeof source, "%.100s.command", def->name);
  for (int i = (int)count; i >= 0; i--) {
    pc_held_entry entry = {.name = source, .place = def->place, .interval = def->sample};
    if (i == (int)count) entry.value = def->value, entry.unit = def->unit;
    snprintf(name, sizeof name, i > 0 ? "%.100s.held.%d" : "%.100s.held", def->name, i);
    PC_TRY(add(r, name, entry));
    memcpy(source, name, sizeof source);
  }
  *coordinate = r->coordinates.count - 1;
  return PC_OK;
}

/* --- when everything is known --------------------------------------------------------------- */

static pc_status fail_with_name(const pc_reader* r, const pc_held_entry* h)
{
  pc_suggestion names;
  pc_suggest_begin(&names, h->name);
  pc_list_loads(r, &names);
  for (int i = 0; i < pc_system_quantity_count(r->system); i++)
    pc_suggest_add(&names, pc_system_quantity(r->system, i).name);
  return pc_fail_at(r->error, h->place, "there is no quantity '%.60s'%s", h->name,
                    pc_suggest_text(&names, "quantities"));
}

/* The number of the quantity, which may be an output that nobody has asked for so far. */
static pc_status find_quantity(pc_reader* r, const pc_held_entry* h, pc_held_def* def)
{
  if (h->value) return pc_add_command_output(r, h, &def->quantity, &def->of_impulses);
  def->quantity = pc_system_find_quantity(r->system, h->name);
  if (def->quantity < 0) PC_TRY(pc_add_named_output(r, h->name, &def->quantity));
  if (def->quantity < 0) return fail_with_name(r, h);
  pc_quantity_kind kind = pc_system_quantity(r->system, def->quantity).kind;
  def->of_impulses = kind == PC_QUANTITY_ROW_P || kind == PC_QUANTITY_OUTPUT;
  return PC_OK;
}

pc_status pc_close_held(pc_reader* r)
{
  for (int i = 0; i < r->held.count; i++) {
    const pc_held_entry* h = &r->held.entry[i];
    pc_held_def def = {.part = r->coordinates.entry[h->coordinate].id, .interval = h->interval};
    PC_TRY(find_quantity(r, h, &def));
    PC_TRY(pc_place_error(r->error, h->place, pc_hold_quantity(r->system, &def, r->error)));
  }
  return PC_OK;
}
