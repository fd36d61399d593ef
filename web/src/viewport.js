// The picture: cameras, lights, the mechanisms of all results, picking, traces, labels.
import {
  AmbientLight, Box3, Color, DirectionalLight, HemisphereLight, MOUSE, OrthographicCamera, PerspectiveCamera, Raycaster, Scene, TOUCH,
  Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import * as colours from "./colours.js";
import { quantity, roundDown } from "./format.js";
import { Mechanism } from "./mechanism.js";
import { Motion } from "./motion.js";

const AZIMUTH = -60 * Math.PI / 180, ELEVATION = 20 * Math.PI / 180; // as in the films
const LABELS_MAX = 60;

export class Viewport {
  constructor(canvas, labels, scale, results) {
    this.canvas = canvas;
    this.labels = labels;
    this.scaleBar = scale;
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.scene = new Scene();
    this.flat = results[0].dimension === 2;
    this.down = !!results[0].down;
    this.mechanisms = results.map((result, k) => new Mechanism(result, k > 0));
    for (const m of this.mechanisms) this.scene.add(m.root);
    this.what = { arrows: true, contacts: true, joints: true, traces: true, names: !!results[0].abstract };
    this.follow = -1;
    this.picked = null; // {mechanism, track, local}
    this.traces = [];
    this.changed = true;
    this.addLights();
    this.addCamera();
    this.fit();
    this.recolour();
  }

  addLights() {
    this.scene.add(new HemisphereLight(0xffffff, 0xb0b0a8, 1.6), new AmbientLight(0xffffff, 0.5));
    const sun = new DirectionalLight(0xffffff, 1.9);
    sun.position.set(0.4, -0.9, 1.4);
    this.scene.add(sun);
  }

  addCamera() {
    this.camera = this.flat ? new OrthographicCamera(-1, 1, 1, -1, -1e6, 1e6) : new PerspectiveCamera(35, 1, 1e-3, 1e4);
    if (this.flat) this.camera.up.set(0, this.down ? -1 : 1, 0);
    else this.camera.up.set(0, 0, this.down ? -1 : 1);
    const c = this.controls = new OrbitControls(this.camera, this.canvas);
    c.enableDamping = false;
    c.zoomToCursor = true;
    c.screenSpacePanning = true;
    if (this.flat) {
      c.enableRotate = false;
      c.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      c.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    c.addEventListener("change", () => { this.changed = true; });
  }

  // All that moves, seen as a whole.
  fit() {
    const box = new Box3();
    for (const m of this.mechanisms) box.expandByPoint(new Vector3(...m.low)).expandByPoint(new Vector3(...m.high));
    const middle = box.getCenter(new Vector3()), side = box.getSize(new Vector3());
    this.extent = Math.max(side.x, side.y, side.z) || 1;
    this.fitted = { middle, box };
    this.controls.target.copy(middle);
    if (this.flat) {
      this.camera.position.set(middle.x, middle.y, this.down ? -10 : 10);
      this.camera.zoom = 1;
    } else {
      this.camera.near = this.extent / 1000;
      this.camera.far = this.extent * 1000;
    }
    this.resize(true);
    if (!this.flat) this.stepBack(box);
    this.controls.update();
    this.changed = true;
  }

  // The distance from which the corners of a box fill the window.
  stepBack(box) {
    const eye = new Vector3(Math.cos(ELEVATION) * Math.cos(AZIMUTH), Math.cos(ELEVATION) * Math.sin(AZIMUTH), Math.sin(ELEVATION));
    const { min, max } = box, corner = new Vector3();
    if (this.down) eye.multiply(new Vector3(1, -1, -1));
    let distance = 4 * this.extent;
    for (let pass = 0; pass < 8; pass++) {
      let reach = 0;
      this.camera.position.copy(eye).multiplyScalar(distance).add(this.controls.target);
      this.camera.lookAt(this.controls.target);
      this.camera.updateMatrixWorld();
      for (let k = 0; k < 8; k++) {
        corner.set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).project(this.camera);
        reach = Math.max(reach, Math.abs(corner.x), Math.abs(corner.y));
      }
      distance = Math.max(distance * reach / 0.88, 0.7 * this.extent);
    }
    this.camera.position.copy(eye).multiplyScalar(distance).add(this.controls.target);
  }

  // The longest arrow, in pixels.
  get arrowPixels() {
    return 0.13 * Math.min(this.width, 2 * this.height);
  }

  // The box with margins into a window of any shape. In the plane arrows are in the picture, too: their lengths are in pixels.
  frame() {
    const { width, height } = this, { box } = this.fitted, span = 1.12;
    if (!this.flat) {
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      return;
    }
    const all = box.clone();
    let scale;
    for (let pass = 0; pass < 2; pass++) {
      const side = all.getSize(new Vector3());
      scale = span * Math.max(Math.max(side.x, 0.25 * this.extent) / width, Math.max(side.y, 0.25 * this.extent) / height);
      if (pass === 0) for (const m of this.mechanisms) m.tails(this.arrowPixels * scale, p => all.expandByPoint(p));
    }
    const { middle } = this.fitted, by = all.getCenter(new Vector3()).sub(middle);
    this.camera.left = by.x - scale * width / 2;
    this.camera.right = by.x + scale * width / 2;
    by.y *= this.down ? -1 : 1;
    this.camera.top = by.y + scale * height / 2;
    this.camera.bottom = by.y - scale * height / 2;
    this.camera.updateProjectionMatrix();
  }

  resize(force) {
    const width = this.canvas.clientWidth || 1, height = this.canvas.clientHeight || 1, ratio = Math.min(2, window.devicePixelRatio || 1);
    if (!force && width === this.width && height === this.height && ratio === this.ratio) return;
    Object.assign(this, { width, height, ratio });
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.frame();
    this.changed = true;
  }

  recolour() {
    this.scene.background = new Color(colours.theme.paper);
    for (const m of this.mechanisms) m.recolour();
    for (const trace of this.traces) trace.line.material.color.copy(colours.edge(trace.colour));
    this.changed = true;
  }

  // Metres per pixel at the point that the camera looks at.
  get metresPerPixel() {
    if (this.flat) return (this.camera.right - this.camera.left) / this.camera.zoom / this.width;
    const distance = this.camera.position.distanceTo(this.controls.target);
    return 2 * distance * Math.tan(this.camera.fov * Math.PI / 360) / this.height;
  }

  // ---- picking and following ----

  // What is at a place of the window, in pixels of it.
  pick(x, y) {
    const area = this.canvas.getBoundingClientRect(), ray = new Raycaster();
    ray.setFromCamera(new Vector2(2 * (x - area.left) / area.width - 1, 1 - 2 * (y - area.top) / area.height), this.camera);
    ray.params.Line2 = { threshold: 4 };
    let best = null;
    for (const mechanism of this.mechanisms) {
      if (!mechanism.root.visible) continue;
      for (const object of mechanism.pickable)
        for (const hit of ray.intersectObject(object, false)) {
          const track = object.userData.trackOf(hit), rank = object.renderOrder;
          const nearer = !best || (this.flat ? rank > best.rank : hit.distance < best.distance);
          if (track >= 0 && nearer) best = { mechanism, track, at: hit.point, distance: hit.distance, rank };
        }
    }
    this.choose(best ? best.mechanism : null, best ? best.track : -1, best ? best.at : null);
    return best && best.mechanism.result.tracks[best.track].name;
  }

  choose(mechanism, track, at) {
    this.picked = mechanism && { mechanism, track, local: at ? this.local(mechanism, track, at) : [0, 0, 0] };
    this.changed = true;
  }

  // A point of the inertial frame in that of a track.
  local(mechanism, track, at) {
    const { position, rotation } = mechanism.motion, q = [...rotation.subarray(4 * track, 4 * track + 4)];
    const x = at.x - position[3 * track], y = at.y - position[3 * track + 1], z = this.flat ? 0 : at.z - position[3 * track + 2];
    const v = new Vector3(x, y, z).applyQuaternion({ x: -q[0], y: -q[1], z: -q[2], w: q[3] });
    return v.toArray();
  }

  setFollow(track) {
    this.follow = track;
    this.followed = null;
    this.changed = true;
  }

  moveCamera() {
    if (this.follow < 0) return;
    const p = this.mechanisms[0].motion.position, now = new Vector3().fromArray(p, 3 * this.follow);
    if (this.followed) {
      const by = now.clone().sub(this.followed);
      this.camera.position.add(by);
      this.controls.target.add(by);
      this.camera.updateMatrixWorld();
    }
    this.followed = now;
  }

  // ---- traces ----

  // The path of a point of a track, drawn up to the present.
  addTrace(mechanism, track, local) {
    const motion = new Motion(mechanism.result), frames = mechanism.result.frames, at = new Float32Array(3 * Math.max(2, frames));
    for (let k = 0; k < frames; k++) {
      motion.set(mechanism.result.time[k]);
      motion.point(track, ...local, at, 3 * k);
    }
    if (frames === 1) at.copyWithin(3, 0, 3);
    const geometry = new LineGeometry().setPositions(at), colour = mechanism.result.tracks[track].colour ?? 0;
    const line = new Line2(geometry, new LineMaterial({ linewidth: 1.8, transparent: true, depthTest: !this.flat, color: colours.edge(colour) }));
    line.frustumCulled = false;
    line.renderOrder = 100;
    this.scene.add(line);
    this.traces.push({ mechanism, track, line, colour });
    this.changed = true;
  }

  clearTraces() {
    for (const { line } of this.traces) {
      this.scene.remove(line);
      line.geometry.dispose();
    }
    this.traces = [];
    this.changed = true;
  }

  // ---- labels and scale ----

  placeLabels() {
    const wanted = [], { mechanism, track } = this.picked ?? {};
    if (this.what.names)
      this.mechanisms[0].result.tracks.forEach((t, k) => { if (!t.node && t.kind !== "bar" && t.kind !== "nodes" && wanted.length < LABELS_MAX) wanted.push([this.mechanisms[0], k]); });
    else if (mechanism) wanted.push([mechanism, track]);
    while (this.labels.children.length > wanted.length) this.labels.lastChild.remove();
    while (this.labels.children.length < wanted.length) this.labels.append(document.createElement("span"));
    const at = new Vector3();
    wanted.forEach(([m, k], i) => {
      const span = this.labels.children[i];
      at.fromArray(m.motion.position, 3 * k).add(new Vector3(...(m.result.tracks[k].label ?? [0, 0, 0]))).project(this.camera);
      span.textContent = m.result.tracks[k].name;
      span.style.transform = `translate(${((at.x + 1) / 2 * this.width + 8).toFixed(1)}px, ${((1 - at.y) / 2 * this.height + 6).toFixed(1)}px)`;
      span.hidden = at.z > 1;
    });
    this.hideCovered();
  }

  // Of names that would cover each other the first is shown.
  hideCovered() {
    const shown = [];
    for (const span of this.labels.children) {
      if (span.hidden) continue;
      const area = span.getBoundingClientRect();
      span.hidden = shown.some(b => area.left < b.right && b.left < area.right && area.top < b.bottom && b.top < area.bottom);
      if (!span.hidden) shown.push(area);
    }
  }

  placeScale() {
    const length = roundDown(0.2 * this.width * this.metresPerPixel);
    this.scaleBar.firstElementChild.textContent = quantity(length, "m", 2);
    this.scaleBar.lastElementChild.style.width = `${(length / this.metresPerPixel).toFixed(1)}px`;
    this.scaleBar.style.visibility = this.mechanisms[0].result.abstract ? "hidden" : "";
  }

  // ---- a frame ----

  render(t) {
    this.resize(false);
    const length = this.arrowPixels * this.metresPerPixel;
    for (const m of this.mechanisms) {
      if (!m.root.visible) continue;
      m.update(t, length);
      m.shrinkMarks(this.metresPerPixel);
      m.show(this.what);
    }
    this.moveCamera();
    for (const trace of this.traces) {
      trace.line.visible = this.what.traces && trace.mechanism.root.visible;
      trace.line.geometry.instanceCount = Math.max(1, trace.mechanism.motion.frame);
    }
    this.renderer.render(this.scene, this.camera);
    this.placeLabels();
    this.placeScale();
    this.changed = false;
  }

  // The present picture as a data URL.
  picture(t) {
    this.render(t);
    return this.canvas.toDataURL("image/png");
  }
}
