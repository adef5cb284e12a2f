// Bundles the worker of the engine into dist/playground/worker.js, beside the module that scripts/web --wasm has compiled.
import { build } from "esbuild";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const here = new URL(".", import.meta.url);
const out = new URL("dist/playground/", here);
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;

export async function buildEngine(module) {
  await mkdir(out, { recursive: true });
  const worker = new URL("worker.js", out);
  await build({
    entryPoints: [new URL("src/engine/worker.ts", here).pathname],
    outfile: worker.pathname,
    bundle: true,
    format: "esm",
    minify: true,
    target: "es2022",
    legalComments: "none",
    logLevel: "warning",
  });
  await copyFile(module, new URL("pliant.wasm", out));
  const bytes = await readFile(module);
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
  console.log(
    `web/dist/playground: pliant.wasm ${kilobytes(bytes.length)}, ${kilobytes(gzipSync(bytes, { level: 9 }).length)} with gzip, ` +
      `${kilobytes(brotli)} with brotli; worker.js ${kilobytes((await readFile(worker)).length)}`,
  );
}

if (process.argv[2]) await buildEngine(process.argv[2]);
