// Okabe and Ito's colours but for vermilion, which is for impulses; areas are tints of them.
import { Color } from "three";

const EDGE = ["#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];
const LIGHT = {
  paper: "#ffffff", ink: "#333333", faint: "#9a9a96", grid: "#dcdcd8", ground: "#f1f1ee", groundEdge: "#777777",
  impulse: "#D55E00", select: "#111111", tint: 0.8, edgeLift: 0, neutral: "#eeeeee", neutralEdge: "#555555",
};
const DARK = {
  dark: true, paper: "#17191c", ink: "#d8d8d6", faint: "#7d8288", grid: "#2c3036", ground: "#202327", groundEdge: "#8a8f95",
  impulse: "#ff8a3d", select: "#ffffff", tint: -0.55, edgeLift: 0.25, neutral: "#2b2f34", neutralEdge: "#9aa0a6",
};
// Of results that are overlaid; the first has its bodies' own colours.
const RESULT = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8c6d1f", "#555555"];

export let theme = LIGHT;

export function setTheme(dark) {
  theme = dark ? DARK : LIGHT;
}

function mix(colour, other, part) {
  return new Color(colour).lerp(new Color(other), part);
}

// The colour of an overlaid result, lighter on dark paper.
export function ofResult(index) {
  const colour = RESULT[index % RESULT.length];
  return theme.dark ? `#${mix(colour, "#ffffff", 0.35).getHexString()}` : colour;
}

export function edge(index) {
  if (index < 0) return new Color(theme.neutralEdge);
  return mix(EDGE[index % EDGE.length], "#ffffff", theme.edgeLift);
}

export function area(index) {
  if (index < 0) return new Color(theme.neutral);
  const colour = EDGE[index % EDGE.length];
  return theme.tint > 0 ? mix(colour, "#ffffff", theme.tint) : mix(colour, "#000000", -theme.tint);
}

// Lit surfaces in space: between the two.
export function solid(index) {
  if (index < 0) return new Color(theme.neutralEdge);
  return mix(EDGE[index % EDGE.length], "#ffffff", 0.28);
}
