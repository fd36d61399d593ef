// Makes dist/view.html: the page with its style and program in it, and a mark where `percuss view` puts the data.
// `node build.mjs --check` makes it and says whether dist/view.html is the same.
import { build } from "esbuild";
import { readFileSync, mkdirSync, writeFileSync } from "node:fs";

const read = path => readFileSync(new URL(path, import.meta.url), "utf8");

async function bundle(file, options = {}) {
  const made = await build({ entryPoints: [new URL(file, import.meta.url).pathname], bundle: true, minify: true, write: false,
    format: "iife", target: "es2022", charset: "ascii", legalComments: "none", logLevel: "warning", ...options });
  return made.outputFiles[0].text.trim();
}

// Both libraries ask for their notice to be kept.
const notices = ["three", "uplot"].map(name => `${name} ${JSON.parse(read(`node_modules/${name}/package.json`)).version}\n\n${read(`node_modules/${name}/LICENSE`).trim()}`);
const script = (await bundle("src/main.js")).replaceAll("</script", "<\\/script");
const style = await bundle("src/style.css") + "\n" + await bundle("node_modules/uplot/dist/uPlot.min.css", { loader: { ".css": "css" } });
const fill = (text, mark, value) => text.split(mark).join(value);
let page = fill(fill(read("src/page.html"), "@STYLE@", style), "@SCRIPT@", script);
page = page.replace("<html lang=\"en\">", `<html lang="en">\n<!--\nThe page of \`percuss view\` (Apache-2.0). It contains:\n\n${notices.join("\n\n")}\n-->`);

if (process.argv.includes("--check")) {
  if (read("dist/view.html") === page) process.exit(0);
  console.error("web/dist/view.html is not what web/src makes: run 'make web'");
  process.exit(1);
}
mkdirSync(new URL("dist", import.meta.url), { recursive: true });
writeFileSync(new URL("dist/view.html", import.meta.url), page);
console.log(`web/dist/view.html: ${Math.round(page.length / 1024)} kB`);
