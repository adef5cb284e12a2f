// Bundles the playground's page into dist/playground, beside the library's module (build_engine.mjs).
import { build } from "esbuild";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { compress, sizes } from "./compress.mjs";

const here = new URL(".", import.meta.url);
const out = new URL("dist/playground/", here);

// In two parts: what starts the library is small and runs at once, three.js and the page come while the library is fetched.
async function bundle() {
  const parts = new URL("parts/", out);
  await rm(parts, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: { playground: new URL("src/playground/main.ts", here).pathname },
    outdir: out.pathname,
    chunkNames: "parts/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    minify: true,
    target: "es2022",
    legalComments: "none",
    banner: { js: "/* three.js, MIT licence, https://threejs.org */" },
    logLevel: "warning",
    metafile: true,
  });
  return Object.keys(metafile.outputs).map((file) => basename(file)).filter((name) => name !== "playground.js").map((name) => `parts/${name}`);
}

await mkdir(out, { recursive: true });
const parts = await bundle();
const shell = await readFile(new URL("src/playground/index.html", here), "utf8");
const links = parts.map((part) => `<link rel="modulepreload" href="${part}">\n`).join("");
await writeFile(new URL("index.html", out), shell.replace("<!--parts-->\n", () => links));
await copyFile(new URL("src/style.css", here), new URL("style.css", out));
const total = { raw: 0, gzip: 0, brotli: 0 };
for (const name of ["index.html", "style.css", "playground.js", "worker.js", ...parts]) {
  const { raw, gzip, brotli } = await compress(new URL(name, out).pathname);
  total.raw += raw, total.gzip += gzip, total.brotli += brotli;
}
console.log(`web/dist/playground: page ${sizes(total)}`);
