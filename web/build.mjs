// Bundles src/ into one file, dist/view.html, with a slot that `pliant` puts data into (pliant/io/page.h).
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const here = new URL(".", import.meta.url);
const started = performance.now();
const result = await build({
  entryPoints: [new URL("src/main.ts", here).pathname],
  bundle: true,
  format: "iife",
  minify: true,
  target: "es2022",
  legalComments: "none",
  write: false,
});
const script = result.outputFiles[0].text;
const style = await readFile(new URL("src/style.css", here), "utf8");
const shell = await readFile(new URL("src/view.html", here), "utf8");
// Replaced by functions: what is put in may hold "$&".
const licence = "three.js, MIT licence, https://threejs.org";
const page = shell.replace("/*style*/", () => style).replace("/*script*/", () => `/* ${licence} */\n${script}`);
await mkdir(new URL("dist/", here), { recursive: true });
await writeFile(new URL("dist/view.html", here), page);
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`web/dist/view.html: ${kilobytes(page.length)}, ${kilobytes(gzipSync(page).length)} compressed, in ${seconds} s`);
