// Times of detection in WebAssembly (node) beside the same build natively, with portable kernels and with AVX2: one thread, the same
// questions, milliseconds as the library's own clock has them. Writes bench/results/wasm.json and prints it as a table for docs/performance.md.
//   node --no-experimental-fetch bench/wasm.mjs PLIANT_SESSION PLAYGROUND [COMMIT]
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { native } from "../web/test/engine/askers.mjs";
import { startDesk } from "../web/test/engine/desk.mjs";

const [program, playground, commit = "unknown"] = process.argv.slice(2);
const frames = { warmUp: 4, from: 30, to: 38 };
const still = ["bvh", "anytime", "spatial-hash", "sphere-tree", "subdivided-boxes", "particles"];
const moving = ["swept-bvh", "kinetic", "kinetic-events", "swept-classical"];
const motions = [["avatar", [...moving, ...still]], ["n-bodies", [...moving, ...still]]];
const worlds = [["demo", 20], ["cloth_on_ball", 6], ["fem_2000", 20]];

const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

// The best of three passes, each the mean over consecutive frames: amortised methods work in bursts, other programs only add, and engines
// compile in earnest what has run for a while.
async function detection(ask, motion, method) {
  const passes = [];
  for (let pass = 0; pass < 3; ++pass) {
    const { id } = await ask({ call: "openDetector", id: motion, choice: { method } });
    const times = [];
    for (let time = frames.from - frames.warmUp; time < frames.to; ++time) {
      const { milliseconds } = await ask({ call: "detect", id, question: { time, limit: 0 } });
      if (time >= frames.from) times.push(milliseconds);
    }
    passes.push(mean(times));
    await ask({ call: "close", id });
  }
  return Math.min(...passes);
}

async function simulation(ask, scene, count) {
  const passes = [await simulate(ask, scene, count), await simulate(ask, scene, count)];
  return Math.min(...passes);
}

async function simulate(ask, scene, count) {
  const { id } = await ask({ call: "openWorld", choice: { scene, method: "swept-bvh" } });
  const sums = [];
  for (let frame = 0; frame < count; ++frame) {
    const { report } = await ask({ call: "step", id, options: { contacts: false } });
    sums.push(Object.values(report.milliseconds).reduce((sum, one) => sum + one, 0));
  }
  await ask({ call: "close", id });
  return mean(sums);
}

async function measure(name, ask) {
  const results = {};
  for (const [scene, methods] of motions) {
    const motion = await ask({ call: "openMotion", choice: { scene, triangles: 16000, frames: frames.to + 2, stored: true } });
    for (const method of methods) {
      results[`${method}, ${scene}`] = await detection(ask, motion.id, method);
      console.error(`${name}: ${method}, ${scene}: ${results[`${method}, ${scene}`].toFixed(2)} ms`);
    }
    await ask({ call: "close", id: motion.id });
  }
  for (const [scene, count] of worlds) results[`world ${scene}`] = await simulation(ask, scene, count);
  console.error(`measured: ${name}, ${Math.round(performance.now() / 1000)} s`);
  return results;
}

async function natively(name, environment) {
  // On one processor the library has one thread.
  const { ask, end } = native("taskset", environment, ["--cpu-list", "0", program]);
  const results = await measure(name, ask);
  end();
  return results;
}

const { ask } = await startDesk(join(playground, "pliant.wasm"), join(playground, "prepared"));
const wasm = await measure("wasm", ask);
const portable = await natively("portable", { PLIANT_NO_AVX2: "1" });
const avx2 = await natively("avx2", {});
const module = readFileSync(join(playground, "pliant.wasm"));
const emscripten = execFileSync("em++", ["--version"], { encoding: "utf8" }).split("\n")[0];
const result = {
  schema: "pliant.wasm/1",
  machine: { processor: cpus()[0].model },
  node: process.version,
  emscripten,
  commit,
  bytes: { raw: module.length, gzip: gzipSync(module, { level: 9 }).length, brotli: brotliCompressSync(module).length },
  rows: Object.keys(wasm).map((name) => ({ name, ms: { wasm: wasm[name], portable: portable[name], avx2: avx2[name] } })),
};
writeFileSync(new URL("results/wasm.json", import.meta.url), JSON.stringify(result, null, 1) + "\n");
const number = (x) => x.toPrecision(3);
console.log("| ms per frame | wasm | portable | AVX2 | wasm / portable | wasm / AVX2 |\n| --- | --: | --: | --: | --: | --: |");
for (const { name, ms } of result.rows)
  console.log(`| ${name} | ${[ms.wasm, ms.portable, ms.avx2, ms.wasm / ms.portable, ms.wasm / ms.avx2].map(number).join(" | ")} |`);
