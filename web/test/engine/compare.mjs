// Compares native and WebAssembly in node, bit for bit.  usage: node web/test/engine/compare.mjs PLIANT_SESSION PLAYGROUND [SCENE|METHOD]...
// Prints how long each side took.
import assert from "node:assert/strict";
import { join } from "node:path";
import { digest, native, withoutMachine } from "./askers.mjs";
import { FRAMES, look, lookBriefly, simulate, waysToAsk } from "./cases.mjs";
import { startDesk } from "./desk.mjs";

const [program, playground, ...only] = process.argv.slice(2);
const other = native(program);
const { ask } = await startDesk(join(playground, "pliant.wasm"), join(playground, "prepared"));
const spent = { native: 0, wasm: 0 };
let differences = 0;

// Both are asked, one after the other; the first difference of a case is told.
async function both(name, run) {
  const before = { ...spent };
  let difference = "";
  const timed = async (side, promise) => {
    const started = performance.now();
    const answer = await promise();
    spent[side] += performance.now() - started;
    return answer;
  };
  const askBoth = async (request) => {
    const theirs = await timed("native", () => other.ask(request));
    const refusal = (error) => ({ error: error.message, place: error.place });
    const ours = await timed("wasm", () => ask(request).catch(refusal));
    try {
      assert.deepEqual(withoutMachine(digest(ours)), withoutMachine(theirs));
    } catch (error) {
      difference ||= `${JSON.stringify(request)}\n${error.message}`;
    }
    if (theirs?.error) throw new Error(theirs.error);
    return theirs;
  };
  try {
    await run(askBoth);
  } catch (error) {
    difference ||= String(error);
  }
  if (difference) ++differences;
  const seconds = (side) => ((spent[side] - before[side]) / 1000).toFixed(2);
  console.log(`${difference ? "DIFFERS" : "same"}  ${name}  native ${seconds("native")} s, wasm ${seconds("wasm")} s`);
  if (difference) console.log(difference.slice(0, 2000));
}

const wanted = (name) => only.length === 0 || only.includes(name);
const { scenes, methods } = await other.ask({ call: "catalogue" });
for (const scene of scenes)
  if (wanted(scene.name)) await both(`${scene.name}, ${FRAMES} frames`, (ask) => simulate(ask, scene));
for (const { method, moving, modes } of waysToAsk(methods)) {
  if (!wanted(method)) continue;
  const how = `${method}${moving ? ", moving" : ""}`;
  for (const mode of modes) await both(`${how}, ${mode}`, (ask) => look(ask, method, mode, moving));
  await both(`${how}, interrupted`, (ask) => lookBriefly(ask, method, moving));
}
other.end();
process.exitCode = differences === 0 ? 0 : 1;
