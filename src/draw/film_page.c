/* A film on a page with a player. */
#include <math.h>

#include "draw/film.h"
#include "draw/xml.h"

static void put_page_head(const char* title, FILE* to)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>", to);
  put_xml_text(to, title);
  fputs(
      "</title>\n"
      "<style>body{margin:1rem auto;max-width:60rem;padding:0 1rem;background:#F4F4F2;"
      "color:#333;font-family:Helvetica,Arial,sans-serif}"
      "#film{position:relative}#film>svg{display:block;width:100%;height:auto;"
      "max-height:calc(100vh - 6rem)}"
      "#controls{display:flex;gap:1rem;align-items:center;margin-top:1rem}"
      "#time{position:absolute;height:2.5rem;margin:0;opacity:0;cursor:pointer;"
      "-webkit-appearance:none;appearance:none}"
      "#time::-webkit-slider-thumb{-webkit-appearance:none;width:1px;height:2.5rem}"
      "#time::-moz-range-thumb{width:1px;border:0}"
      "button{font-size:1rem;padding:.4rem 1rem;min-width:6rem}</style>\n"
      "</head>\n<body>\n<div id=\"film\">\n",
      to);
}

/* The film's own clock is the only state: the slider reads it and sets it. The slider itself is
 * not seen: it lies on the film's line of time, whose knob and ticks show where it is. */
static void put_page_foot(const motion* m, FILE* to)
{
  fprintf(to,
          "<input id=\"time\" type=\"range\" min=\"0\" max=\"%.6g\" step=\"any\" value=\"0\" "
          "aria-label=\"time\"/></div>\n",
          m->duration);
  fputs(
      "<div id=\"controls\"><button id=\"play\" type=\"button\">Pause</button>"
      "<span>space: play or pause; left, right: a frame; or drag the time</span></div>\n",
      to);
  fprintf(to, "<script>\nconst length = %.6g, frame = %.9g;\n", m->duration,
          m->duration / fmax(1, m->frame_count - 1));
  fputs(
      "const film = document.querySelector('#film > svg'), line = film.querySelector('.time');\n"
      "const play = document.getElementById('play'), time = document.getElementById('time');\n"
      "let runs = true;\n"
      "function set(on) {\n"
      "  runs = on;\n"
      "  play.textContent = on ? 'Pause' : 'Play';\n"
      "  if (on) film.unpauseAnimations(); else film.pauseAnimations();\n"
      "}\n"
      "function show(t) {\n"
      "  set(false);\n"
      "  time.value = Math.max(0, Math.min(t, 0.9999 * length));\n"
      "  film.setCurrentTime(Number(time.value));\n"
      "}\n"
      "play.onclick = () => set(!runs);\n"
      "time.oninput = () => show(Number(time.value));\n"
      "document.onkeydown = key => {\n"
      "  if (key.key === ' ') set(!runs);\n"
      "  else if (key.key === 'ArrowLeft') show(Number(time.value) - frame);\n"
      "  else if (key.key === 'ArrowRight') show(Number(time.value) + frame);\n"
      "  else return;\n"
      "  key.preventDefault();\n"
      "};\n"
      "function lay() {\n"
      "  const on = line.getBoundingClientRect(), from = time.parentNode.getBoundingClientRect();\n"
      "  time.style.left = on.left - from.left + 'px';\n"
      "  time.style.width = on.width + 'px';\n"
      "  time.style.top = on.top - from.top - time.offsetHeight / 2 + 'px';\n"
      "}\n"
      "function follow() {\n"
      "  if (runs) time.value = film.getCurrentTime() % length;\n"
      "  requestAnimationFrame(follow);\n"
      "}\n"
      "if (line) {\n"
      "  window.onresize = lay;\n"
      "  lay();\n"
      "  follow();\n"
      "} else {\n"
      "  document.getElementById('controls').remove();\n"
      "  time.remove();\n"
      "}\n"
      "</script>\n</body>\n</html>\n",
      to);
}

pc_status draw_film_page(const scene* s, const film_options* o, FILE* to, pc_error* error)
{
  put_page_head(o->title, to);
  pc_status status = draw_film(s, o, to, error);
  put_page_foot(s->motion, to);
  return status;
}
