// Geometries and small constructions.
import { BoxGeometry, BufferGeometry, ConeGeometry, CylinderGeometry, Float32BufferAttribute, Quaternion, SphereGeometry, Vector3 } from "three";
import { ConvexHull } from "three/examples/jsm/math/ConvexHull.js";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

// A ball with lighter and darker octants, so that it is seen to turn. Fewer faces where there are many.
export function ball(many) {
  const [across, up] = many > 3000 ? [12, 8] : many > 300 ? [20, 12] : [40, 24];
  const geometry = new SphereGeometry(1, across, up).rotateX(Math.PI / 2).toNonIndexed();
  const at = geometry.attributes.position, colour = new Float32Array(3 * at.count);
  for (let k = 0; k < at.count; k += 3) { // by faces
    const x = at.getX(k) + at.getX(k + 1) + at.getX(k + 2), y = at.getY(k) + at.getY(k + 1) + at.getY(k + 2);
    const z = at.getZ(k) + at.getZ(k + 1) + at.getZ(k + 2);
    colour.fill(x * y * z > 0 ? 0.72 : 1, 3 * k, 3 * k + 9);
  }
  geometry.setAttribute("color", new Float32BufferAttribute(colour, 3));
  return geometry;
}

// A flat ring from `inner` to 1; a disc if that is 0.
export function ring(inner, many) {
  const n = many > 1000 ? 20 : 56, at = [], index = [];
  for (let k = 0; k < n; k++) {
    const a = 2 * Math.PI * k / n;
    at.push(inner * Math.cos(a), inner * Math.sin(a), 0, Math.cos(a), Math.sin(a), 0);
    const i = 2 * k, j = 2 * ((k + 1) % n);
    index.push(i, i + 1, j + 1, i, j + 1, j);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(at, 3));
  geometry.setIndex(index);
  return geometry;
}

export function box() {
  return new BoxGeometry(1, 1, 1);
}

export function cylinder() {
  return new CylinderGeometry(1, 1, 1, 16);
}

// An arrow of length 1 along y whose tip is the origin.
export function arrow() {
  const head = new ConeGeometry(0.5, 0.34, 14).translate(0, -0.17, 0);
  const shaft = new CylinderGeometry(0.16, 0.16, 0.66, 10).translate(0, -0.67, 0);
  return mergeGeometries([head, shaft]);
}

// Corners of a convex body as triangles and its edges: pairs of points where two faces meet at an angle.
export function hull(points) {
  const shape = new ConvexHull().setFromPoints(points.map(p => new Vector3(...p)));
  const at = [], faces = [], edges = [];
  for (const face of shape.faces) {
    const first = at.length;
    let edge = face.edge;
    do {
      const p = edge.head().point, tail = edge.tail().point;
      at.push([p.x, p.y, p.z]);
      if (edge.twin.face.normal.dot(face.normal) < 0.999 && before(tail, p))
        edges.push([[tail.x, tail.y, tail.z], [p.x, p.y, p.z]]);
      edge = edge.next;
    } while (edge !== face.edge);
    for (let k = first + 2; k < at.length; k++) faces.push(first, k - 1, k);
  }
  return { at, faces, edges };
}

function before(a, b) {
  return a.x !== b.x ? a.x < b.x : a.y !== b.y ? a.y < b.y : a.z < b.z;
}

// The least width of a polygon in the plane: over its edges, how far the other corners are from them.
export function narrowness(points) {
  let least = Infinity;
  for (let k = 0; k < points.length; k++) {
    const [ax, ay] = points[k], [bx, by] = points[(k + 1) % points.length], length = Math.hypot(bx - ax, by - ay);
    if (!(length > 0)) continue;
    let low = 0, high = 0;
    for (const [x, y] of points) {
      const off = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length;
      low = Math.min(low, off);
      high = Math.max(high, off);
    }
    least = Math.min(least, high - low);
  }
  return least;
}

// A line with round ends in the plane, as a polygon around it.
export function stadium(a, b, radius) {
  const along = Math.atan2(b[1] - a[1], b[0] - a[0]), points = [], n = 10;
  for (const [end, turn] of [[b, -Math.PI / 2], [a, Math.PI / 2]])
    for (let k = 0; k <= n; k++) {
      const angle = along + turn + Math.PI * k / n;
      points.push([end[0] + radius * Math.cos(angle), end[1] + radius * Math.sin(angle), 0]);
    }
  return points;
}

// Middle, rotation and length of the line from a to b, for a cylinder along y.
export function between(a, b) {
  const from = new Vector3(...a), to = new Vector3(...b), along = to.clone().sub(from), length = along.length();
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), length > 0 ? along.divideScalar(length) : new Vector3(0, 1, 0));
  return { middle: from.add(to).multiplyScalar(0.5).toArray(), turn, length };
}

// A coil between two points: `n` turns of a radius, straight ends; into out (COIL_POINTS x 3).
export const COIL_POINTS = 98;
export function coil(ax, ay, az, bx, by, bz, radius, flat, out) {
  const dx = bx - ax, dy = by - ay, dz = bz - az, length = Math.hypot(dx, dy, dz) || 1;
  const ex = dx / length, ey = dy / length, ez = dz / length;
  // two directions across; in the plane the second one points out of it
  let ux = -ey, uy = ex, uz = 0, size = Math.hypot(ux, uy);
  if (size < 1e-6) { ux = 1; uy = 0; size = 1; }
  ux /= size; uy /= size;
  const vx = ey * uz - ez * uy, vy = ez * ux - ex * uz, vz = ex * uy - ey * ux, turns = 6;
  for (let k = 0; k < COIL_POINTS; k++) {
    const inside = k > 0 && k < COIL_POINTS - 1, part = inside ? (k - 1) / (COIL_POINTS - 3) : k === 0 ? 0 : 1;
    const along = inside ? 0.1 + 0.8 * part : part, angle = 2 * Math.PI * turns * part;
    const c = inside ? radius * Math.sin(angle) : 0, s = inside && !flat ? radius * (Math.cos(angle) - 0) : 0;
    out[3 * k] = ax + along * dx + c * ux + s * vx;
    out[3 * k + 1] = ay + along * dy + c * uy + s * vy;
    out[3 * k + 2] = az + along * dz + c * uz + s * vz;
  }
}
