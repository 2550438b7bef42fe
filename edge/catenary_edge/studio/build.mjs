// Bundle the Studio into dist/: files with hashed names, the page that loads them, and the licences of what they hold.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
rmSync(dist, { recursive: true, force: true });
const common = {
  absWorkingDir: here,
  outdir: dist,
  entryNames: "[name]-[hash]",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};
const worker = await build({ ...common, entryPoints: { edges: "src/three/edge_worker.ts" } });
const result = await build({
  ...common,
  entryPoints: { studio: "src/main.ts", style: "src/style.css" },
  chunkNames: "[name]-[hash]",
  splitting: true,
  define: { EDGE_WORKER: JSON.stringify(basename(Object.keys(worker.metafile.outputs)[0])) },
});
// The reference shares nothing with the Studio, whose first view would grow by another cut of its files.
const reference = await build({
  ...common,
  entryPoints: [
    { in: "src/reference/main.ts", out: "reference" },
    { in: "src/reference/style.css", out: "reference" },
  ],
  chunkNames: "[name]-[hash]",
  splitting: true,
});

const outputs = Object.entries(result.metafile.outputs);
const named = (entry) => basename(outputs.find(([, made]) => made.entryPoint === entry)[0]);
writeFileSync(
  join(dist, "index.html"),
  `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Catenary Studio</title>
<link rel="stylesheet" href="/studio/${named("src/style.css")}"><link rel="icon" href="/docs/static/icon.svg" type="image/svg+xml">
<script type="module" src="/studio/${named("src/main.ts")}"></script></head>
<body><catenary-studio></catenary-studio><noscript>The Studio needs JavaScript. <a href="/docs">The reference</a> describes the API.</noscript></body></html>
`,
);

const inputs = [...outputs, ...Object.entries(reference.metafile.outputs)].flatMap(([, made]) => Object.keys(made.inputs));
const packages = new Set(inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean));
const licences = [...packages].sort().map((name) => {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  // Of a library that is a bundle itself, those of its parts stand beside its files.
  const files = readdirSync(folder).filter((entry) => /^(licen[cs]e|notice)(\.|$)|es-bundle\.js\.licen[cs]e/i.test(entry));
  return `${name} ${version} (${license})\n\n${files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n")}\n`;
});
writeFileSync(join(dist, "licences.txt"), licences.join("\n\n"));
