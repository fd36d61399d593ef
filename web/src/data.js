// Results as they are in the page. Arrays are packed as base64 of little-endian numbers.

function unpack(text, Type) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new Type(bytes.buffer);
}

function options(text) {
  const value = {};
  for (const line of text.split("\n")) {
    const at = line.indexOf("=");
    if (at > 0) value[line.slice(0, at)] = line.slice(at + 1);
  }
  return value;
}

function prepare(result, index) {
  result.index = index;
  result.time = unpack(result.time, Float64Array);
  result.poses = unpack(result.poses, Float32Array);
  // One track for all points of an item is written once.
  for (const item of result.items) {
    const count = item.points.length / 3;
    if (item.on.length < count) item.on = new Array(count).fill(item.on[0]);
  }
  const c = result.contacts;
  c.first = unpack(c.first, Uint32Array);
  c.contact = unpack(c.contact, Uint32Array);
  c.at = unpack(c.at, Float32Array);
  c.impulse = unpack(c.impulse, Float32Array);
  const i = result.impacts;
  i.time = unpack(i.time, Float64Array);
  i.P_N = unpack(i.P_N, Float32Array);
  i.contact = unpack(i.contact, Uint32Array);
  const s = result.series;
  s.time = unpack(s.time, Float64Array);
  s.packed = s.values;
  s.values = new Map();
  s.index = new Map(s.names.map(([name], k) => [name, k]));
  result.options = options(result.digest.options);
  return result;
}

// The numbers of a quantity, or undefined; unpacked when they are first asked for.
export function values(result, name) {
  const s = result.series, k = s.index.get(name);
  if (k === undefined) return undefined;
  if (!s.values.has(name)) s.values.set(name, unpack(s.packed[k], Float32Array));
  return s.values.get(name);
}

export function unitOf(result, name) {
  const k = result.series.index.get(name);
  return k === undefined ? "" : result.series.names[k][1];
}

export function read() {
  return JSON.parse(document.getElementById("percuss-data").textContent).map(prepare);
}
