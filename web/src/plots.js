// Quantities over time, linked to the time of the picture.
import uPlot from "uplot";
import { ofResult, theme } from "./colours.js";
import { unitOf, values } from "./data.js";
import { digits } from "./format.js";

const HEIGHT = 128, HEIGHT_MIN = 84, PLOTS_MAX = 8, LOOKED_AT = 60; // [pixels]; quantities that are looked at for the first plot
const LIGHT = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#8c6d1f"];
const DARK = ["#56B4E9", "#F0B740", "#3cc9a3", "#e59cc4", "#9fb8ff", "#c9b36a"];
const DASH = [[], [6, 4], [2, 3], [9, 3, 2, 3]];

// All times of several results, ascending, each once.
function union(results) {
  const all = new Float64Array(results.reduce((n, r) => n + r.series.time.length, 0));
  let n = 0;
  for (const r of results) {
    all.set(r.series.time, n);
    n += r.series.time.length;
  }
  all.sort();
  return Array.from(all).filter((t, k) => k === 0 || t !== all[k - 1]);
}

// The difference of the largest and the least value.
function range(value) {
  let low = Infinity, high = -Infinity;
  for (const v of value) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return high - low;
}

// Values on other times: undefined where a result has none (lines go on there).
function spread(time, from, value) {
  const out = new Array(time.length);
  for (let k = 0, i = 0; k < time.length; k++) {
    while (i < from.length && from[i] < time[k]) i++;
    if (i < from.length && from[i] === time[k]) out[k] = value[i];
  }
  return out;
}

// The axis of a quantity; one that does not change by more than round-off is in the middle.
function rangeOf(low, high, noise) {
  if (low === null) return [0, 1];
  if (Math.abs(low) < noise && Math.abs(high) < noise) low = high = 0;
  if (!(high - low > noise)) return [low - (Math.abs(low) || 1), high + (Math.abs(high) || 1)];
  return uPlot.rangeNum(low, high, 0.1, true);
}

// As many digits as tell neighbouring ticks apart.
function tickTexts(ticks) {
  const largest = Math.max(...ticks.map(Math.abs)), step = ticks.length > 1 ? ticks[1] - ticks[0] : largest;
  const needed = step > 0 && largest > 0 ? Math.ceil(Math.log10(largest / step)) + 1 : 4;
  return ticks.map(v => digits(v, Math.max(4, Math.min(12, needed))));
}

export class Plots {
  constructor(box, results, seek) {
    this.box = box;
    this.results = results;
    this.seek = seek;
    this.t = results[0].time[0];
    this.plots = [];
    this.time = results.length > 1 ? union(results) : Array.from(results[0].series.time);
    new ResizeObserver(() => this.resize()).observe(box);
  }

  get palette() {
    return theme.dark ? DARK : LIGHT;
  }

  // All names that a result has, in their order.
  get names() {
    const names = new Set();
    for (const r of this.results) for (const [name] of r.series.names) names.add(name);
    return [...names];
  }

  // What is shown at first.
  start() {
    const names = this.results[0].series.names.map(([name]) => name), first = this.results[0].series.chosen ? names.slice(0, 3) : [];
    if (first.length === 0) {
      // A gap that is nothing but round-off is not worth a plot.
      const visible = name => values(this.results[0], name).some(v => Math.abs(v) > 1e-9 * this.results[0].size);
      const gap = names.find(name => name.endsWith(".gap") && visible(name));
      for (const name of [gap, this.firstThatMoves(names) ?? "energy.total"]) if (name && names.includes(name)) first.push(name);
    }
    for (const name of first) this.add([name]);
  }

  // The first quantity of the motion that is more than round-off beside the others of its unit.
  firstThatMoves(names) {
    const own = names.filter(name => !name.startsWith("energy.") && !/\.(gap|gap_velocity|P_N|P_F|P|position|velocity)\b/.test(name)).slice(0, LOOKED_AT);
    const ranges = own.map(name => range(values(this.results[0], name))), largest = new Map();
    own.forEach((name, k) => largest.set(this.unit(name), Math.max(ranges[k], largest.get(this.unit(name)) ?? 0)));
    return own.find((name, k) => ranges[k] > Math.max(this.noise(name) || 1e-9, 1e-6 * largest.get(this.unit(name)))) ?? own[0];
  }

  add(names) {
    const known = names.filter(name => this.results.some(r => r.series.index.has(name)));
    if (known.length === 0 || this.plots.length >= PLOTS_MAX) return false;
    const root = document.createElement("div");
    root.className = "plot";
    const legend = document.createElement("div"), close = document.createElement("button");
    legend.className = "plot-names";
    close.className = "close";
    close.type = "button";
    close.textContent = "×";
    close.title = "remove this plot";
    root.append(legend, close);
    this.box.append(root);
    const plot = { root, legend, names: known, chart: null };
    close.onclick = () => this.remove(plot);
    this.plots.push(plot);
    this.draw(plot);
    this.resize();
    return true;
  }

  // One more quantity into the last plot that has its unit, or into a plot of its own.
  put(name) {
    const unit = this.unit(name), plot = this.plots.findLast(p => p.names.length < LIGHT.length && this.unit(p.names[0]) === unit);
    if (plot && !plot.names.includes(name) && this.results.some(r => r.series.index.has(name))) {
      plot.names.push(name);
      this.draw(plot);
      return true;
    }
    return this.add([name]);
  }

  unit(name) {
    return this.results.map(r => unitOf(r, name)).find(unit => unit) ?? "";
  }

  // Lengths below this are round-off [m]; of other units it is not known.
  noise(name) {
    return this.unit(name) === "m" ? 1e-9 * this.results[0].size : 0;
  }

  remove(plot) {
    plot.chart.destroy();
    plot.root.remove();
    this.plots = this.plots.filter(p => p !== plot);
    this.resize();
  }

  lines(plot) {
    const lines = [];
    plot.names.forEach((name, q) => this.results.forEach((result, r) => {
      const value = values(result, name);
      if (!value || result.hidden) return;
      const many = this.results.length > 1, one = plot.names.length === 1;
      const data = many ? spread(this.time, result.series.time, value) : Array.from(value);
      lines.push({ name, result, data, stroke: many && one ? ofResult(r) : this.palette[q % LIGHT.length], dash: many && !one ? DASH[r % DASH.length] : [] });
    }));
    return lines;
  }

  draw(plot) {
    if (plot.chart) plot.chart.destroy();
    const lines = plot.lines = this.lines(plot), style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--faint").trim(), rule = style.getPropertyValue("--line").trim(), cursor = style.getPropertyValue("--accent").trim();
    const unit = this.unit(plot.names[0]), axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1 }, font: "11px Helvetica, Arial, sans-serif" };
    plot.chart = new uPlot({
      width: this.width, height: this.height, legend: { show: false }, scales: { x: { time: false }, y: { range: (u, low, high) => rangeOf(low, high, this.noise(plot.names[0])) } },
      cursor: { y: false, drag: { x: true, y: false } },
      axes: [{ ...axis, size: 24, values: (u, ticks) => ticks.map((t, k) => digits(t, 5) + (k === ticks.length - 1 ? " s" : "")) },
        { ...axis, size: 62, label: unit || undefined, labelSize: unit ? 14 : 0, labelFont: axis.font, values: (u, ticks) => tickTexts(ticks) }],
      series: [{}, ...lines.map(line => ({ stroke: line.stroke, dash: line.dash, width: 1.4, points: { show: false }, spanGaps: true }))],
      hooks: { draw: [u => this.mark(u, cursor)] },
    }, [this.time, ...lines.map(line => line.data)], plot.root);
    this.listen(plot);
    this.tell(plot);
  }

  // The line of the present time.
  mark(u, colour) {
    const x = u.valToPos(this.t, "x", true), { left, top, width, height } = u.bbox;
    if (x < left || x > left + width) return;
    u.ctx.save();
    u.ctx.strokeStyle = colour;
    u.ctx.lineWidth = 1.5 * devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, top);
    u.ctx.lineTo(x, top + height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  // A click goes to its time; a drag enlarges, a double click shows all (uPlot's own).
  listen(plot) {
    const over = plot.chart.over;
    let pressed = null;
    over.addEventListener("pointerdown", event => { pressed = event.clientX; });
    over.addEventListener("pointerup", event => {
      if (pressed !== null && Math.abs(event.clientX - pressed) < 4)
        this.seek(plot.chart.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
      pressed = null;
    });
  }

  // Names with the values at the present time.
  tell(plot) {
    plot.legend.replaceChildren(...plot.lines.map(line => {
      const span = document.createElement("span"), result = line.result, time = result.series.time;
      let low = 0, high = time.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (time[middle] <= this.t) low = middle;
        else high = middle - 1;
      }
      span.style.color = line.stroke;
      span.textContent = `${line.name}${this.results.length > 1 ? ` (${result.label})` : ""} ${this.text(line.name, values(result, line.name)[low])}`;
      span.title = "remove";
      span.onclick = () => {
        plot.names = plot.names.filter(name => name !== line.name);
        if (plot.names.length === 0) this.remove(plot);
        else this.draw(plot);
      };
      return span;
    }));
  }

  text(name, value) {
    return digits(Math.abs(value) < 1e-3 * this.noise(name) ? 0 : value, 4);
  }

  set(t) {
    this.t = t;
    for (const plot of this.plots) {
      plot.chart.redraw(false, false);
      this.tell(plot);
    }
  }

  get width() {
    return Math.max(200, this.box.clientWidth - 4);
  }

  // Several plots share what the window has for them; more than three are scrolled.
  get height() {
    const space = 0.46 * window.innerHeight - 92, count = Math.max(1, Math.min(3, this.plots.length));
    return Math.max(HEIGHT_MIN, Math.min(HEIGHT, Math.floor(space / count)));
  }

  resize() {
    for (const plot of this.plots) plot.chart?.setSize({ width: this.width, height: this.height });
  }

  redraw() {
    for (const plot of this.plots) this.draw(plot);
  }
}
