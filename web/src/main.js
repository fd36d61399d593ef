// The page: time, keys, and everything that follows the time.
import { setTheme } from "./colours.js";
import { read } from "./data.js";
import { digits, quantity } from "./format.js";
import { Panel } from "./panel.js";
import { Plots } from "./plots.js";
import { Viewport } from "./viewport.js";

const element = id => document.getElementById(id);
const KEYS = [["space", "play or pause"], ["← →", "a frame; with shift ten"], ["home end", "the start, the end"], ["[ ]", "the impact before, the next one"],
  ["+ −", "faster, slower"], ["r", "show all"], ["f", "follow the chosen body"], ["t", "trace the chosen point"], ["i c j n", "impulses, contacts, joints, names"],
  ["d", "dark or light"], ["p", "side panel"], ["?", "this list"]];

class App {
  constructor(results) {
    this.results = results;
    this.label();
    this.from = Math.min(...results.map(r => r.time[0]));
    this.until = Math.max(...results.map(r => r.time[r.time.length - 1]));
    this.t = this.from;
    this.playing = false;
    this.speed = results[0].speed;
    this.chooseTheme(this.remembered("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    this.viewport = new Viewport(element("canvas"), element("labels"), element("scale"), results);
    this.plots = new Plots(element("plots"), results, t => this.seek(t));
    this.plots.start();
    this.panel = new Panel(this);
    this.addControls();
    this.addKeys();
    this.drawTicks();
    this.seek(this.from);
    const loop = now => {
      this.tick(now);
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  // Results are told apart by what differs: their schemes, or else their files.
  label() {
    const schemes = new Set(this.results.map(r => r.options.scheme));
    for (const r of this.results) r.label = schemes.size === this.results.length ? r.options.scheme : r.file;
    const first = this.results[0], o = first.options;
    document.title = `${first.title} – percuss`;
    element("title").textContent = first.title;
    element("subtitle").textContent = this.results.length > 1 ? this.results.map(r => r.label).join(", ") : `${o.scheme ?? ""}${o.dt ? `, dt = ${quantity(Number(o.dt), "s", 3)}` : ""}`;
  }

  // ---- time ----

  seek(t, keepPlaying) {
    this.t = Math.max(this.from, Math.min(this.until, t));
    if (!keepPlaying) this.play(false);
    this.dirty = true;
  }

  play(on) {
    if (on && this.t >= this.until) this.t = this.from;
    this.playing = on && this.until > this.from;
    element("play").textContent = this.playing ? "Pause" : "Play";
    this.last = undefined;
  }

  tick(now) {
    if (this.playing) {
      const passed = this.last === undefined ? 0 : Math.min(0.1, (now - this.last) / 1000);
      this.last = now;
      this.t += passed * this.speed;
      if (this.t > this.until) this.t = this.from + (this.t - this.until) % (this.until - this.from);
      this.dirty = true;
    }
    this.viewport.resize(false);
    if (this.dirty) this.tell();
    if (this.dirty || this.viewport.changed) {
      this.viewport.render(this.t);
      this.panel.tellPlace();
    }
    this.dirty = false;
  }

  // Everything beside the picture.
  tell() {
    const span = this.until - this.from;
    element("time").value = span > 0 ? (this.t - this.from) / span : 0;
    element("clock").textContent = this.clock(this.t);
    this.plots.set(this.t);
    this.panel.set(this.t);
  }

  // The time with as many digits as the frames need.
  clock(t) {
    const span = this.until - this.from || 1, unit = span >= 1 ? ["s", 1] : span >= 1e-3 ? ["ms", 1e3] : ["µs", 1e6];
    const decimals = Math.max(0, Math.min(6, 4 - Math.ceil(Math.log10(span * unit[1]))));
    return `${(t * unit[1]).toFixed(decimals)} ${unit[0]}`;
  }

  step(frames) {
    const motion = this.viewport.mechanisms[0].motion, time = this.results[0].time;
    let frame = motion.frameAt(this.t);
    if (frames < 0 && this.t > time[frame]) frame++;
    this.seek(time[Math.max(0, Math.min(time.length - 1, frame + frames))]);
  }

  impact(direction) {
    const time = this.panel.impacts.time, small = 1e-9 * (this.until - this.from);
    const next = direction > 0 ? time.find(t => t > this.t + small) : time.findLast(t => t < this.t - small);
    if (next !== undefined) this.seek(next);
  }

  refresh() {
    this.viewport.changed = true;
  }

  // ---- controls ----

  addControls() {
    element("play").onclick = () => this.play(!this.playing);
    element("back").onclick = () => this.step(-1);
    element("forth").onclick = () => this.step(1);
    element("time").oninput = event => this.seek(this.from + Number(event.target.value) * (this.until - this.from));
    element("reset").onclick = () => this.viewport.fit();
    element("theme").onclick = () => this.switchTheme();
    element("fold").onclick = () => element("panel").classList.toggle("folded");
    element("help").onclick = () => this.showKeys();
    this.addSpeeds();
    const add = element("add");
    element("quantities").replaceChildren(...this.plots.names.map(name => Object.assign(document.createElement("option"), { value: name })));
    add.onchange = () => {
      if (this.plots.put(add.value.trim())) add.value = "";
    };
    this.addPicking();
    window.addEventListener("resize", () => {
      this.drawTicks();
      this.plots.resize();
      this.refresh();
    });
    window.addEventListener("beforeprint", () => { element("print").src = this.viewport.picture(this.t); });
  }

  addSpeeds() {
    const select = element("speed"), speeds = new Set([this.speed]);
    for (let power = -6; power <= 2; power++) for (const lead of [1, 2, 5]) speeds.add(Number(`${lead}e${power}`));
    this.speeds = [...speeds].filter(s => s >= this.speed / 120 && s <= this.speed * 120).sort((a, b) => a - b);
    select.replaceChildren(...this.speeds.map(s => Object.assign(document.createElement("option"), { value: s, textContent: s === 1 ? "real time" : `× ${digits(s, 3)}` })));
    select.value = this.speed;
    select.onchange = () => { this.speed = Number(select.value); };
  }

  faster(direction) {
    const k = this.speeds.indexOf(this.speed) + direction;
    if (k < 0 || k >= this.speeds.length) return;
    this.speed = this.speeds[k];
    element("speed").value = this.speed;
  }

  // A click that is no drag.
  addPicking() {
    const canvas = element("canvas");
    let pressed = null;
    canvas.addEventListener("pointerdown", event => { pressed = [event.clientX, event.clientY]; });
    canvas.addEventListener("pointerup", event => {
      if (pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 5) this.pick(event.clientX, event.clientY);
      pressed = null;
    });
  }

  pick(x, y) {
    const name = this.viewport.pick(x, y);
    this.panel.tellPicked();
    return name;
  }

  addKeys() {
    const act = {
      " ": () => this.play(!this.playing), ArrowLeft: e => this.step(e.shiftKey ? -10 : -1), ArrowRight: e => this.step(e.shiftKey ? 10 : 1),
      Home: () => this.seek(this.from), End: () => this.seek(this.until), "[": () => this.impact(-1), "]": () => this.impact(1),
      "+": () => this.faster(1), "=": () => this.faster(1), "-": () => this.faster(-1), r: () => this.viewport.fit(), d: () => this.switchTheme(),
      p: () => element("panel").classList.toggle("folded"), "?": () => this.showKeys(),
      i: () => this.panel.toggle("arrows"), c: () => this.panel.toggle("contacts"), j: () => this.panel.toggle("joints"), n: () => this.panel.toggle("names"),
      f: () => this.followPicked(), t: () => this.tracePicked(),
    };
    document.addEventListener("keydown", event => {
      const typing = event.target.matches?.("input:not([type=range]):not([type=checkbox]), select, textarea");
      if (typing || event.ctrlKey || event.metaKey || event.altKey || !act[event.key]) return;
      if (event.key === " " && event.target.matches?.("button")) event.target.blur();
      act[event.key](event);
      event.preventDefault();
    });
  }

  followPicked() {
    const picked = this.viewport.picked;
    this.viewport.setFollow(picked && this.viewport.follow !== picked.track ? picked.track : -1);
    this.panel.tellPicked();
  }

  tracePicked() {
    const picked = this.viewport.picked;
    if (picked) this.viewport.addTrace(picked.mechanism, picked.track, picked.local);
    this.panel.tellPicked();
  }

  showKeys() {
    const dialog = element("keys");
    if (dialog.open) {
      dialog.close();
      return;
    }
    const rows = KEYS.map(([keys, text]) => {
      const row = document.createElement("tr"), cell = document.createElement("td"), what = document.createElement("td");
      cell.append(...keys.split(" ").flatMap(key => [Object.assign(document.createElement("kbd"), { textContent: key }), " "]));
      what.textContent = text;
      row.append(cell, what);
      return row;
    });
    const table = document.createElement("table");
    table.append(...rows);
    dialog.replaceChildren(table);
    dialog.showModal();
    dialog.onclick = () => dialog.close();
  }

  // Impacts along the time.
  drawTicks() {
    const canvas = element("ticks"), ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const context = canvas.getContext("2d"), span = this.until - this.from;
    context.scale(ratio, ratio);
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent");
    context.globalAlpha = 0.7;
    for (const t of this.results[0].impacts.time) if (span > 0) context.fillRect((t - this.from) / span * width - 0.6, 0, 1.2, height);
  }

  // ---- theme ----

  // Storage may be forbidden: in a frame, or by the browser.
  remembered(key) {
    try {
      return localStorage.getItem(`percuss-${key}`);
    } catch {
      return null;
    }
  }

  chooseTheme(name) {
    this.theme = name;
    document.documentElement.classList.toggle("dark", name === "dark");
    setTheme(name === "dark");
  }

  switchTheme() {
    this.chooseTheme(this.theme === "dark" ? "light" : "dark");
    try {
      localStorage.setItem("percuss-theme", this.theme);
    } catch { /* then it is not remembered */ }
    this.viewport.recolour();
    this.panel.recolour();
    this.plots.redraw();
    this.drawTicks();
  }
}

try {
  const app = new App(read());
  // For scripts: notebooks, tests.
  window.percuss = {
    app,
    get time() { return app.t; },
    get names() { return app.plots.names; },
    seek: t => app.seek(t),
    play: on => app.play(on !== false),
    plot: name => app.plots.put(name),
    pick: (x, y) => app.pick(x, y),
    picture: () => app.viewport.picture(app.t),
  };
} catch (error) {
  const message = element("message");
  message.hidden = false;
  message.textContent = /WebGL/i.test(String(error)) ? "This browser has no WebGL, which the picture needs." : `The page cannot show this result: ${error}`;
  throw error;
}
