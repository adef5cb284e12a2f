// Puts together dist/playground: the worker of the engine, the compiled library, and assets that it cannot make itself.
//   node build_engine.mjs PLIANT_WASM PREPARED
import { build } from "esbuild";
import { copyFile, cp, mkdir, readdir, rm } from "node:fs/promises";
import { compress, sizes } from "./compress.mjs";

const here = new URL(".", import.meta.url);
const out = new URL("dist/playground/", here);

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
  for (const name of await readdir(prepared)) await compress(new URL(`prepared/${name}`, out).pathname);
  console.log(`web/dist/playground: pliant.wasm ${sizes(await compress(new URL("pliant.wasm", out).pathname))}`);
}

await buildEngine(process.argv[2], process.argv[3]);
