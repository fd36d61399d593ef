// The side panel: results, what is shown, the chosen body, the digest of a run, its impacts.
import { ofResult } from "./colours.js";
import { digits, quantity } from "./format.js";

const element = id => document.getElementById(id);

function make(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function check(text, on, change) {
  const box = make("input", { type: "checkbox", checked: on, onchange: () => change(box.checked) });
  return make("label", {}, box, ` ${text}`);
}

// Rows of a table; numbers to the right.
function table(rows) {
  return make("table", {}, ...rows.map(row => make("tr", {}, ...row.map((cell, k) => make(k === 0 ? "th" : "td", { textContent: cell })))));
}

export class Panel {
  constructor(app) {
    this.app = app;
    this.addResults();
    this.addShow();
    this.addDigest(0);
    this.addImpacts(0);
    this.tellPicked();
    this.recolour();
  }

  // Colours of the theme.
  recolour() {
    this.swatches.forEach((swatch, k) => { swatch.style.background = ofResult(k); });
  }

  addResults() {
    const { results, viewport } = this.app;
    this.swatches = [];
    element("results-box").hidden = results.length < 2;
    results.forEach((result, k) => {
      const box = check("", true, on => {
        viewport.mechanisms[k].root.visible = on;
        result.hidden = !on;
        this.app.plots.redraw();
        this.app.refresh();
      });
      const name = make("a", { href: "#", textContent: result.label, onclick: event => {
        event.preventDefault();
        this.addDigest(k);
        this.addImpacts(k);
      } });
      name.style.color = "inherit";
      const swatch = make("span", { className: "swatch" });
      this.swatches.push(swatch);
      box.append(swatch, name);
      element("results").append(box);
    });
  }

  addShow() {
    const { viewport } = this.app, show = element("show");
    const kinds = [["arrows", "impulses"], ["contacts", "contacts"], ["joints", "joints"], ["traces", "traces"], ["names", "names"]];
    this.boxes = {};
    for (const [key, text] of kinds) {
      const label = check(text, viewport.what[key], on => {
        viewport.what[key] = on;
        this.app.refresh();
      });
      this.boxes[key] = label.firstChild;
      show.append(label);
    }
  }

  toggle(key) {
    this.boxes[key].checked = !this.boxes[key].checked;
    this.boxes[key].onchange();
  }

  addDigest(k) {
    const result = this.app.results[k], d = result.digest, o = result.options, [T0, V0, T1, V1] = d.energy;
    const start = T0 + V0, end = T1 + V1, rows = [];
    if (this.app.results.length > 1) rows.push(["result", result.label]);
    rows.push(["scheme", o.scheme ?? "–"]);
    if (o.dt) rows.push(["step", quantity(Number(o.dt), "s", 3)]);
    rows.push(["time", `${quantity(d.from, "s")} to ${quantity(d.until, "s")}, ${d.rows} rows`]);
    // A share of the energy would depend on where the potential is zero.
    const noise = 1e-12 * d.energy.concat(d.balance).reduce((sum, part) => sum + Math.abs(part), 0), names = ["work", "impacts", "friction", "the scheme"];
    const shown = value => quantity(Math.abs(value) > noise ? value : 0, "J");
    rows.push(["energy", `${shown(start)} → ${shown(end)}`]);
    const parts = names.map((name, n) => [name, n === 0 ? d.balance[n] : -d.balance[n]]).filter(([, part]) => Math.abs(part) > noise);
    if (parts.length) rows.push(["by", parts.map(([name, part]) => `${name} ${part > 0 ? "+" : ""}${quantity(part, "J", 3)}`).join(", ")]);
    if (d.penetration && d.penetration[1] > 1e-12) rows.push(["deepest", `${quantity(d.penetration[1], "m", 3)}, ${d.penetration[0]} at ${quantity(d.penetration[2], "s")}`]);
    for (const key of Object.keys(o).filter(key => key.startsWith("set:"))) rows.push([key.slice(4), o[key]]);
    const box = element("digest");
    box.replaceChildren(table(rows));
    if (d.contacts.length) {
      const head = make("tr", {}, ...["contact", "closings", "largest", "at"].map(text => make("th", { textContent: text })));
      const lines = d.contacts.map(([name, closings, largest, when, unit]) => make("tr", {},
        make("td", { textContent: name }), make("td", { className: "n", textContent: closings }),
        make("td", { className: "n", textContent: quantity(largest, unit, 3) }), make("td", { className: "n", textContent: quantity(when, "s") })));
      box.append(make("table", {}, head, ...lines));
    }
    if (result.contacts.left_out) box.append(make("div", { className: "note", textContent: `${result.contacts.left_out} small impulses are not drawn.` }));
  }

  addImpacts(k) {
    const result = this.app.results[k], i = result.impacts, list = element("impacts");
    this.impacts = i;
    const n = i.time.length;
    list.replaceChildren(make("div", { className: "note", textContent: n === 0 ? "No contact closes." : n < i.all ? `The ${n} largest of ${i.all}:` : `${n}, normal impulse:` }));
    this.buttons = [];
    for (let m = 0; m < n; m++) {
      const button = make("button", { type: "button", onclick: () => this.app.seek(i.time[m]) },
        make("span", { textContent: quantity(i.time[m], "s") }), make("b", { textContent: result.contact_names[i.contact[m]] }), make("span", { textContent: quantity(i.P_N[m], result.angles.includes(i.contact[m]) ? "N m s" : "N s", 3) }));
      this.buttons.push(button);
    }
    list.append(...this.buttons);
  }

  // Marks the last impact that has happened.
  set(t) {
    const time = this.impacts.time;
    let now = -1;
    while (now + 1 < time.length && time[now + 1] <= t + 1e-12 * Math.abs(t)) now++;
    if (now === this.now) return;
    this.buttons[this.now]?.classList.remove("now");
    this.buttons[now]?.classList.add("now");
    this.now = now;
  }

  tellPicked() {
    const { viewport, results } = this.app, box = element("picked"), picked = viewport.picked;
    const tracks = results[0].tracks.map((track, k) => [track, k]).filter(([track]) => !track.node && track.kind !== "bar" && track.kind !== "nodes");
    const select = make("select", { ariaLabel: "body", onchange: () => {
      const k = Number(select.value);
      viewport.choose(k < 0 ? null : viewport.mechanisms[0], k);
      this.app.refresh();
      this.tellPicked();
    } }, make("option", { value: -1, textContent: "click on a body, or choose one" }),
    ...tracks.slice(0, 2000).map(([track, k]) => make("option", { value: k, textContent: track.name })));
    select.value = picked && picked.mechanism === viewport.mechanisms[0] ? picked.track : -1;
    box.replaceChildren(select);
    if (!picked) {
      if (viewport.traces.length) box.append(this.clearButton());
      return;
    }
    const { mechanism, track, local } = picked, name = mechanism.result.tracks[track].name;
    this.where = make("div", { className: "note" });
    const follow = make("button", { type: "button", textContent: viewport.follow === track ? "Stop following" : "Follow", onclick: () => {
      viewport.setFollow(viewport.follow === track ? -1 : track);
      this.app.refresh();
      this.tellPicked();
    } });
    const trace = make("button", { type: "button", textContent: "Trace this point", onclick: () => {
      viewport.addTrace(mechanism, track, local);
      this.app.refresh();
      this.tellPicked();
    } });
    const plot = make("button", { type: "button", textContent: "Plot", onclick: () => this.plotBody(name) });
    box.append(this.where, follow, " ", trace, " ", plot);
    if (viewport.traces.length) box.append(" ", this.clearButton());
    this.tellPlace();
  }

  clearButton() {
    return make("button", { type: "button", textContent: "Clear traces", onclick: () => {
      this.app.viewport.clearTraces();
      this.app.refresh();
      this.tellPicked();
    } });
  }

  plotBody(name) {
    for (const [quantityName] of this.app.results[0].series.names.filter(([n]) => n.startsWith(name + ".")).slice(0, 3)) this.app.plots.put(quantityName);
  }

  tellPlace() {
    const picked = this.app.viewport.picked;
    if (!picked || !this.where) return;
    const out = [0, 0, 0], { mechanism, track, local } = picked;
    mechanism.motion.point(track, ...local, out, 0);
    const shown = mechanism.result.dimension === 2 ? out.slice(0, 2) : out;
    this.where.textContent = `${mechanism.result.tracks[track].name}: the point is at ${shown.map(x => digits(x, 4)).join(", ")} m`;
  }
}
