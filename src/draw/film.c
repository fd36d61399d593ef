#include "draw/film.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/xml.h"

/* Title above the drawing, with a line more for the legend of the impulses on narrow pages; below
 * it axes and scale, which reach into its margin where the page is wide, and the time [pixels]. */
static const double HEAD = 52, LEGEND = 20, BAND = 30, NARROW_BAND = 64, FOOT = 62;
static const double PI = 3.14159265358979323846;

/* ---- the view ----------------------------------------------------------------------------- */

void on_page(const page* p, const double x[3], double at[2])
{
  double right = 0, up = 0;
  for (int i = 0; i < 3; i++) {
    right += p->right[i] * x[i];
    up += p->up[i] * x[i];
  }
  at[0] = p->origin[0] + p->scale * right;
  at[1] = p->origin[1] - p->scale * up;
}

/* In the plane x to the right and y up, or down if gravity points along y. In space an eye at an
 * azimuth about z and an elevation above the plane x, y. */
static void choose_view(const scene* s, const film_options* o, page* p)
{
  const pc_system* system = s->motion->system;
  p->right[0] = 1;
  p->up[1] = s->abstract || pc_system_gravity(system)[1] <= 0 ? 1 : -1;
  if (pc_system_dimension(system) < 3) return;
  double a = o->azimuth * PI / 180, e = o->elevation * PI / 180;
  const double right[3] = {-sin(a), cos(a), 0};
  const double up[3] = {-sin(e) * cos(a), -sin(e) * sin(a), cos(e)};
  /* Where gravity points along z, the picture is turned about x. */
  const double side = pc_system_gravity(system)[2] > 0 ? -1 : 1;
  for (int i = 0; i < 3; i++) {
    p->right[i] = (i ? side : 1) * right[i];
    p->up[i] = (i ? side : 1) * up[i];
  }
}

/* A box on the picture, in m. */
typedef struct box {
  double low[2], high[2];
} box;

static void widen(box* b, const double at[2], double by)
{
  for (int i = 0; i < 2; i++) {
    b->low[i] = fmin(b->low[i], at[i] - by);
    b->high[i] = fmax(b->high[i], at[i] + by);
  }
}

static void widen_by_bars(const scene* s, const page* unit, box* b)
{
  const motion* m = s->motion;
  for (int i = 0; i < pc_system_part_count(m->system); i++) {
    pc_part_info bar = pc_system_part_info(m->system, (pc_part_id){i});
    for (int k = 0; bar.kind == PC_PART_BAR && k < 2 * m->frame_count; k++) {
      const double* q = m->q + (size_t)(k / 2) * (size_t)pc_system_q_count(m->system);
      double x[3] = {q[bar.q_first + (k % 2 ? bar.q_count - 1 : 0)], 0, 0}, at[2];
      on_page(unit, x, at);
      at[1] = -at[1];
      widen(b, at, 0);
    }
  }
}

/* The nodes of a beam: triples x, y, angle of one part in the plane, parts of their own in
 * space. */
static int beam_nodes(const pc_part_info* beam)
{
  return beam->kind == PC_PART_BEAM ? beam->q_count / 3 : beam->chain > 0 ? beam->chain + 1 : 0;
}

/* Where node `n` of the beam that part `index` begins is at q, on the page. */
static void place_node(const scene* s, const page* p, int index, int n, const double* q, double* at)
{
  const pc_system* system = s->motion->system;
  pc_part_info beam = pc_system_part_info(system, (pc_part_id){index});
  double x[3] = {0}, turned[9];
  if (beam.kind == PC_PART_BEAM)
    for (int i = 0; i < 2; i++) x[i] = q[beam.q_first + 3 * n + i];
  else
    pc_part_pose(system, (pc_part_id){index + n}, q, x, turned);
  on_page(p, x, at);
}

static void widen_by_beams(const scene* s, const page* unit, box* b)
{
  const motion* m = s->motion;
  for (int i = 0; i < pc_system_part_count(m->system); i++) {
    pc_part_info beam = pc_system_part_info(m->system, (pc_part_id){i});
    for (int k = 0; k < m->frame_count; k++)
      for (int n = 0; n < beam_nodes(&beam); n++) {
        double at[2];
        place_node(s, unit, i, n, m->q + (size_t)k * (size_t)pc_system_q_count(m->system), at);
        at[1] = -at[1];
        widen(b, at, 0);
      }
    i += beam.chain;
  }
}

/* Around everything that moves, and the surfaces. */
static box measure(const scene* s, const page* view)
{
  page unit = *view;
  unit.scale = 1;
  unit.origin[0] = unit.origin[1] = 0;
  box b = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < s->motion->frame_count; k++)
      for (int j = 0; j < s->item[i].count; j++) {
        double x[3], at[2];
        frame_position(s->motion, k, &s->item[i].point[j], x);
        on_page(&unit, x, at);
        at[1] = -at[1];
        widen(&b, at, s->item[i].radius);
      }
  widen_by_bars(s, &unit, &b);
  widen_by_beams(s, &unit, &b);
  return b;
}

/* Margins around what moves; nothing is flatter than 0.3 of its length. */
static void pad(box* b)
{
  double size = fmax(b->high[0] - b->low[0], b->high[1] - b->low[1]);
  if (!(size > 0)) size = 1;
  for (int i = 0; i < 2; i++) {
    double by = 0.12 * size + fmax(0, 0.3 * size - (b->high[i] - b->low[i])) / 2;
    b->low[i] -= by;
    b->high[i] += by;
  }
}

static void place(const box* b, const film_options* o, page* p)
{
  int width = o->width, narrow = width < NARROW_PAGE;
  double head = HEAD + (narrow && !o->no_arrows ? LEGEND : 0);
  double side[2] = {b->high[0] - b->low[0], b->high[1] - b->low[1]};
  double shape = fmin(0.72, fmax(0.3, side[1] / side[0]));
  p->width = width;
  p->top = head;
  p->bottom = head + shape * width;
  p->foot = p->bottom + (narrow ? NARROW_BAND : BAND);
  p->height = (int)(p->foot + FOOT);
  p->scale = fmin(width / side[0], (p->bottom - p->top) / side[1]);
  p->origin[0] = width / 2.0 - p->scale * (b->low[0] + b->high[0]) / 2;
  p->origin[1] = (p->top + p->bottom) / 2 + p->scale * (b->low[1] + b->high[1]) / 2;
}

/* Arrows have lengths in pixels, so what they need is known once the scale is, and changes it. */
static pc_status fit(const scene* s, const film_options* o, page* p, pc_error* error)
{
  const double edge = 6; /* pixels between the tail of an arrow and the border */
  box b = measure(s, p);
  pad(&b);
  place(&b, o, p);
  for (int pass = 0; pass < 2 && !o->no_arrows; pass++) {
    double low[2], high[2];
    pc_status status = find_reach_of_arrows(s, p, low, high, error);
    if (status != PC_OK) return status;
    b.low[0] -= fmax(0, edge - low[0]) / p->scale;
    b.high[0] += fmax(0, high[0] - (p->width - edge)) / p->scale;
    b.low[1] -= fmax(0, high[1] - p->bottom) / p->scale;
    b.high[1] += fmax(0, p->top - low[1]) / p->scale;
    place(&b, o, p);
  }
  return PC_OK;
}

/* ---- items -------------------------------------------------------------------------------- */

/* Okabe and Ito's colours but for vermilion, which is for percussions; and tints for areas. */
static const char* const edge_colour[] = {"#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
static const char* const area_colour[] = {"#CFE4F1", "#CDECE3", "#F5E4ED", "#FAEBCB", "#DDF0FB"};
enum { COLOURS = 5 };

/* The points of an item on the page for each frame; NULL without memory. */
static double* trace(const scene* s, const page* p, const item* it)
{
  double* xy = calloc((size_t)p->frames * (size_t)it->count * 2, sizeof *xy);
  for (int k = 0; xy && k < p->frames; k++)
    for (int j = 0; j < it->count; j++) {
      double x[3];
      frame_position(s->motion, k, &it->point[j], x);
      on_page(p, x, xy + ((size_t)k * (size_t)it->count + (size_t)j) * 2);
    }
  return xy;
}

enum { STYLE_SIZE = 320 };

static void choose_style(const item* it, char* style)
{
  const char* edge = it->colour < 0 ? "#555555" : edge_colour[it->colour % COLOURS];
  const char* area = it->colour < 0 ? "#EEEEEE" : area_colour[it->colour % COLOURS];
  const char* fill = it->closed || it->radius > 0 ? area : "none";
  const char* opacity = "";
  double width = 2.5;
  switch (it->layer) {
    case LAYER_GROUND:
      edge = "#777777";
      fill = it->closed ? "#F1F1EE" : "none";
      break;
    case LAYER_GRID:
      edge = "#D4D4CF";
      width = 1;
      break;
    case LAYER_GUIDE:
      edge = "#999999";
      width = 1.5;
      opacity = " stroke-dasharray=\"8 5\"";
      break;
    case LAYER_SHEET:
      fill = "none";
      width = 4;
      break;
    case LAYER_MARK: fill = "none"; break;
    case LAYER_ROD:
      edge = "#333333";
      width = 3;
      break;
    case LAYER_SPRING:
      edge = "#555555";
      width = 2;
      break;
    default: break;
  }
  if (it->layer == LAYER_BODY && it->colour >= 0) opacity = " fill-opacity=\"0.85\"";
  snprintf(style, STYLE_SIZE,
           "fill=\"%s\" stroke=\"%s\" stroke-width=\"%g\" stroke-linejoin=\"round\" "
           "stroke-linecap=\"round\"%s",
           fill, edge, width, opacity);
}

/* A thick line with an edge: a wide one below a narrow one. */
static void draw_link(const page* p, const item* it, const moving_path* path, FILE* to)
{
  char style[STYLE_SIZE];
  for (int inner = 0; inner < 2; inner++) {
    const char* const* colour = inner ? area_colour : edge_colour;
    snprintf(style, sizeof style,
             "fill=\"none\" stroke=\"%s\" stroke-width=\"%d\" stroke-linecap=\"round\"",
             colour[it->colour % COLOURS], inner ? 11 : 16);
    put_path(to, p, path, style);
  }
}

/* The material behind a line on the ground: to the right of its direction in the world, so to the
 * left of it where the page shows the plane from behind (y down). */
static void draw_hatching(const page* p, const double xy[4], FILE* to)
{
  double dx = xy[2] - xy[0], dy = xy[3] - xy[1], length = hypot(dx, dy);
  if (!(length > 0)) return;
  fputs("<path fill=\"url(#hatch)\" d=\"M", to);
  const double depth = p->right[0] * p->up[1] < 0 ? -12 : 12; /* [pixels] */
  const double nx = -dy / length * depth, ny = dx / length * depth;
  const double corner[4][2] = {
      {xy[0], xy[1]}, {xy[2], xy[3]}, {xy[2] + nx, xy[3] + ny}, {xy[0] + nx, xy[1] + ny}};
  for (int k = 0; k < 4; k++) {
    if (k) fputc(k == 1 ? 'L' : ' ', to);
    put_pixels(to, corner[k][0]);
    fputc(' ', to);
    put_pixels(to, corner[k][1]);
  }
  fputs("Z\"/>\n", to);
}

enum { ZIGZAG_POINTS = 16 };

/* A zigzag between the two points of a line. */
static pc_status draw_spring(const page* p, const double* ends, const char* style, FILE* to)
{
  moving_path path = {.count = ZIGZAG_POINTS};
  path.xy = calloc((size_t)p->frames * ZIGZAG_POINTS * 2, sizeof *path.xy);
  if (!path.xy) return PC_OUT_OF_MEMORY;
  for (int k = 0; k < p->frames; k++) {
    const double *a = ends + 4 * k, *b = a + 2;
    double length = hypot(b[0] - a[0], b[1] - a[1]);
    double nx = length > 0 ? (a[1] - b[1]) / length : 0,
           ny = length > 0 ? (b[0] - a[0]) / length : 0;
    for (int j = 0; j < ZIGZAG_POINTS; j++) {
      int inside = j > 1 && j < ZIGZAG_POINTS - 2;
      double along = j == 0                   ? 0
                     : j == ZIGZAG_POINTS - 1 ? 1
                                              : 0.12 + 0.76 * (j - 1) / (ZIGZAG_POINTS - 3.0);
      double across = inside ? (j % 2 ? 8 : -8) : 0;
      double* at = path.xy + ((size_t)k * ZIGZAG_POINTS + (size_t)j) * 2;
      at[0] = a[0] + along * (b[0] - a[0]) + across * nx;
      at[1] = a[1] + along * (b[1] - a[1]) + across * ny;
    }
  }
  put_path(to, p, &path, style);
  free(path.xy);
  return PC_OK;
}

static double turn_of(const double* a, const double* b, const double* c)
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* The points of a frame become their convex hull, the last corner repeated: gift wrapping. */
static void wrap(double* xy, int count)
{
  double* hull = malloc((size_t)count * 2 * sizeof *hull);
  if (!hull) return;
  int start = 0, at, n = 0;
  for (int k = 1; k < count; k++)
    if (xy[2 * k] < xy[2 * start]) start = k;
  at = start;
  do {
    int next = at == 0 ? 1 : 0;
    memcpy(hull + (size_t)(2 * n++), xy + 2 * at, 2 * sizeof *xy);
    for (int k = 0; k < count; k++)
      if (turn_of(xy + 2 * at, xy + 2 * next, xy + 2 * k) < 0) next = k;
    at = next;
  } while (at != start && n < count);
  for (int k = n; k < count; k++)
    memcpy(hull + (size_t)(2 * k), hull + (size_t)(2 * n - 2), 2 * sizeof *xy);
  memcpy(xy, hull, (size_t)count * 2 * sizeof *xy);
  free(hull);
}

/* What is drawn around a point, whatever its size in the world. */
static const char* mark_of(const item* it)
{
  switch (it->layer) {
    case LAYER_SUPPORT:
      return "<path d=\"M0 0L-15 24 15 24Z\" fill=\"#FFFFFF\" stroke=\"#555555\" "
             "stroke-width=\"2.5\" "
             "stroke-linejoin=\"round\"/><path d=\"M-22 24L22 24\" stroke=\"#555555\" "
             "stroke-width=\"2.5\" stroke-linecap=\"round\"/><path d=\"M-20 25L20 25 20 34-20 "
             "34Z\" "
             "fill=\"url(#hatch)\"/>";
    case LAYER_PIN:
      return "<circle r=\"5.5\" fill=\"#FFFFFF\" stroke=\"#333333\" stroke-width=\"2.5\"/>";
    case LAYER_WELD: return "<path d=\"M-5-5L5-5 5 5-5 5Z\" fill=\"#333333\"/>";
    case LAYER_TOUCH: return "<circle r=\"3.5\" fill=\"#333333\"/>";
    default: return NULL;
  }
}

static pc_status draw_item(const scene* s, const page* p, const item* it, FILE* to)
{
  if (it->where == IN_PAGE) return PC_OK;
  char style[STYLE_SIZE], circle[STYLE_SIZE + 64];
  pc_status status = PC_OK;
  double* xy = trace(s, p, it);
  if (!xy) return PC_OUT_OF_MEMORY;
  moving_path path = {xy, it->count, it->closed, it->silhouette, 0};
  choose_style(it, style);
  if (it->radius > 0) {
    snprintf(circle, sizeof circle, "<circle r=\"%.1f\" %s/>", it->radius * p->scale, style);
    put_moving(to, p, xy, circle);
  } else if (mark_of(it)) {
    put_moving(to, p, xy, mark_of(it));
  } else if (it->layer == LAYER_LINK) {
    draw_link(p, it, &path, to);
  } else if (it->layer == LAYER_SPRING) {
    status = draw_spring(p, xy, style, to);
  } else {
    for (int k = 0; it->silhouette && k < p->frames; k++)
      wrap(xy + (size_t)k * (size_t)it->count * 2, it->count);
    for (int k = 0; it->layer == LAYER_GROUND && !it->closed && k + 1 < it->count; k++)
      draw_hatching(p, xy + 2 * k, to);
    put_path(to, p, &path, style);
  }
  free(xy);
  return status;
}

/* ---- bars --------------------------------------------------------------------------------- */

/* A cell of a bar: where it is and how it is strained over the frames. */
typedef struct cell {
  const double* strain; /* frames */
  double largest;
} cell;

/* From blue for compression over white to orange for tension. */
static void put_strain(FILE* to, const void* user, int frame)
{
  static const double ends[2][3] = {{0, 114, 178}, {230, 159, 0}};
  const cell* c = user;
  double part = c->largest > 0 ? c->strain[frame] / c->largest : 0;
  const double* colour = ends[part > 0];
  fputc('#', to);
  for (int i = 0; i < 3; i++)
    fprintf(to, "%02X", (unsigned)lround(246 + fmin(1, fabs(part)) * (colour[i] - 246)));
}

/* Strain of each cell in each frame against the start; `largest` of all. */
static double* find_strains(const scene* s, const pc_part_info* bar, double* largest)
{
  const motion* m = s->motion;
  int cells = bar_cells(bar);
  double* strain = calloc((size_t)cells * (size_t)m->frame_count, sizeof *strain);
  const double* q0 = pc_system_q0(m->system);
  *largest = 0;
  for (int c = 0; strain && c < cells; c++)
    for (int k = 0; k < m->frame_count; k++) {
      const double* q = m->q + (size_t)k * (size_t)pc_system_q_count(m->system);
      int a = bar_node(bar, c), b = bar_node(bar, c + 1);
      double value = (q[b] - q[a]) / (q0[b] - q0[a]) - 1;
      if (fabs(value) < 1e-12) value = 0;
      strain[c * m->frame_count + k] = value;
      *largest = fmax(*largest, fabs(value));
    }
  return strain;
}

static void draw_cell(const scene* s, const page* p, const pc_part_info* bar, int c, cell strain,
                      double* xy, FILE* to)
{
  const motion* m = s->motion;
  for (int k = 0; k < p->frames; k++) {
    const double* q = m->q + (size_t)k * (size_t)pc_system_q_count(m->system);
    for (int j = 0; j < 4; j++) {
      double x[3] = {q[bar_node(bar, c + (j == 1 || j == 2))], 0, 0}, *at = xy + 8 * k + 2 * j;
      on_page(p, x, at);
      at[1] += j < 2 ? -22 : 22;
    }
  }
  moving_path path = {xy, 4, 1, 0, 0};
  fputs("<path stroke=\"#0072B2\" stroke-width=\"1\" stroke-opacity=\"0.45\" d=\"", to);
  put_path_at(to, &path, p->frame);
  fputs("\" fill=\"", to);
  put_strain(to, &strain, p->frame);
  fputs("\">", to);
  if (path_moves(xy, p->frames, 8))
    put_animation(to, p, "animate attributeName=\"d\"", 0, put_path_at, &path);
  if (p->frames > 1 && strain.largest > 0)
    put_animation(to, p, "animate attributeName=\"fill\"", 0, put_strain, &strain);
  fputs("</path>\n", to);
}

static pc_status draw_bars(const scene* s, const page* p, FILE* to)
{
  const motion* m = s->motion;
  double* xy = calloc((size_t)p->frames * 8, sizeof *xy);
  pc_status status = xy ? PC_OK : PC_OUT_OF_MEMORY;
  for (int i = 0; status == PC_OK && i < pc_system_part_count(m->system); i++) {
    pc_part_info bar = pc_system_part_info(m->system, (pc_part_id){i});
    if (bar.kind != PC_PART_BAR) continue;
    double largest, *strain = find_strains(s, &bar, &largest);
    if (!strain) status = PC_OUT_OF_MEMORY;
    for (int c = 0; strain && c < bar_cells(&bar); c++)
      draw_cell(s, p, &bar, c, (cell){strain + c * m->frame_count, largest}, xy, to);
    free(strain);
  }
  free(xy);
  return status;
}

/* ---- beams -------------------------------------------------------------------------------- */

/* A beam as a thick line through its nodes. */
static pc_status draw_beams(const scene* s, const page* p, FILE* to)
{
  const motion* m = s->motion;
  for (int i = 0; i < pc_system_part_count(m->system); i++) {
    pc_part_info beam = pc_system_part_info(m->system, (pc_part_id){i});
    int nodes = beam_nodes(&beam);
    if (nodes == 0) continue;
    double* xy = calloc((size_t)p->frames * (size_t)nodes * 2, sizeof *xy);
    if (!xy) return PC_OUT_OF_MEMORY;
    for (int k = 0; k < p->frames; k++)
      for (int n = 0; n < nodes; n++)
        place_node(s, p, i, n, m->q + (size_t)k * (size_t)pc_system_q_count(m->system),
                   xy + 2 * (k * nodes + n));
    moving_path path = {xy, nodes, 0, 0, 0};
    put_path(to, p, &path,
             "fill=\"none\" stroke=\"#0072B2\" stroke-width=\"6\" stroke-opacity=\"0.8\" "
             "stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    free(xy);
    i += beam.chain;
  }
  return PC_OK;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static void put_head(const page* p, const film_options* o, FILE* to)
{
  fprintf(to,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, sans-serif\">\n<title>",
          p->width, p->height, p->width, p->height);
  put_xml_text(to, o->title);
  fputs(
      "</title>\n"
      "<defs><pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\"><path d=\"M0 0L0 7\" stroke=\"#999999\" "
      "stroke-width=\"2.4\"/></pattern></defs>\n",
      to);
  fprintf(to, "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#FFFFFF\"/>\n", p->width,
          p->height);
}

pc_status draw_film(const scene* s, const film_options* o, FILE* to, pc_error* error)
{
  page p = {.duration = s->motion->duration,
            .frames = s->motion->frame_count,
            .still = o->still,
            .frame = o->still ? o->frame : 0};
  choose_view(s, o, &p);
  choose_letters(o, &p);
  pc_status status = fit(s, o, &p, error);
  int i = 0;
  if (status == PC_OK) put_head(&p, o, to);
  for (; status == PC_OK && i < s->count && s->item[i].layer < LAYER_TOUCH; i++)
    status = draw_item(s, &p, &s->item[i], to);
  if (status == PC_OK) status = draw_bars(s, &p, to);
  if (status == PC_OK) status = draw_beams(s, &p, to);
  if (status == PC_OK && !o->no_arrows) status = draw_arrows(s, &p, to, error);
  for (; status == PC_OK && i < s->count; i++) status = draw_item(s, &p, &s->item[i], to);
  if (status != PC_OK) return status;
  draw_frame(s, &p, o, to);
  fputs("</svg>\n", to);
  return PC_OK;
}
