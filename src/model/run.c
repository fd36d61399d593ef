#include "model/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/outputs.h"

/* --- simulate ------------------------------------------------------------------------------- */

static pc_status read_scheme(const pc_reader* r, const pc_node* node, pc_run_def* run)
{
  if (node->kind != PC_NODE_SCALAR || !node->text[0])
    return pc_fail_at(r->error, node, "expected the name of a scheme, found %s",
                      pc_node_describe(node));
  pc_suggestion names;
  pc_suggest_begin(&names, node->text);
  for (const char* const* name = pc_scheme_names(); *name; name++) {
    pc_suggest_add(&names, *name);
    if (strcmp(*name, node->text) != 0) continue;
    run->scheme = *name;
    return PC_OK;
  }
  return pc_fail_at(r->error, node, "there is no scheme '%.60s'%s", node->text,
                    pc_suggest_text(&names, "schemes"));
}

static pc_status read_until(const pc_reader* r, const pc_node* node, pc_run_def* run)
{
  PC_TRY(pc_number_of_node(&r->scope, node, &run->until, r->error));
  if (run->until > 0) return PC_OK;
  return pc_fail_at(r->error, node, "until is %g; it must be positive", run->until);
}

static int is_setting(const char* key)
{
  for (int i = 0; i < pc_setting_count(); i++)
    if (strcmp(pc_setting_at(i).key, key) == 0) return 1;
  return 0;
}

static pc_status fail_with_setting(const pc_reader* r, const pc_node* key)
{
  pc_suggestion names;
  pc_suggest_begin(&names, key->text);
  pc_suggest_add(&names, "scheme");
  pc_suggest_add(&names, "until");
  for (int i = 0; i < pc_setting_count(); i++) pc_suggest_add(&names, pc_setting_at(i).key);
  return pc_fail_at(r->error, key, "simulate: unknown key '%.60s'%s", key->text,
                    pc_suggest_text(&names, "allowed"));
}

/* A setting is a word or a number. What is neither as it stands may be an expression. */
static pc_status read_setting(const pc_reader* r, const pc_node* key, pc_run_def* run)
{
  const pc_node* node = key->value;
  if (node->kind != PC_NODE_SCALAR || !node->text[0])
    return pc_fail_at(r->error, node, "%s: expected a word or a number, found %s", key->text,
                      pc_node_describe(node));
  pc_status status = pc_set_setting(&run->settings, key->text, node->text, r->error);
  if (status == PC_OK) return PC_OK;
  double value = 0;
  pc_error ignored = {0};
  pc_status evaluated = pc_is_expression(node->text)
                            ? pc_number_of_text(&r->scope, node->text, &value, &ignored)
                            : PC_BAD_MODEL;
  if (evaluated == PC_OUT_OF_MEMORY) return pc_no_memory(r->error);
  if (evaluated == PC_OK) {
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    status = pc_set_setting(&run->settings, key->text, text, r->error);
  }
  return pc_place_error(r->error, node, status);
}

pc_status pc_read_simulate(const pc_reader* r, const pc_node* section, pc_run_def* run)
{
  if (!section) return PC_OK;
  if (section->kind != PC_NODE_MAPPING)
    return pc_fail_at(r->error, section, "simulate: expected a mapping, found %s",
                      pc_node_describe(section));
  for (const pc_node* key = section->first; key; key = key->next) {
    if (strcmp(key->text, "scheme") == 0)
      PC_TRY(read_scheme(r, key->value, run));
    else if (strcmp(key->text, "until") == 0)
      PC_TRY(read_until(r, key->value, run));
    else if (is_setting(key->text))
      PC_TRY(read_setting(r, key, run));
    else
      return fail_with_setting(r, key);
  }
  return PC_OK;
}

/* --- record --------------------------------------------------------------------------------- */

static pc_status record_one(const pc_reader* r, pc_run_def* run, int* capacity, int quantity)
{
  if (pc_grow((void**)&run->record, capacity, run->record_count, sizeof *run->record) != PC_OK)
    return pc_no_memory(r->error);
  run->record[run->record_count++] = quantity;
  return PC_OK;
}

static pc_status fail_with_quantity(const pc_reader* r, const pc_node* node)
{
  pc_suggestion names;
  pc_suggest_begin(&names, node->text);
  for (int i = 0; i < pc_system_quantity_count(r->system); i++)
    pc_suggest_add(&names, pc_system_quantity(r->system, i).name);
  return pc_fail_at(r->error, node, "there is no quantity '%.60s' to record%s", node->text,
                    pc_suggest_text(&names, "quantities"));
}

/* The accelerations or forces <of>.1, <of>.2, ..., which exist only where they are asked for. */
static pc_status add_numbered(pc_reader* r, const char* of)
{
  char numbered[160];
  int quantity = 0;
  for (int i = 1; strchr(of, '.') && quantity >= 0; i++) {
    snprintf(numbered, sizeof numbered, "%.120s.%d", of, i);
    quantity = pc_system_find_quantity(r->system, numbered);
    if (quantity < 0) PC_TRY(pc_add_named_output(r, numbered, &quantity));
  }
  return PC_OK;
}

/* All quantities that are called <of>.<something>. */
static pc_status record_beginning(pc_reader* r, const char* of, pc_run_def* run, int* capacity)
{
  size_t length = strlen(of);
  PC_TRY(pc_add_joint_outputs(r, of));
  PC_TRY(add_numbered(r, of));
  for (int i = 0; i < pc_system_quantity_count(r->system); i++) {
    const char* name = pc_system_quantity(r->system, i).name;
    if (length && strncmp(name, of, length) == 0 && name[length] == '.')
      PC_TRY(record_one(r, run, capacity, i));
  }
  return PC_OK;
}

/* The outputs that a mapping defines. */
static pc_status record_own(const pc_reader* r, const pc_node* mapping, pc_run_def* run,
                            int* capacity)
{
  for (const pc_node* key = mapping->first; key; key = key->next)
    PC_TRY(record_one(r, run, capacity, pc_system_find_quantity(r->system, key->text)));
  return PC_OK;
}

/* -1: nothing is called so. */
static pc_status find_or_add(pc_reader* r, const char* name, int* quantity)
{
  *quantity = pc_system_find_quantity(r->system, name);
  return *quantity < 0 ? pc_add_named_output(r, name, quantity) : PC_OK;
}

/* A quantity, or a part with all that is known of it; `known` is 0 where the name means nothing. */
static pc_status record_name(pc_reader* r, const char* name, pc_run_def* run, int* capacity,
                             int* known)
{
  int quantity, before = run->record_count;
  PC_TRY(find_or_add(r, name, &quantity));
  if (quantity >= 0)
    PC_TRY(record_one(r, run, capacity, quantity));
  else
    PC_TRY(record_beginning(r, name, run, capacity));
  *known = run->record_count > before;
  return PC_OK;
}

static pc_status record_list(pc_reader* r, const pc_node* list, pc_run_def* run, int* capacity)
{
  for (const pc_node* item = list->first; item; item = item->next) {
    if (item->kind == PC_NODE_MAPPING) {
      PC_TRY(record_own(r, item, run, capacity));
      continue;
    }
    if (item->kind != PC_NODE_SCALAR)
      return pc_fail_at(r->error, item, "expected the name of a quantity, found %s",
                        pc_node_describe(item));
    int known;
    PC_TRY(record_name(r, item->text, run, capacity, &known));
    if (!known) return fail_with_quantity(r, item);
  }
  return PC_OK;
}

/* Each quantity once, where it came first. `seen` has space for all and is zero. */
static void remove_repetitions(pc_run_def* run, char* seen)
{
  int kept = 0;
  for (int i = 0; i < run->record_count; i++)
    if (!seen[run->record[i]]++) run->record[kept++] = run->record[i];
  run->record_count = kept;
}

/* What a program asks for besides. */
static pc_status record_more(pc_reader* r, const pc_model_extension* more, pc_run_def* run,
                             int* capacity)
{
  for (int i = 0; more && i < more->record_count; i++) {
    int known;
    PC_TRY(record_name(r, more->record[i], run, capacity, &known));
  }
  return PC_OK;
}

static pc_status record_section(pc_reader* r, const pc_node* section, pc_run_def* run,
                                int* capacity)
{
  if (!section || section->kind == PC_NODE_MAPPING) { /* everything, own outputs included */
    for (int i = 0; i < pc_system_quantity_count(r->system); i++)
      PC_TRY(record_one(r, run, capacity, i));
    return PC_OK;
  }
  if (section->kind != PC_NODE_SEQUENCE)
    return pc_fail_at(
        r->error, section,
        "record: expected a list of names, or a mapping of names to formulas, found %s",
        pc_node_describe(section));
  return record_list(r, section, run, capacity);
}

pc_status pc_read_record(pc_reader* r, const pc_node* section, const pc_model_extension* more,
                         pc_run_def* run)
{
  int capacity = 0;
  PC_TRY(record_section(r, section, run, &capacity));
  PC_TRY(record_more(r, more, run, &capacity));
  char* seen = pc_alloc((size_t)pc_system_quantity_count(r->system), 1);
  if (!seen) return pc_no_memory(r->error);
  remove_repetitions(run, seen);
  free(seen);
  pc_status status =
      pc_trim((void**)&run->record, &capacity, run->record_count, sizeof *run->record);
  return status == PC_OK ? PC_OK : pc_no_memory(r->error);
}
