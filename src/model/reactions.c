#include "model/reactions.h"

#include <stdio.h>
#include <string.h>

#include "percuss/shape.h"
#include "system/system.h"

/* --- what a name asks for ------------------------------------------------------------------- */

typedef struct wanted {
  int element;
  int on;         /* index of the part it acts on, or -1: not told */
  int on_ground;  /* what acts on the ground: the opposite of that on the only part */
  pc_point about; /* of torques */
  int has_about, at_end, is_torque;
  pc_part_id in; /* the frame of components */
  int axis;      /* or -1: the size */
} wanted;

static int is_joint(const pc_element* e)
{
  return e->row_count > 0 && e->contact_count == 0;
}

/* Forces alone: no body, no beam. */
static int is_force(const pc_element* e)
{
  return e->row_count == 0 && e->provides & PC_TERM_H && !(e->provides & PC_TERM_M);
}

/* The element whose name the text begins with, the longest, or -1; what follows its dot. */
static int find_element(const pc_system* s, const char* name, const char** rest)
{
  int found = -1;
  size_t longest = 0;
  for (int i = 0; i < s->element_count; i++) {
    const pc_element* e = &s->element[i];
    size_t length = strlen(e->name);
    if (length <= longest || strncmp(e->name, name, length) != 0 || name[length] != '.') continue;
    if (!e->part_count || (!is_joint(e) && !is_force(e))) continue;
    found = i;
    longest = length;
  }
  *rest = name + longest + (found >= 0);
  return found;
}

enum { WORD_MAX = 128 };

static const char* const keywords[] = {"on", "about", "in", "end", "force", "torque"};
enum { KEYWORDS = sizeof keywords / sizeof *keywords };
typedef enum keyword { ON, ABOUT, IN, END, FORCE, TORQUE, NO_KEYWORD } keyword;

/* The keyword up to the next dot, which is read. */
static keyword take_keyword(const char** text)
{
  size_t length = strcspn(*text, ".");
  for (int i = 0; i < KEYWORDS; i++)
    if (strlen(keywords[i]) == length && strncmp(keywords[i], *text, length) == 0) {
      *text += length + ((*text)[length] == '.');
      return (keyword)i;
    }
  return NO_KEYWORD;
}

/* A name, which may have dots, up to the next keyword. */
static int take_name(const char** text, char word[WORD_MAX])
{
  size_t used = 0;
  while (**text) {
    const char* ahead = *text;
    if (take_keyword(&ahead) != NO_KEYWORD) break;
    size_t length = strcspn(*text, ".");
    if (used + length + 2 > WORD_MAX) return 0;
    if (used) word[used++] = '.';
    memcpy(word + used, *text, length);
    used += length;
    *text += length + ((*text)[length] == '.');
  }
  word[used] = 0;
  return used > 0;
}

static int take_part(const pc_system* s, const char** text, pc_part_id* part)
{
  char word[WORD_MAX];
  return take_name(text, word) && pc_system_find_part(s, word, part, NULL) == PC_OK;
}

/* A named point, or the origin of a part. */
static int take_point(const pc_reader* r, const char** text, pc_point* point)
{
  char word[WORD_MAX];
  if (!take_name(text, word)) return 0;
  int index = pc_names_find(&r->points.names, word, strlen(word));
  *point = (pc_point){.part = PC_GROUND};
  if (index < 0) return pc_system_find_part(r->system, word, &point->part, NULL) == PC_OK;
  *point = r->points.entry[index].point;
  return 1;
}

static int acts_on(const pc_element* e, int part)
{
  for (int i = 0; i < e->part_count; i++)
    if (e->part[i] == part) return 1;
  return 0;
}

static int take_on(const pc_reader* r, const char** text, wanted* w)
{
  const pc_element* e = &r->system->element[w->element];
  pc_part_id part;
  if (!take_part(r->system, text, &part)) return 0;
  w->on_ground = part.index < 0;
  w->on = w->on_ground ? e->part[0] : part.index;
  return w->on_ground ? e->part_count == 1 : acts_on(e, w->on);
}

/* The component behind the last dot, or none. */
static int take_axis(const char* text, int dimension, wanted* w)
{
  w->axis = !*text ? -1 : text[0] - 'x';
  if (!*text) return 1;
  if (text[1] || w->axis < 0 || w->axis > 2) return 0;
  return w->is_torque && dimension < 3 ? w->axis == 2 : w->axis < dimension;
}

static int parse(const pc_reader* r, const char* name, wanted* w)
{
  const char* text;
  *w = (wanted){.on = -1, .in = PC_GROUND};
  w->element = find_element(r->system, name, &text);
  if (w->element < 0) return 0;
  for (;;) {
    int good = 1;
    keyword next = take_keyword(&text);
    switch (next) {
      case ON: good = take_on(r, &text, w); break;
      case ABOUT: good = w->has_about = take_point(r, &text, &w->about); break;
      case IN: good = take_part(r->system, &text, &w->in); break;
      case END: w->at_end = 1; break;
      case FORCE:
      case TORQUE: w->is_torque = next == TORQUE; return take_axis(text, r->dimension, w);
      case NO_KEYWORD: return 0;
    }
    if (!good) return 0;
  }
}

/* The points of a force made of formulas, as those of a shape. */
static pc_shape shape_of(const pc_reader* r, int element)
{
  pc_shape shape = pc_system_shape(r->system, element);
  for (int i = 0; i < r->forces.count; i++)
    if (r->forces.entry[i].element == element) {
      shape.kind = PC_SHAPE_SPRING;
      memcpy(shape.at, r->forces.entry[i].at, sizeof shape.at);
    }
  return shape;
}

/* The part, and the element's point on it, where the name does not tell. */
static void complete(const pc_reader* r, wanted* w)
{
  const pc_element* e = &r->system->element[w->element];
  pc_shape shape = shape_of(r, w->element);
  if (w->on < 0)
    w->on = !shape.kind                   ? e->part[e->part_count - 1]
            : shape.at[1].part.index >= 0 ? shape.at[1].part.index
                                          : shape.at[0].part.index;
  if (w->has_about) return;
  w->about = (pc_point){.part = {w->on}};
  for (int i = 0; shape.kind && i < 2; i++)
    if (shape.at[i].part.index == w->on) w->about = shape.at[i];
}

/* --- its value ------------------------------------------------------------------------------- */

static pc_expr variable(const pc_source_variables* v, int kind, int index, int on)
{
  return v->variable(v->user, v->pool, (pc_output_source){kind, index, on});
}

/* A mean over the step is taken with what there was in its middle. */
static int is_mean(const pc_source_variables* v, const wanted* w)
{
  return is_joint(&v->r->system->element[w->element]) && !w->at_end;
}

/* The frame of a part, which may be a node of a beam; 0: it has none. */
static int frame_of(const pc_source_variables* v, const wanted* w, int part, pc_expr_frame* frame)
{
  if (part < 0) {
    *frame = pc_expr_ground(v->pool, v->r->dimension);
    return 1;
  }
  const pc_part* p = &v->r->system->part[part];
  pc_expr q[7], u[6];
  if (p->kind != PC_PART_POINT_MASS && p->kind != PC_PART_PLANAR_BODY &&
      p->kind != PC_PART_SPATIAL_BODY)
    return 0;
  int of_q = is_mean(v, w) ? PC_SOURCE_MEAN_Q : PC_QUANTITY_Q;
  for (int i = 0; i < p->q_count; i++) q[i] = variable(v, of_q, p->q_first + i, 0);
  for (int i = 0; i < p->u_count; i++) u[i] = variable(v, PC_QUANTITY_U, p->u_first + i, 0);
  *frame = pc_expr_frame_of(v->pool, v->r->dimension, p->kind, q, u);
  return 1;
}

/* The generalised force of the element on a velocity. */
static pc_expr force_on(const pc_source_variables* v, const wanted* w, int velocity)
{
  int kind = is_mean(v, w)                                  ? PC_SOURCE_MEAN_FORCE
             : is_joint(&v->r->system->element[w->element]) ? PC_SOURCE_END_FORCE
                                                            : PC_SOURCE_FORCE;
  return variable(v, kind, w->element, velocity);
}

/* Force and torque about the origin of the part, with inertial components. */
static void wrench_of(const pc_source_variables* v, const wanted* w, const pc_expr_frame* frame,
                      pc_expr F[3], pc_expr T[3])
{
  const pc_part* p = &v->r->system->part[w->on];
  pc_expr turning[3];
  int dimension = v->r->dimension;
  for (int i = 0; i < 3; i++) F[i] = T[i] = turning[i] = pc_expr_number(v->pool, 0);
  for (int i = 0; i < dimension; i++) F[i] = force_on(v, w, p->u_first + i);
  if (p->kind == PC_PART_PLANAR_BODY) T[2] = force_on(v, w, p->u_first + 2);
  if (p->kind != PC_PART_SPATIAL_BODY) return;
  for (int i = 0; i < 3; i++) turning[i] = force_on(v, w, p->u_first + 3 + i);
  pc_expr_turned(v->pool, frame, turning, T);
}

/* T about another point: less the moment of F there. */
static void move_torque(pc_pool* pool, const pc_expr_frame* frame, const pc_expr_point* about,
                        const pc_expr F[3], pc_expr T[3])
{
  pc_expr arm[3], moment[3];
  for (int i = 0; i < 3; i++) arm[i] = pc_expr_of(pool, about->position[i], '-', frame->origin[i]);
  pc_expr_cross(pool, arm, F, moment);
  for (int i = 0; i < 3; i++) T[i] = pc_expr_of(pool, T[i], '-', moment[i]);
}

int pc_has_joint_point(const pc_reader* r, const char* joint)
{
  for (int i = 0; i < r->system->element_count; i++)
    if (strcmp(r->system->element[i].name, joint) == 0 && is_joint(&r->system->element[i]))
      return pc_system_shape(r->system, i).kind != PC_SHAPE_NONE;
  return 0;
}

const char* pc_find_reaction(const pc_source_variables* v, const char* name, pc_expr* load)
{
  wanted w;
  pc_expr_frame frame, of_point, components;
  pc_expr F[3], T[3], seen[3];
  if (!parse(v->r, name, &w)) return NULL;
  complete(v->r, &w);
  if (!frame_of(v, &w, w.on, &frame) || !frame_of(v, &w, w.about.part.index, &of_point) ||
      !frame_of(v, &w, w.in.index, &components))
    return NULL;
  wrench_of(v, &w, &frame, F, T);
  pc_expr_point about = pc_expr_point_of(v->pool, &of_point, w.about.at);
  move_torque(v->pool, &frame, &about, F, T);
  pc_expr_turned_back(v->pool, &components, w.is_torque ? T : F, seen);
  *load = w.axis < 0 ? pc_expr_length(v->pool, seen) : seen[w.axis];
  if (w.on_ground && w.axis >= 0)
    *load = pc_expr_of(v->pool, pc_expr_number(v->pool, -1), '*', *load);
  return w.is_torque ? "N m" : "N";
}
