/* Settings that a person gives for a scheme: those that it reads, none of which excludes
 * another. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "percuss/scheme.h"

int pc_scheme_reads(const char* scheme, const char* key, const char** readers)
{
  if (!key) return 0;
  for (int i = 0; i < pc_setting_count(); i++) {
    pc_setting s = pc_setting_at(i);
    if (strcmp(s.key, key) != 0) continue;
    if (readers) *readers = s.schemes;
    if (!*s.schemes) return 1;
    size_t length = strlen(scheme);
    for (const char* at = s.schemes; (at = strstr(at, scheme)) != NULL; at += length)
      if ((at == s.schemes || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return 1;
  }
  return 0;
}

typedef struct given_list {
  const char* scheme;
  const pc_given_setting* item;
  int count;
} given_list;

/* Is it given, to a scheme that reads it? */
static int has(const given_list* list, const char* key)
{
  for (int i = 0; i < list->count; i++)
    if (!strcmp(list->item[i].key, key)) return pc_scheme_reads(list->scheme, key, NULL);
  return 0;
}

/* rho, hht and newmark are choices of the same coefficients: one that is given replaces what is
 * there. */
static void drop_coefficients(const given_list* list, pc_scheme_settings* settings)
{
  if (!has(list, "rho") && !has(list, "hht") && !has(list, "newmark")) return;
  settings->alpha.hht = settings->alpha.newmark[0] = settings->alpha.newmark[1] = NAN;
}

/* Settings that others leave without effect. */
static pc_status refuse_idle(const given_list* list, const pc_scheme_settings* s, pc_error* error)
{
  int hht = has(list, "hht"), newmark = has(list, "newmark");
  if (hht && newmark)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "hht and newmark are two choices of the same coefficients; give one of them");
  if (has(list, "rho") && (hht || newmark))
    return pc_fail(error, PC_BAD_ARGUMENT, "rho does nothing beside %s, which takes its place",
                   hht ? "hht" : "newmark");
  if (has(list, "baumgarte") && s->alpha.constraints != PC_CONSTRAINTS_BAUMGARTE)
    return pc_fail(error, PC_BAD_ARGUMENT, "baumgarte does nothing without constraints: baumgarte");
  if (has(list, "gamma") && s->forecast != PC_FORECAST_EXPLICIT)
    return pc_fail(error, PC_BAD_ARGUMENT,
                   "gamma does nothing with this forecast; it is for forecast: explicit");
  return PC_OK;
}

pc_status pc_set_given(pc_scheme_settings* settings, const char* scheme,
                       const pc_given_setting* given, int count, pc_error* error)
{
  given_list list = {scheme, given, count};
  drop_coefficients(&list, settings);
  for (int i = 0; i < count; i++)
    if (pc_scheme_reads(scheme, given[i].key, NULL))
      PC_TRY(pc_set_setting(settings, given[i].key, given[i].value, error));
  return refuse_idle(&list, settings, error);
}
