#include "percuss/sketch.h"

#include "system/system.h"

/* Where a feature hangs: elements leave out the ground among their parts. */
static const char* part_name(const pc_system* s, const pc_element* e, int side)
{
  if (side < 0) return NULL;
  return s->part[e->part[e->part_count > 1 ? side : 0]].name;
}

int pc_system_feature(const pc_system* s, int index, pc_feature* f)
{
  for (int k = 0; k < s->element_count; k++) {
    const pc_element* e = &s->element[k];
    if (!e->ops->feature) continue;
    int side = -1;
    for (int i = 0; *f = (pc_feature){0}, e->ops->feature(e->data, i, f, &side); i++) {
      if (index-- > 0) continue;
      f->owner = e->name;
      f->part = part_name(s, e, side);
      f->contact = e->contact_count ? e->contact_first : -1;
      return 1;
    }
  }
  return 0;
}
