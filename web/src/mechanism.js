// The objects of one result: bodies, joints, beams, contacts, impulses.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, FrontSide, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial,
  MeshLambertMaterial, Quaternion, ShapeUtils, Vector2, Vector3,
} from "three";
import { AreaBatch, FreePoints, InstanceBatch, LineBatch, MarkBatch } from "./batch.js";
import * as colours from "./colours.js";
import { Motion } from "./motion.js";
import * as shapes from "./shapes.js";

const ORDER = ["ground", "grid", "guide", "sheet", "body", "link", "mark", "beam", "spring", "rod", "support", "pin", "weld", "touch", "arrow", "lit", "trace"];
const WIDTH = { ground: 2.5, grid: 1, guide: 1.5, sheet: 4, body: 2, link: 2, mark: 2, beam: 6, spring: 2, rod: 3 };
const FADING = 0.8 ** (2 * 25 / 60); // of an impulse from frame to frame
const FADE_FRAMES = 48;
const TOUCH_MAX = 400;               // points of contact that are marked
const MARK_MIN = 0.3;                // marks shrink to this share beside small bodies, arrows among many
const ARROWS_LONG = 24;              // so many arrows at a time have their full length
const BOX_EDGES_MAX = 3000;

const NO_TURN = new Quaternion();

function order(layer) {
  return ORDER.indexOf(layer);
}

// The rotation of a solid within its body.
function turnOf(item) {
  const a = item.turn;
  return a ? new Quaternion().setFromRotationMatrix(new Matrix4().set(a[0], a[1], a[2], 0, a[3], a[4], a[5], 0, a[6], a[7], a[8], 0, 0, 0, 0, 1)) : NO_TURN;
}

// The points of an item as triples.
function triples(item) {
  const points = [];
  for (let k = 0; k < item.on.length; k++) points.push(item.points.slice(3 * k, 3 * k + 3));
  return points;
}

const DRAWINGS = {
  pin(c) {
    c.beginPath();
    c.arc(0, 0, 5.5, 0, 2 * Math.PI);
    c.fillStyle = colours.theme.paper;
    c.strokeStyle = colours.theme.ink;
    c.lineWidth = 2.5;
    c.fill();
    c.stroke();
  },
  weld(c) {
    c.fillStyle = colours.theme.ink;
    c.fillRect(-5, -5, 10, 10);
  },
  touch(c) {
    c.beginPath();
    c.arc(0, 0, 3.2, 0, 2 * Math.PI);
    c.fillStyle = colours.theme.ink;
    c.fill();
  },
  support(c) {
    c.strokeStyle = colours.theme.neutralEdge;
    c.fillStyle = colours.theme.paper;
    c.lineWidth = 2.2;
    c.lineJoin = "round";
    c.beginPath();
    c.moveTo(0, 0);
    c.lineTo(-13, 21);
    c.lineTo(13, 21);
    c.closePath();
    c.fill();
    c.stroke();
    c.beginPath();
    c.moveTo(-19, 21);
    c.lineTo(19, 21);
    c.stroke();
    c.lineWidth = 1.3;
    for (let x = -18; x <= 15; x += 6) {
      c.beginPath();
      c.moveTo(x, 28);
      c.lineTo(x + 6, 22);
      c.stroke();
    }
  },
};

export class Mechanism {
  constructor(result, overlay) {
    this.result = result;
    this.overlay = overlay; // drawn in one colour, over the first result
    this.motion = new Motion(result);
    this.flat = result.dimension === 2;
    this.root = new Group();
    this.batches = [];
    this.byStyle = new Map();
    this.pickable = [];
    this.special = []; // {update(motion)}: beams, springs, bars
    this.paints = [];  // functions that set the colours of the theme
    this.box();
    this.addItems();
    this.addTracks();
    this.addContacts();
    for (const batch of this.byStyle.values()) this.keep(batch);
    this.recolour();
  }

  keep(batch) {
    this.root.add(batch.build());
    this.batches.push(batch);
    if (batch.object.userData.trackOf && batch.style.pick !== false) this.pickable.push(batch.object);
    return batch;
  }

  // ---- size ----

  // The box around all tracks and items in some of the frames; `extent` is its largest side.
  box() {
    const { result, motion } = this, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const out = new Float64Array(3 * 4096);
    const widen = (p, k, by) => {
      for (let d = 0; d < 3; d++) {
        low[d] = Math.min(low[d], p[k + d] - by);
        high[d] = Math.max(high[d], p[k + d] + by);
      }
    };
    const step = Math.max(1, Math.ceil(result.frames * (result.items.length + 1) / 40000));
    for (let frame = 0; frame < result.frames; frame += step) {
      motion.set(result.time[frame]);
      for (const item of result.items) {
        const by = item.radius ?? item.cylinder ?? (item.ellipsoid ? Math.max(...item.ellipsoid) : item.box ? Math.hypot(...item.box) / 2 : 0);
        for (let k = 0; k < item.on.length; k++) {
          motion.point(item.on[k], item.points[3 * k], item.points[3 * k + 1], item.points[3 * k + 2], out, 0);
          widen(out, 0, by);
        }
      }
      for (const track of result.tracks) {
        if (track.kind === "nodes") {
          motion.nodes(track, out);
          for (let n = 0; n < track.nodes; n++) widen(out, 3 * n, 0);
        } else if (track.kind === "bar") {
          for (const n of [0, track.nodes - 1]) widen([motion.number(track.at + n), 0, 0], 0, 0);
        }
      }
    }
    if (!Number.isFinite(low[0])) low.fill(-0.5), high.fill(0.5);
    this.low = low;
    this.high = high;
    this.extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
  }

  // The width of an item across, or NaN if it has none of its own.
  widthOf(item) {
    if (item.on[0] < 0 || item.layer === "sheet") return NaN;
    if (item.box) return Math.min(...item.box);
    if (item.ellipsoid) return 2 * Math.min(...item.ellipsoid);
    if (item.radius || item.cylinder) return 2 * (item.radius ?? item.cylinder);
    return this.flat && item.closed && item.layer === "body" ? shapes.narrowness(triples(item)) : NaN;
  }

  // The width of most bodies: marks are no larger than that. NaN if they are drawn as lines.
  get bodyWidth() {
    if (this.median === undefined) {
      const widths = this.result.items.map(item => this.widthOf(item)).filter(width => width > 0).sort((a, b) => a - b);
      this.median = widths.length ? widths[widths.length >> 1] : NaN;
    }
    return this.median;
  }

  // ---- styles ----

  colourOf(role, index) {
    if (this.overlay && role !== "lit") return new Color(this.resultColour);
    return role === "area" ? colours.area(index) : role === "solid" ? colours.solid(index) : colours.edge(index);
  }

  get resultColour() {
    return colours.ofResult(this.result.index);
  }

  get opacity() {
    return this.overlay ? 0.45 : 1;
  }

  lines(layer, colour, how = {}) {
    const key = `line ${layer} ${colour}`;
    if (!this.byStyle.has(key)) {
      const depth = !this.flat && layer !== "spring" && layer !== "beam" ? true : !this.flat;
      const batch = new LineBatch({ width: WIDTH[layer] ?? 2, dashed: layer === "guide", order: order(how.order ?? layer) + 0.5, depth });
      batch.material.opacity = this.overlay ? 0.7 : 1;
      if (batch.style.dashed) batch.material.dashSize = batch.material.gapSize = this.extent / 90;
      this.paints.push(() => batch.material.color.copy(this.lineColour(layer, colour)));
      this.byStyle.set(key, batch);
    }
    return this.byStyle.get(key);
  }

  lineColour(layer, colour) {
    const { theme } = colours, plain = { ground: theme.groundEdge, grid: theme.grid, guide: theme.faint, spring: theme.neutralEdge, rod: theme.ink }[layer];
    return plain && (!this.overlay || layer === "grid" || layer === "ground") ? new Color(plain) : this.colourOf("edge", colour);
  }

  areas(layer, colour) {
    const key = `area ${layer} ${colour}`;
    if (!this.byStyle.has(key)) {
      const lit = !this.flat && layer !== "ground";
      const material = new (lit ? MeshLambertMaterial : MeshBasicMaterial)({
        transparent: this.overlay || layer === "ground" || this.flat, ...(lit ? { flatShading: true } : {}), depthTest: !this.flat, depthWrite: !this.flat && layer !== "ground",
        opacity: this.overlay ? 0.25 : layer === "ground" ? (this.flat ? 0.9 : 0.3) : this.flat ? 0.88 : 1, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
      const batch = new AreaBatch({ order: order(layer), pick: layer !== "ground" }, material);
      this.paints.push(() => material.color.copy(
        layer === "ground" ? new Color(colours.theme.ground) : this.colourOf(lit ? "solid" : "area", colour)));
      this.byStyle.set(key, batch);
    }
    return this.byStyle.get(key);
  }

  instances(key, layer, role, geometry) {
    if (!this.byStyle.has(key)) {
      const lit = !this.flat;
      const made = geometry();
      const material = new (lit ? MeshLambertMaterial : MeshBasicMaterial)({
        vertexColors: !!made.attributes.color, transparent: this.overlay || !lit, opacity: this.overlay ? 0.3 : 1,
        depthTest: lit, depthWrite: lit, side: lit ? FrontSide : DoubleSide });
      const batch = new InstanceBatch({ order: order(layer), colour: index => this.colourOf(role, index) }, made, material);
      this.paints.push(() => batch.colour());
      this.byStyle.set(key, batch);
    }
    return this.byStyle.get(key);
  }

  marks(layer) {
    const key = `mark ${layer}`;
    if (!this.byStyle.has(key)) {
      const batch = new MarkBatch({ order: order(layer), opacity: this.opacity }, layer === "support" ? 64 : 18, DRAWINGS[layer]);
      this.paints.push(() => batch.paint());
      this.byStyle.set(key, batch);
    }
    return this.byStyle.get(key);
  }

  // ---- items ----

  addItems() {
    const { items } = this.result;
    for (const item of items) this.nameAt(item);
    const boxes = items.filter(item => item.box).length;
    const balls = items.filter(item => item.radius && item.layer !== "sheet").length;
    const touches = items.filter(item => item.layer === "touch").length;
    for (const item of items) {
      if (item.layer === "touch" && touches > TOUCH_MAX) continue;
      if (item.layer in DRAWINGS) this.marks(item.layer).points.add(item.on[0], ...item.points);
      else if (item.ellipsoid) this.addBall(item, item.ellipsoid, balls);
      else if (item.cylinder) this.addCylinder(item);
      else if (item.box) this.addBox(item, boxes);
      else if (item.faces) this.addFaces(item);
      else if (item.radius) this.addRound(item, balls);
      else if (item.hull) this.addHull(item);
      else if (item.layer === "link" && item.on.some(track => track !== item.on[0])) this.addLine(item);
      else if (item.layer === "link") this.addLink(item);
      else if (item.layer === "spring") this.addSpring(item);
      else if (item.closed) this.addPolygon(item);
      else this.addLine(item);
    }
  }

  // The name of a gap, which has no place of its own, is written at the thing that shows it.
  nameAt(item) {
    const track = this.result.tracks[item.on[0]];
    if (this.result.abstract && track && !track.label) track.label = item.points.slice(0, 3);
  }

  addBall(item, size, many) {
    this.instances("ball", "body", "solid", () => shapes.ball(many)).add(item.on[0], item.points, turnOf(item), size, item.colour);
  }

  addRound(item, many) {
    const r = item.radius, track = item.on[0];
    if (item.layer === "sheet") {
      const points = [];
      for (let k = 0; k < 72; k++) {
        const a = 2 * Math.PI * k / 72;
        points.push([item.points[0] + r * Math.cos(a), item.points[1] + r * Math.sin(a), item.points[2]]);
      }
      this.lines("sheet", item.colour).path(track, points, true);
    } else if (!this.flat) {
      this.addBall(item, [r, r, r], many);
    } else {
      this.instances("disc", "body", "area", () => shapes.ring(0, many)).add(track, item.points, NO_TURN, [r, r, 1], item.colour);
      this.instances("rim", "link", "edge", () => shapes.ring(0.95, many)).add(track, item.points, NO_TURN, [r, r, 1], item.colour);
    }
  }

  addHull(item) {
    const { at, faces, edges } = shapes.hull(triples(item)), track = item.on[0];
    this.areas("body", item.colour).triangles(track, at, faces);
    for (const [a, b] of edges) this.lines("mark", item.colour).segment(track, a, track, b);
  }

  addLink(item) {
    const [a, b] = triples(item), track = item.on[0], radius = 0.013 * Math.min(this.extent, 1.6 * this.result.size);
    if (this.flat) {
      const points = shapes.stadium(a, b, radius);
      this.areas("link", item.colour).polygon(track, points);
      this.lines("link", item.colour).path(track, points, true);
      return;
    }
    const { middle, turn, length } = shapes.between(a, b);
    this.instances("link", "link", "solid", shapes.cylinder).add(track, middle, turn, [radius, length, radius], item.colour);
    for (const end of [a, b])
      this.instances("knob", "link", "solid", () => shapes.ball(400)).add(track, end, NO_TURN, [radius, radius, radius], item.colour);
  }

  addCylinder(item) {
    const { middle, turn, length } = shapes.between(...triples(item)), radius = item.cylinder;
    this.instances("cylinder", "body", "solid", shapes.cylinder).add(item.on[0], middle, turn, [radius, length, radius], item.colour);
  }

  // Many boxes are drawn without their edges.
  addBox(item, many) {
    const turn = turnOf(item), [a, b, c] = item.box, centre = new Vector3(...item.points);
    this.instances("box", "body", "solid", shapes.box).add(item.on[0], item.points, turn, item.box, item.colour);
    if (many > BOX_EDGES_MAX) return;
    const at = (x, y, z) => new Vector3(x * a / 2, y * b / 2, z * c / 2).applyQuaternion(turn).add(centre).toArray();
    const lines = this.lines("mark", item.colour);
    for (const s of [-1, 1])
      for (const r of [-1, 1]) {
        lines.segment(item.on[0], at(-1, s, r), item.on[0], at(1, s, r));
        lines.segment(item.on[0], at(s, -1, r), item.on[0], at(s, 1, r));
        lines.segment(item.on[0], at(s, r, -1), item.on[0], at(s, r, 1));
      }
  }

  addFaces(item) {
    const points = triples(item), triangles = [];
    for (const face of item.faces) for (let k = 2; k < face.length; k++) triangles.push(face[0], face[k - 1], face[k]);
    this.areas("body", item.colour).triangles(item.on[0], points, triangles);
    const lines = this.lines(item.on[0] < 0 ? "grid" : "mark", item.colour);
    for (const face of item.faces)
      face.forEach((a, k) => {
        const b = face[(k + 1) % face.length];
        if (a < b || item.on[0] < 0) lines.segment(item.on[0], points[a], item.on[0], points[b]);
      });
  }

  addPolygon(item) {
    const points = triples(item), { layer } = item;
    if (layer !== "sheet" && layer !== "mark" && layer !== "grid") {
      const areas = this.areas(layer, item.colour);
      if (this.flat) areas.triangles(item.on, points, this.triangulate(item));
      else areas.polygon(item.on, points);
    }
    this.lines(layer, item.colour).path(item.on, points, true);
  }

  // Triangles of a polygon, as it is at the start.
  triangulate(item) {
    const out = [0, 0, 0];
    this.motion.set(this.result.time[0]);
    const points = triples(item).map(([x, y, z], k) => {
      this.motion.point(item.on[k], x, y, z, out, 0);
      return new Vector2(out[0], out[1]);
    });
    return ShapeUtils.triangulateShape(points, []).flat();
  }

  addLine(item) {
    const points = triples(item), batch = this.lines(item.layer === "link" ? "beam" : item.layer, item.colour);
    for (let k = 0; k + 1 < points.length; k++) batch.segment(item.on[k], points[k], item.on[k + 1], points[k + 1]);
    if (item.layer === "ground" && this.flat) this.addHatching(item);
  }

  // The material behind lines on the ground, to the right of their direction.
  addHatching(item) {
    const out = new Float64Array(3 * item.on.length);
    this.motion.set(this.result.time[0]);
    triples(item).forEach((p, k) => this.motion.point(item.on[k], ...p, out, 3 * k));
    for (let k = 0; k + 1 < item.on.length; k++) this.hatch(out.slice(3 * k, 3 * k + 3), out.slice(3 * k + 3, 3 * k + 6));
  }

  hatch(a, b) {
    const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy), gap = this.extent / 70;
    const batch = this.lines("grid", -1);
    if (!(length > 0)) return;
    const ex = dx / length, ey = dy / length, count = Math.min(400, Math.floor(length / gap));
    for (let k = 0; k < count; k++) {
      const s = (k + 1) * length / (count + 0.5), x = a[0] + s * ex, y = a[1] + s * ey;
      batch.segment(-1, [x, y, 0], -1, [x - gap * ex + gap * ey, y - gap * ey - gap * ex, 0]);
    }
  }

  addSpring(item) {
    const batch = new LineBatch({ width: WIDTH.spring, order: order("spring") + 0.5, depth: !this.flat });
    for (let k = 0; k + 1 < shapes.COIL_POINTS; k++) batch.segment(0, [0, 0, 0], 0, [0, 0, 0]);
    batch.material.opacity = this.opacity;
    this.paints.push(() => batch.material.color.copy(this.lineColour("spring", -1)));
    const ends = new Float64Array(6), coil = new Float64Array(3 * shapes.COIL_POINTS), radius = 0.014 * Math.min(this.extent, 2 * this.result.size);
    batch.update = motion => {
      for (const k of [0, 1]) motion.point(item.on[k], item.points[3 * k], item.points[3 * k + 1], item.points[3 * k + 2], ends, 3 * k);
      shapes.coil(...ends, radius, this.flat, coil);
      fillSegments(batch, coil, shapes.COIL_POINTS);
    };
    this.keep(batch);
  }

  // ---- beams and bars ----

  addTracks() {
    this.result.tracks.forEach((track, index) => {
      if (track.kind === "nodes") this.addBeam(track, index);
      if (track.kind === "bar") this.addBar(track);
    });
  }

  addBeam(track) {
    const batch = new LineBatch({ width: WIDTH.beam, order: order("beam"), depth: !this.flat });
    for (let k = 0; k + 1 < track.nodes; k++) batch.segment(0, [0, 0, 0], 0, [0, 0, 0]);
    batch.material.opacity = this.opacity;
    this.paints.push(() => batch.material.color.copy(this.colourOf("edge", track.colour ?? 0)));
    const nodes = new Float64Array(3 * track.nodes);
    batch.update = motion => {
      motion.nodes(track, nodes);
      fillSegments(batch, nodes, track.nodes);
    };
    this.keep(batch);
  }

  // Cells between nodes on a line, blue where compressed, orange where stretched.
  addBar(track) {
    const cells = track.nodes - 1, geometry = new BufferGeometry(), half = 0.035 * this.extent, index = [];
    const at = new BufferAttribute(new Float32Array(12 * cells), 3).setUsage(DynamicDrawUsage);
    const colour = new BufferAttribute(new Float32Array(12 * cells), 3).setUsage(DynamicDrawUsage);
    for (let c = 0; c < cells; c++) index.push(4 * c, 4 * c + 1, 4 * c + 2, 4 * c, 4 * c + 2, 4 * c + 3);
    geometry.setAttribute("position", at);
    geometry.setAttribute("color", colour);
    geometry.setIndex(index);
    const mesh = new Mesh(geometry, new MeshBasicMaterial({ vertexColors: true, side: DoubleSide, depthTest: false, transparent: true, opacity: this.overlay ? 0.5 : 1 }));
    mesh.frustumCulled = false;
    mesh.renderOrder = order("body");
    this.root.add(mesh);
    const largest = this.largestStrain(track);
    this.special.push({ update: motion => {
      const ends = [new Color("#0072B2"), new Color("#E69F00")], base = new Color(colours.theme.neutral);
      for (let c = 0; c < cells; c++) {
        const a = motion.number(track.at + c), b = motion.number(track.at + c + 1);
        const strain = (b - a) / (track.rest[c + 1] - track.rest[c]) - 1, part = largest > 0 ? Math.min(1, Math.abs(strain) / largest) : 0;
        const mixed = base.clone().lerp(ends[strain > 0 ? 1 : 0], part);
        [[a, half], [b, half], [b, -half], [a, -half]].forEach(([x, y], k) => {
          at.setXYZ(4 * c + k, x, y, 0);
          colour.setXYZ(4 * c + k, mixed.r, mixed.g, mixed.b);
        });
      }
      at.needsUpdate = colour.needsUpdate = true;
    } });
  }

  largestStrain(track) {
    const { poses, numbers, frames } = this.result;
    let largest = 0;
    for (let k = 0; k < frames; k++)
      for (let c = 0; c + 1 < track.nodes; c++) {
        const at = k * numbers + track.at + c, rest = track.rest[c + 1] - track.rest[c];
        largest = Math.max(largest, Math.abs((poses[at + 1] - poses[at]) / rest - 1));
      }
    return largest > 1e-6 ? largest : 0; // below that it is the rounding of the poses
  }

  // ---- contacts ----

  addContacts() {
    const c = this.result.contacts, n = c.contact.length;
    let most = 1;
    for (let k = 0; k < this.result.frames; k++) most = Math.max(most, c.first[k + 1] - c.first[k]);
    this.arrowScale = Math.max(0.45, Math.min(1, Math.sqrt(ARROWS_LONG / most)));
    this.size = new Float32Array(n);
    this.largest = 0;
    for (let i = 0; i < n; i++) {
      this.size[i] = Math.hypot(c.impulse[3 * i], c.impulse[3 * i + 1], c.impulse[3 * i + 2]);
      this.largest = Math.max(this.largest, this.size[i]);
    }
    const contacts = c.names.length + c.found; // those between shapes have no names of their own
    this.best = new Float32Array(contacts);
    this.bestAt = new Int32Array(contacts);
    this.shown = [];
    this.lit = new FreePoints({ order: order("lit"), opacity: this.opacity }, 22, context => {
      const glow = context.createRadialGradient(0, 0, 1, 0, 0, 10);
      glow.addColorStop(0, colours.theme.impulse);
      glow.addColorStop(0.3, colours.theme.impulse);
      glow.addColorStop(1, colours.theme.impulse + "00");
      context.fillStyle = glow;
      context.fillRect(-11, -11, 22, 22);
    }, most);
    this.paints.push(() => this.lit.paint());
    this.keep(this.lit);
    const material = new (this.flat ? MeshBasicMaterial : MeshLambertMaterial)({ depthTest: !this.flat, transparent: true, opacity: this.overlay ? 0.55 : 1 });
    this.paints.push(() => material.color.set(this.overlay ? this.resultColour : colours.theme.impulse));
    this.arrows = new InstancedMesh(shapes.arrow(), material, Math.max(1, Math.min(contacts, 4000)));
    this.arrows.frustumCulled = false;
    this.arrows.renderOrder = order("arrow");
    this.root.add(this.arrows);
  }

  // Where the tails of arrows get to, as points; `length` is that of the largest one [m].
  tails(length, each) {
    const c = this.result.contacts, n = c.contact.length, step = Math.max(1, Math.ceil(n / 20000)), p = new Vector3(), by = new Vector3();
    for (let i = 0; i < n; i += step) {
      const long = length * this.arrowScale * Math.sqrt(this.size[i] / this.largest);
      each(p.fromArray(c.at, 3 * i).sub(by.fromArray(c.impulse, 3 * i).setLength(long || 0)));
    }
  }

  // Marks no larger than the bodies they are on; `metres`: per pixel.
  shrinkMarks(metres) {
    const factor = (size, share) => this.bodyWidth > 0 ? Math.max(MARK_MIN, Math.min(1, share * this.bodyWidth / metres / size)) : 1;
    this.lit.shrink(factor(this.lit.size, 1.1));
    for (const layer of ["pin", "weld", "touch"]) this.byStyle.get(`mark ${layer}`)?.shrink(factor(18, 1.3));
  }

  // Arrows of this frame, and of frames before it, shorter; `longest` is the length of the largest one [m].
  placeArrows(longest) {
    const length = longest * this.arrowScale;
    const c = this.result.contacts, frame = this.motion.frame, matrix = new Matrix4(), up = new Vector3(0, 1, 0);
    const from = Math.max(0, frame - FADE_FRAMES), direction = new Vector3(), turn = new Quaternion(), at = new Vector3();
    for (const k of this.shown) this.best[k] = 0;
    this.shown.length = 0;
    this.lit.begin();
    for (let k = frame; k >= from; k--) {
      const fading = FADING ** (frame - k);
      for (let i = c.first[k]; i < c.first[k + 1]; i++) {
        if (k === frame) this.lit.put(c.at[3 * i], c.at[3 * i + 1], c.at[3 * i + 2]);
        const contact = c.contact[i], size = this.size[i] * fading;
        if (size <= this.best[contact]) continue;
        if (this.best[contact] === 0) this.shown.push(contact);
        this.best[contact] = size;
        this.bestAt[contact] = i;
      }
    }
    this.lit.end();
    let count = 0;
    for (const contact of this.shown) {
      const i = this.bestAt[contact], long = length * Math.sqrt(this.best[contact] / this.largest);
      if (!(long > 0.02 * length) || count >= this.arrows.instanceMatrix.count) continue;
      direction.fromArray(c.impulse, 3 * i).normalize();
      const wide = (this.flat ? 0.24 : 0.17) * Math.min(long, 0.7 * length);
      turn.setFromUnitVectors(up, direction);
      at.fromArray(c.at, 3 * i);
      matrix.compose(at, turn, new Vector3(wide, long, wide));
      this.arrows.setMatrixAt(count++, matrix);
    }
    this.arrows.count = count;
    this.arrows.instanceMatrix.needsUpdate = true;
  }

  // ---- all together ----

  recolour() {
    for (const paint of this.paints) paint();
  }

  update(t, arrowLength) {
    this.motion.set(t);
    for (const batch of this.batches) batch.update(this.motion);
    for (const one of this.special) one.update(this.motion);
    this.placeArrows(arrowLength);
  }

  show(what) {
    this.arrows.visible = what.arrows;
    this.lit.object.visible = what.contacts;
    for (const [key, batch] of this.byStyle) {
      if (key.startsWith("mark ")) batch.object.visible = key === "mark touch" ? what.contacts : what.joints;
      if (key.startsWith("line guide") || key.startsWith("line rod")) batch.object.visible = what.joints;
    }
  }
}

// A chain of points into the segments of a batch.
function fillSegments(batch, points, count) {
  const to = batch.buffer.array;
  for (let k = 0; k + 1 < count; k++)
    for (let d = 0; d < 6; d++) to[6 * k + d] = points[3 * k + d];
  batch.buffer.needsUpdate = true;
}
