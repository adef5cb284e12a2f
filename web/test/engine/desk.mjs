// The module in node: the same code as in the worker.
import { build } from "esbuild";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = new URL("../../", import.meta.url).pathname;

/** `ask` gives whole answers, arrays included, and throws what the library refuses. Assets are in the folder `prepared`. */
export async function startDesk(wasm, prepared) {
  const folder = await mkdtemp(join(tmpdir(), "pliant-desk-"));
  const file = join(folder, "desk.mjs");
  await build({ entryPoints: [join(root, "src/engine/desk.ts")], outfile: file, bundle: true, format: "esm", logLevel: "warning" });
  const { Desk } = await import(pathToFileURL(file).href);
  await rm(folder, { recursive: true });
  const asset = (name) => readFile(join(prepared, `${name}.pliant`)).catch(() => null);
  const desk = new Desk(readFile(wasm).then((bytes) => WebAssembly.compile(bytes)), asset);
  let number = 0;
  const answerTo = async (request, files) => (await desk.answer({ number: ++number, request, files })).answer;
  const ask = async (request, files) => {
    const answer = await answerTo(request, files);
    if ("error" in answer) throw Object.assign(new Error(answer.error), answer);
    return answer.value;
  };
  return { ask, answerTo };
}
