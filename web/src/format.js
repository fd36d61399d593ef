// Numbers for people: a few digits and a prefix.

const PREFIX = ["p", "n", "µ", "m", "", "k", "M", "G", "T"];
const PREFIXED = new Set(["m", "s", "N s", "N", "J", "m/s", "N m", "N m s", "W", "Pa"]);

export function digits(value, count = 4) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-4) return Number(value.toPrecision(count)).toExponential().replace("e+", "e");
  return String(Number(value.toPrecision(count)));
}

export function quantity(value, unit, count = 4) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0 || !PREFIXED.has(unit)) return `${digits(value, count)}${unit ? " " + unit : ""}`;
  const power = Math.max(-4, Math.min(4, Math.floor(Math.log10(Math.abs(value)) / 3 + 1e-12)));
  const scaled = value / 10 ** (3 * power);
  if (Math.abs(scaled) < 1e-3 || Math.abs(scaled) >= 1e5) return `${digits(value, count)} ${unit}`;
  return `${Number(scaled.toPrecision(count))} ${PREFIX[power + 4]}${unit}`;
}

// The largest of 1, 2, 5 times a power of ten that is not above.
export function roundDown(value) {
  const decade = 10 ** Math.floor(Math.log10(value)), lead = value / decade;
  return decade * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}
