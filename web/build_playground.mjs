// Bundles the playground's page into dist/playground, beside the library's module (build_engine.mjs).
import { build } from "esbuild";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const here = new URL(".", import.meta.url);
const out = new URL("dist/playground/", here);
await mkdir(out, { recursive: true });
const script = new URL("playground.js", out);
await build({
  entryPoints: [new URL("src/playground/main.ts", here).pathname],
  outfile: script.pathname,
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2022",
  legalComments: "none",
  banner: { js: "/* three.js, MIT licence, https://threejs.org */" },
  logLevel: "warning",
});
await copyFile(new URL("src/playground/index.html", here), new URL("index.html", out));
await copyFile(new URL("src/style.css", here), new URL("style.css", out));
const bytes = await readFile(script);
console.log(`web/dist/playground: playground.js ${Math.round(bytes.length / 1000)} kB, ${Math.round(gzipSync(bytes, { level: 9 }).length / 1000)} kB compressed`);
