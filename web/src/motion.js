// Where everything is at a time: positions and rotations between the frames of a result.

// The quaternion of a rotation vector, into q at `to`.
function exponential(x, y, z, q, to) {
  const angle = Math.sqrt(x * x + y * y + z * z);
  const scale = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
  q[to] = scale * x;
  q[to + 1] = scale * y;
  q[to + 2] = scale * z;
  q[to + 3] = Math.cos(angle / 2);
}

export class Motion {
  constructor(result) {
    this.result = result;
    this.count = result.tracks.length;
    this.position = new Float64Array(3 * this.count);   // of each track [m]
    this.rotation = new Float64Array(4 * this.count);   // quaternion x, y, z, w
    for (let i = 0; i < this.count; i++) this.rotation[4 * i + 3] = 1;
    this.next = new Float64Array(4);
    this.frame = -1;
    this.part = 0;
  }

  // The last frame that is not after t.
  frameAt(t) {
    const time = this.result.time;
    let low = 0, high = time.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (time[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // Goes to a time; what is before the first frame or after the last stays there.
  set(t) {
    const time = this.result.time;
    const frame = this.frameAt(t), after = Math.min(frame + 1, time.length - 1);
    const span = time[after] - time[frame];
    this.frame = frame;
    this.part = span > 0 ? Math.max(0, Math.min(1, (t - time[frame]) / span)) : 0;
    this.a = frame * this.result.numbers;
    this.b = after * this.result.numbers;
    const tracks = this.result.tracks;
    for (let i = 0; i < this.count; i++) this.move(i, tracks[i]);
  }

  // A number between the two frames.
  number(offset) {
    const v = this.result.poses, x = v[this.a + offset];
    return x + this.part * (v[this.b + offset] - x);
  }

  move(i, track) {
    const p = this.position, at = track.at;
    if (track.kind === "nodes" || track.kind === "bar") return;
    p[3 * i] = this.number(at);
    p[3 * i + 1] = this.number(at + 1);
    if (track.kind === "planar") {
      const angle = this.number(at + 2);
      this.rotation[4 * i + 2] = Math.sin(angle / 2);
      this.rotation[4 * i + 3] = Math.cos(angle / 2);
    } else if (this.result.dimension === 3) {
      p[3 * i + 2] = this.number(at + 2);
      if (track.kind === "spatial") this.turn(i, at + 3);
    }
  }

  // The shorter way between two rotations, a normalised mean of their quaternions.
  turn(i, at) {
    const v = this.result.poses, q = this.rotation, n = this.next, to = 4 * i, a = this.a + at, b = this.b + at;
    exponential(v[a], v[a + 1], v[a + 2], q, to);
    exponential(v[b], v[b + 1], v[b + 2], n, 0);
    const dot = q[to] * n[0] + q[to + 1] * n[1] + q[to + 2] * n[2] + q[to + 3] * n[3];
    const f = dot < 0 ? -this.part : this.part, e = 1 - this.part;
    let size = 0;
    for (let k = 0; k < 4; k++) {
      q[to + k] = e * q[to + k] + f * n[k];
      size += q[to + k] * q[to + k];
    }
    size = Math.sqrt(size) || 1;
    for (let k = 0; k < 4; k++) q[to + k] /= size;
  }

  // A point of a track (-1: the ground) in the inertial frame, into out at `to`.
  point(track, x, y, z, out, to) {
    if (track < 0) {
      out[to] = x;
      out[to + 1] = y;
      out[to + 2] = z;
      return;
    }
    const q = this.rotation, k = 4 * track, qx = q[k], qy = q[k + 1], qz = q[k + 2], qw = q[k + 3];
    const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
    out[to] = x + qw * tx + qy * tz - qz * ty + this.position[3 * track];
    out[to + 1] = y + qw * ty + qz * tx - qx * tz + this.position[3 * track + 1];
    out[to + 2] = z + qw * tz + qx * ty - qy * tx + this.position[3 * track + 2];
  }

  // The nodes of a beam, three numbers each.
  nodes(track, out) {
    const size = this.result.dimension;
    for (let n = 0; n < track.nodes; n++) {
      for (let d = 0; d < size; d++) out[3 * n + d] = this.number(track.at + size * n + d);
      if (size === 2) out[3 * n + 2] = 0;
    }
  }
}
