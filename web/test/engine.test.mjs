// The library in Chromium gives the same bits as natively: every built-in scene with its default method, every method on one scene,
// whole and interrupted. What is refused is refused in words, and leaves the engine usable.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { digest, native, withoutMachine } from "./engine/askers.mjs";
import { FRAMES, look, lookBriefly, simulate, waysToAsk } from "./engine/cases.mjs";
import { serve } from "./engine/server.mjs";
import { launch } from "./browser.mjs";

const playground = new URL("../dist/playground/", import.meta.url).pathname;
let browser, server, page, other, catalogue;
const complaints = [];

before(async () => {
  browser = await launch();
  server = await serve(playground);
  other = native(process.env.PLIANT_SESSION);
  page = await browser.newPage();
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${server.address}/empty.html`);
  await page.addScriptTag({ content: `${digest}` });
  await page.evaluate(startWorker);
  catalogue = await ask({ call: "catalogue" });
});
after(async () => {
  other.end();
  await browser.close();
  server.close();
});

// Runs in the page: window.ask(request, files) gives the worker's answer, arrays in short or, with `whole`, as they are.
function startWorker() {
  const worker = new Worker("worker.js", { type: "module" });
  const waiting = new Map();
  let number = 0;
  worker.onmessage = ({ data }) => {
    waiting.get(data.number)(data);
    waiting.delete(data.number);
  };
  worker.postMessage({ module: new URL("pliant.wasm", location.href).href });
  window.ask = (request, files) =>
    new Promise((resolve) => {
      waiting.set(++number, resolve);
      worker.postMessage({ number, request, files });
    }).then((answer) => digest(answer));
}

async function ask(request, files) {
  const answer = await page.evaluate(([request, files]) => {
    const bytes = files?.map(({ name, text }) => ({ name, bytes: new TextEncoder().encode(text) }));
    return window.ask(request, bytes);
  }, [request, files]);
  if ("error" in answer) throw Object.assign(new Error(answer.error), answer);
  return answer.value;
}

// One after the other, so that the first difference names its request.
async function askBoth(request) {
  const [ours, theirs] = await Promise.all([ask(request), other.ask(request)]);
  assert.deepEqual(withoutMachine(ours), withoutMachine(theirs), JSON.stringify(request));
  return ours;
}

test("catalogues are the same", async () => {
  assert.deepEqual(catalogue, await other.ask({ call: "catalogue" }));
  assert.ok(catalogue.scenes.length > 20 && catalogue.methods.length > 8);
});

test("every scene has the same state after its frames", { timeout: 600_000 }, async (t) => {
  for (const scene of catalogue.scenes)
    await t.test(`${scene.name}, ${FRAMES} frames`, () => simulate(askBoth, scene));
});

test("every method finds the same contacts", { timeout: 300_000 }, async (t) => {
  for (const { method, moving, modes } of waysToAsk(catalogue.methods))
    for (const mode of modes) await t.test(`${method}, ${moving ? "moving" : "still"}, ${mode}`, () => look(askBoth, method, mode, moving));
});

test("under operation budgets nothing is missed that is promised", async (t) => {
  for (const { method, moving } of waysToAsk(catalogue.methods))
    await t.test(`${method}, ${moving ? "moving" : "still"}`, () =>
      lookBriefly(async (request) => {
        const answer = await askBoth(request);
        if (answer?.guarantee === "conservative" || answer?.guarantee === "exact") assert.equal(answer.oracle.recall, 1);
        return answer;
      }, method, moving));
});

const triangle = (z) => `v 0 0 ${z}\nv 1 0 ${z}\nv 0 1 ${z}\nv .2 .2 -1\nv .2 .2 1\nv .3 .5 1\nf 1 2 3\nf 4 5 6\n`;

test("a dropped file is read, and its self-intersections are found", async () => {
  const meshes = await ask({ call: "openMeshes" }, [{ name: "cross.obj", text: triangle(0) }]);
  assert.equal(meshes.bodies[0].vertices, 6);
  const { id } = await ask({ call: "openDetector", id: meshes.id, choice: { method: "bvh" } });
  const { contacts, guarantee } = await ask({ call: "detect", id, question: {} });
  assert.deepEqual([contacts.count, guarantee], [1, "exact"]);
  await ask({ call: "close", id: meshes.id });
});

test("what is refused says why, and leaves what is open", async () => {
  const { id } = await ask({ call: "openWorld", choice: { scene: "pressure_ground" } });
  await assert.rejects(ask({ call: "openMeshes" }, [{ name: "bad.obj", text: "v 1 2\nf 1 2 3\n" }]), /number|coordinate/i);
  await assert.rejects(ask({ call: "openWorld", choice: { scene: "demmo" } }), /demo/);
  await assert.rejects(ask({ call: "openWorld", choice: { text: "[world]\nfpss = 3\n" } }), ({ message, place }) => /fps/.test(message) && /2/.test(place));
  await assert.rejects(ask({ call: "drag", id, pull: { body: 0, vertex: 0, to: [0, 0, 1] } }), /give way/);
  await assert.rejects(ask({ call: "openDetector", id, choice: { method: "bvh", settings: { rebuild_growht: 2 } } }), /rebuild_growth/);
  const { report } = await ask({ call: "step", id, options: {} });
  assert.equal(report.frame, 1);
  await ask({ call: "close", id });
});

test("a body that is dragged comes along, and nothing passes through anything", async () => {
  const { id, bodies } = await ask({ call: "openWorld", choice: { scene: "pressure_ground" } });
  const ball = bodies.findIndex(({ gives }) => gives);
  const { id: detector } = await ask({ call: "openDetector", id, choice: { method: "bvh" } });
  const energy = (frame) => frame.energies[ball].gravitational;
  const first = await ask({ call: "step", id, options: {} });
  await ask({ call: "drag", id, pull: { body: ball, vertex: 0, to: [0, 0, 3] } });
  let last;
  for (let i = 0; i < 30; ++i) last = await ask({ call: "step", id, options: {} });
  assert.ok(energy(last) > energy(first));
  await ask({ call: "drag", id, pull: { body: ball, vertex: 0, to: [0, 0, -2] } });
  for (let i = 0; i < 40; ++i) {
    last = await ask({ call: "step", id, options: {} });
    assert.equal((await ask({ call: "detect", id: detector, question: {} })).contacts.count, 0);
  }
  await ask({ call: "drag", id, pull: null });
  await ask({ call: "close", id });
});

test("settings, modes and materials change what they say", async () => {
  const heights = {};
  for (const material of ["rubber", "jelly"]) {
    const { id } = await ask({ call: "openWorld", choice: { scene: "fem_2000", material: { "*": material } } });
    let frame;
    for (let i = 0; i < 20; ++i) frame = await ask({ call: "step", id, options: { hash: i === 19 } });
    heights[material] = frame.hash;
    await ask({ call: "close", id });
  }
  assert.notEqual(heights.rubber, heights.jelly);
  const motion = await ask({ call: "openMotion", choice: { scene: "teapot-sphere", triangles: 3000 } });
  const regions = async (settings) => {
    const { id } = await ask({ call: "openDetector", id: motion.id, choice: { method: "particles", mode: "paper", settings } });
    const { division } = await ask({ call: "detect", id, question: { time: 30, division: true } });
    return division.map(({ particles }) => Number(particles.split(":")[0]));
  };
  const setting = catalogue.methods.find(({ name }) => name === "particles").settings.find(({ name }) => /particles|regions/.test(name));
  const [few, many] = [await regions({ [setting.name]: 40 }), await regions({ [setting.name]: 160 })];
  assert.ok(many[0] > few[0], `${setting.name}: ${few} ${many}`);
  await ask({ call: "close", id: motion.id });
});

test("no complaints", () => assert.deepEqual(complaints, []));
