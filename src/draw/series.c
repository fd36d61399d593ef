#include "draw/series.h"

#include "study/error.h"
#include "study/suggest.h"

pc_status find_series(const pc_result* result, const char* name, int* series, pc_error* error)
{
  *series = pc_result_find(result, name);
  if (*series >= 0) return PC_OK;
  suggestion near = suggestion_for(name);
  for (int i = 0; i < pc_result_series_count(result); i++)
    suggest(&near, pc_result_series(result, i).name);
  return set_error(error, PC_BAD_ARGUMENT, "'%s' has no '%s'%s; see 'percuss plot %s --list'",
                   pc_result_path(result), name, suggestion_text(&near), pc_result_path(result));
}
