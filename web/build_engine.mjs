// Puts together dist/playground: the worker of the engine, the compiled library, and assets that it cannot make itself.
//   node build_engine.mjs PLIANT_WASM PREPARED
import { build } from "esbuild";
import { copyFile, cp, mkdir, readFile, rm } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const here = new URL(".", import.meta.url);
const out = new URL("dist/playground/", here);
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;

async function buildEngine(module, prepared) {
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
  await rm(new URL("prepared", out), { recursive: true, force: true });
  await cp(prepared, new URL("prepared", out), { recursive: true });
  const bytes = await readFile(module);
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
  console.log(
    `web/dist/playground: pliant.wasm ${kilobytes(bytes.length)}, ${kilobytes(gzipSync(bytes, { level: 9 }).length)} with gzip, ` +
      `${kilobytes(brotli)} with brotli; worker.js ${kilobytes((await readFile(worker)).length)}`,
  );
}

await buildEngine(process.argv[2], process.argv[3]);
