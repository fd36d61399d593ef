// Things that move, drawn many at a time: lines, areas, round things, marks. Each is given by points of tracks and
// follows the motion when `update` is called.
import {
  BufferAttribute, BufferGeometry, CanvasTexture, DoubleSide, DynamicDrawUsage, Float32BufferAttribute, InstancedMesh,
  Matrix4, Mesh, Points, PointsMaterial, Quaternion, Sphere, SRGBColorSpace, Vector3,
} from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";

// No bounds: they would have to be found again in every frame.
const EVERYWHERE = new Sphere(new Vector3(), Infinity);

// Points in an array that grows: three coordinates in the frame of a track.
class PointList {
  constructor() {
    this.track = [];
    this.at = [];
  }

  add(track, x, y, z) {
    this.track.push(track);
    this.at.push(x, y, z);
    return this.track.length - 1;
  }

  get length() {
    return this.track.length;
  }

  get moves() {
    return this.track.some(track => track >= 0);
  }

  place(motion, out) {
    const { track, at } = this;
    for (let i = 0; i < track.length; i++) motion.point(track[i], at[3 * i], at[3 * i + 1], at[3 * i + 2], out, 3 * i);
  }
}

// Line segments of a width in pixels.
export class LineBatch {
  constructor(style) {
    this.points = new PointList();
    this.material = new LineMaterial({ linewidth: style.width, dashed: !!style.dashed, transparent: true,
      depthTest: style.depth !== false, depthWrite: false });
    this.style = style;
  }

  segment(trackA, a, trackB, b) {
    this.points.add(trackA, a[0], a[1], a[2]);
    this.points.add(trackB, b[0], b[1], b[2]);
  }

  // A path through points, of one track or each of its own.
  path(track, points, closed) {
    const on = k => Array.isArray(track) ? track[k] : track, n = points.length;
    for (let k = 0; k + (closed ? 0 : 1) < n; k++) this.segment(on(k), points[k], on((k + 1) % n), points[(k + 1) % n]);
  }

  build() {
    const geometry = new LineSegmentsGeometry();
    this.numbers = new Float32Array(3 * this.points.length);
    geometry.setPositions(this.numbers);
    this.buffer = geometry.attributes.instanceStart.data;
    this.buffer.setUsage(DynamicDrawUsage);
    geometry.boundingSphere = EVERYWHERE;
    this.object = new LineSegments2(geometry, this.material);
    this.object.frustumCulled = false;
    this.object.renderOrder = this.style.order;
    this.moves = this.points.moves;
    this.fresh = true;
    return this.object;
  }

  update(motion) {
    if (!this.moves && !this.fresh) return;
    this.points.place(motion, this.buffer.array);
    this.buffer.needsUpdate = true;
    if (this.style.dashed) this.object.computeLineDistances();
    this.fresh = false;
  }
}

// Triangles; the track of a triangle can be found for picking.
export class AreaBatch {
  constructor(style, material) {
    this.points = new PointList();
    this.index = [];
    this.material = material;
    this.style = style;
    material.side = DoubleSide;
  }

  // Points of one track or each of its own.
  triangles(track, points, faces) {
    const first = this.points.length;
    points.forEach(([x, y, z], k) => this.points.add(Array.isArray(track) ? track[k] : track, x, y, z));
    for (const k of faces) this.index.push(first + k);
  }

  // A convex polygon.
  polygon(track, points) {
    const faces = [];
    for (let k = 2; k < points.length; k++) faces.push(0, k - 1, k);
    this.triangles(track, points, faces);
  }

  build() {
    const geometry = new BufferGeometry();
    this.numbers = new BufferAttribute(new Float32Array(3 * this.points.length), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", this.numbers);
    geometry.setIndex(this.index);
    geometry.boundingSphere = EVERYWHERE;
    this.object = new Mesh(geometry, this.material);
    this.object.frustumCulled = false;
    this.object.renderOrder = this.style.order;
    this.object.userData.trackOf = hit => this.points.track[hit.face.a];
    this.moves = this.points.moves;
    this.fresh = true;
    return this.object;
  }

  update(motion) {
    if (!this.moves && !this.fresh) return;
    this.points.place(motion, this.numbers.array);
    this.numbers.needsUpdate = true;
    this.fresh = false;
  }
}

// One geometry at many places: balls, discs, links.
export class InstanceBatch {
  constructor(style, geometry, material) {
    this.style = style;
    this.geometry = geometry;
    this.material = material;
    this.item = [];
  }

  add(track, at, turn, scale, colour) {
    this.item.push({ track, at, turn, scale, colour });
  }

  build() {
    const mesh = this.object = new InstancedMesh(this.geometry, this.material, this.item.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.boundingSphere = EVERYWHERE;
    mesh.renderOrder = this.style.order;
    mesh.userData.trackOf = hit => this.item[hit.instanceId].track;
    this.fresh = true;
    this.moves = this.item.some(i => i.track >= 0);
    this.local = this.item.map(i => new Matrix4().compose(new Vector3(...i.at), i.turn, new Vector3(...i.scale)));
    this.colour();
    return mesh;
  }

  colour() {
    this.item.forEach((item, k) => this.object.setColorAt(k, this.style.colour(item.colour)));
    if (this.object.instanceColor) this.object.instanceColor.needsUpdate = true;
  }

  update(motion) {
    if (!this.moves && !this.fresh) return;
    const matrix = new Matrix4(), position = new Vector3(), turn = new Quaternion(), one = new Vector3(1, 1, 1);
    for (let k = 0; k < this.item.length; k++) {
      const track = this.item[k].track;
      if (track >= 0) {
        position.fromArray(motion.position, 3 * track);
        turn.fromArray(motion.rotation, 4 * track);
        matrix.compose(position, turn, one).multiply(this.local[k]);
      } else {
        matrix.copy(this.local[k]);
      }
      matrix.toArray(this.object.instanceMatrix.array, 16 * k);
    }
    this.object.instanceMatrix.needsUpdate = true;
    this.fresh = false;
  }
}

// Drawings of a size in pixels at points. `draw(context, size)` draws around the middle of a square.
export class MarkBatch {
  constructor(style, size, draw) {
    this.points = new PointList();
    this.style = style;
    this.size = size;
    this.draw = draw;
  }

  build() {
    this.canvas = document.createElement("canvas");
    this.canvas.width = this.canvas.height = 4 * this.size;
    this.texture = new CanvasTexture(this.canvas);
    this.texture.colorSpace = SRGBColorSpace;
    this.paint();
    const geometry = new BufferGeometry();
    this.numbers = new Float32BufferAttribute(new Float32Array(3 * Math.max(1, this.points.length)), 3);
    geometry.setAttribute("position", this.numbers.setUsage(DynamicDrawUsage));
    geometry.setDrawRange(0, this.points.length);
    this.material = new PointsMaterial({ size: this.size, sizeAttenuation: false, map: this.texture,
      transparent: true, depthTest: false, depthWrite: false, opacity: this.style.opacity ?? 1 });
    this.object = new Points(geometry, this.material);
    this.object.frustumCulled = false;
    this.object.renderOrder = this.style.order;
    return this.object;
  }

  paint() {
    const context = this.canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(4, 0, 0, 4, 2 * this.size, 2 * this.size);
    this.draw(context);
    this.texture.needsUpdate = true;
  }

  update(motion) {
    this.points.place(motion, this.numbers.array);
    this.numbers.needsUpdate = true;
  }

  // Smaller than drawn, by a factor.
  shrink(factor) {
    this.material.size = this.size * factor;
  }
}

// A place where points are given one by one, at most `capacity`: contacts that are closed.
export class FreePoints extends MarkBatch {
  constructor(style, size, draw, capacity) {
    super(style, size, draw);
    for (let k = 0; k < capacity; k++) this.points.add(-1, 0, 0, 0);
    this.count = 0;
  }

  begin() {
    this.count = 0;
  }

  put(x, y, z) {
    if (this.count >= this.points.length) return;
    this.numbers.setXYZ(this.count++, x, y, z);
  }

  end() {
    this.object.geometry.setDrawRange(0, this.count);
    this.numbers.needsUpdate = true;
  }

  update() {}
}
