// What is asked of the library natively and in WebAssembly, to compare every bit: lists of requests as web/wasm/session.h takes them.
// Numbers of what is opened are told by `opened`, since a request names them.

export const FRAMES = 60; // of every scene

async function run(ask, choice, frames, contacts) {
  const { id } = await ask({ call: "openWorld", choice });
  for (let frame = 1; frame <= frames; ++frame) await ask({ call: "step", id, options: { contacts, hash: frame === frames } });
  await ask({ call: "close", id });
}

/** A scene with its default method: where everything is at every frame, and the state at the end. With a method, contacts too: "auto" chooses
 *  by measuring, and of two features that are near from the start on methods may say more or less (DetectorSettings::initial_suffices). */
export async function simulate(ask, { name, method, response, simulated }) {
  const isAuto = method === "auto" && response === "proof" && simulated;
  await run(ask, { scene: name }, FRAMES, !isAuto);
  if (isAuto) await run(ask, { scene: name, method: "swept-bvh" }, 20, true);
}

const motion = { scene: "teapot-sphere", triangles: 3000, frames: 60 };
const times = [12, 30, 30.5, 31, 32, 45];

/** A method on one scene, whole: contacts with their times, features, points and normals. */
export async function look(ask, method, mode, moving) {
  const { id } = await ask({ call: "openMotion", choice: motion });
  const detector = await ask({ call: "openDetector", id, choice: { method, mode, moving } });
  for (const time of times)
    await ask({ call: "detect", id: detector.id, question: { time, hash: true, division: true, oracle: mode === "safe" } });
  await ask({ call: "close", id });
}

/** The same, interrupted: the same place on every machine, and nothing missed by what promises it. */
export async function lookBriefly(ask, method, moving) {
  const { id } = await ask({ call: "openMotion", choice: motion });
  const detector = await ask({ call: "openDetector", id, choice: { method, mode: "safe", moving } });
  for (const operations of [10, 1000, 30000])
    await ask({ call: "detect", id: detector.id, question: { time: 30, hash: true, oracle: true, operations } });
  await ask({ call: "close", id });
}

/** Every way to ask every method. */
export function waysToAsk(methods) {
  const ways = [];
  for (const { name, still, moving, hasPaperMode } of methods)
    for (const step of [false, true])
      if (step ? moving : still) ways.push({ method: name, moving: step, modes: hasPaperMode ? ["safe", "paper"] : ["safe"] });
  return ways;
}
