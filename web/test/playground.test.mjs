// The library live in the browser: scenes, methods, budgets, bodies that are dragged, files that are dropped.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { contrasts, has, json, launch, overflows, pages, play, serve, settled } from "./browser.mjs";

let browser, server;
before(async () => ([browser, server] = [await launch(), await serve()]));
after(async () => {
  server.end();
  await browser.close();
});

const catalogue = (page) => page.evaluate(() => window.playground.controls.catalogue);
const found = (page, at = 0) => page.evaluate((pane) => {
  const { guarantee, complete, stoppedBy, bound, contacts, regions, oracle, counters } = window.playground.detections[pane];
  return { guarantee, complete, stoppedBy, bound, contacts: contacts.count, regions: regions.count, recall: oracle?.recall, truth: oracle?.contacts, counters };
}, at);
const banner = (page) => page.evaluate(() => (document.querySelector(".banner").hidden ? "" : document.querySelector(".banner span").textContent));
const positions = (page) => page.evaluate(() => window.playground.panes[0].coarse.map(({ surface }) => Array.from(surface.vertices.slice(0, 3000))));
const frames = (page, count) => page.waitForFunction((wanted) => window.playground.drawnFrames >= wanted, count, { timeout: 60000 });
async function step(page, count = 1) {
  for (let i = 0; i < count; ++i) await page.evaluate(() => window.playground.stepOnce());
  await settled(page);
}
async function change(page, choice, what) {
  await page.evaluate(([more, part]) => {
    Object.assign(window.playground.choice, more);
    window.playground.change(part);
  }, [choice, what]);
  await settled(page);
}

test("it runs by itself, and stops on a key", async () => {
  const { page, complaints, close, shot } = await play(browser, server.address);
  console.log(`playground: library after ${await page.evaluate(() => Math.round(performance.getEntriesByName("library")[0].startTime))} ms, first picture after ${await page.evaluate(() => Math.round(performance.getEntriesByName("first picture")[0].startTime))} ms`);
  await frames(page, 12);
  await page.keyboard.press("Space");
  await settled(page);
  const count = await page.evaluate(() => window.playground.drawnFrames);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.playground.drawnFrames), count);
  await shot("playground.png");
  assert.deepEqual(complaints, []);
  await close();
});

test("every built-in scene starts and advances", async () => {
  const { page, complaints, close, shot } = await play(browser, server.address, "#paused=yes");
  for (const { name, simulated } of (await catalogue(page)).scenes) {
    await change(page, { scene: name, eye: [], frame: 0, method: simulated ? "kinetic" : "bvh", triangles: null }, "scene");
    assert.equal(await banner(page), "", name);
    const start = await positions(page);
    await step(page, 3);
    assert.equal(await banner(page), "", name);
    assert.notDeepEqual(await positions(page), start, `${name} does not move`);
    assert.equal((await found(page)).recall, 1, name);
    await shot(`playground-${name}.png`);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("every method looks at the same scene, and draws what it worked with", async () => {
  const { page, complaints, close, shot } = await play(browser, server.address, "#scene=n-bodies&triangles=6000&paused=yes&layers=boxes,spheres,pairs,regions,particles,events");
  await step(page, 25);
  for (const { name, hasPaperMode } of (await catalogue(page)).methods)
    for (const mode of hasPaperMode ? ["safe", "paper"] : ["safe"]) {
      await change(page, { method: name, mode, settings: {} }, "method");
      assert.equal(await banner(page), "", name);
      await step(page);
      const { guarantee, recall, truth } = await found(page);
      if (mode === "safe") assert.equal(recall, 1, `${name}: ${guarantee}, ${recall} of ${truth}`);
      if (guarantee === "exact") assert.ok(truth > 0);
      const counts = await page.evaluate(() => ({ ...window.playground.panes[0].overlay.counts }));
      const draws = { "brute-force": [], "sphere-tree": ["spheres"], anytime: ["boxes"], particles: ["boxes", "regions", "particles"], "subdivided-boxes": mode === "safe" ? ["boxes", "regions"] : [] }[name] ?? ["boxes"];
      for (const layer of draws) assert.ok(counts[layer] > 0, `${name} has no ${layer}`);
      await shot(`playground-method-${name}${mode === "paper" ? "-paper" : ""}.png`);
    }
  assert.deepEqual(complaints, []);
  await close();
});

test("the budget of anytime: nothing is missed, and what is open shrinks as it grows", async () => {
  const { page, complaints, close, shot } = await play(browser, server.address, "#scene=n-bodies&triangles=8000&method=anytime&operations=100&paused=yes&layers=regions,boxes&frame=30");
  const bounds = [], open = [];
  const slider = page.locator("[data-field=operations] input");
  for (const place of [10, 25, 40, 55, 100]) {
    await slider.fill(String(place));
    await settled(page);
    const { recall, bound, regions, complete } = await found(page);
    assert.equal(recall, 1);
    bounds.push(bound);
    open.push(regions);
    if (place !== 55) assert.equal(complete, place === 100, `place ${place}`);
    await shot(`playground-operations-${place}.png`);
  }
  for (let i = 1; i < bounds.length; ++i) assert.ok(bounds[i] <= bounds[i - 1], bounds.join(" "));
  assert.equal(bounds.at(-1), 0);
  assert.ok(bounds[0] > bounds[3], bounds.join(" "));
  assert.equal(open.at(-1), 0);
  await page.locator("[data-field=budget] input").fill("0");
  await settled(page);
  const { stoppedBy, recall } = await found(page);
  assert.equal(recall, 1);
  assert.equal(stoppedBy, "deadline");
  assert.ok((await page.locator("[data-field=budget] output").textContent()).includes("µs"));
  assert.deepEqual(complaints, []);
  await close();
});

test("sliders of a method's settings come from its table, and change what they say", async () => {
  const { page, complaints, close } = await play(browser, server.address, "#scene=n-bodies&triangles=6000&method=bvh&paused=yes&frame=30");
  const bvh = (await catalogue(page)).methods.find(({ name }) => name === "bvh");
  const fields = await page.locator("[data-setting]").evaluateAll((list) => list.map((one) => one.dataset.setting));
  assert.deepEqual(fields, bvh.settings.map(({ name }) => name));
  const before = await found(page);
  await page.locator("details[data-part=settings] summary").click();
  await page.locator("[data-setting=leaf_size] input").fill("100");
  await settled(page);
  const changed = await found(page);
  assert.ok(changed.counters.box_tests > before.counters.box_tests, JSON.stringify([before, changed]));
  assert.equal(changed.contacts, before.contacts);
  await page.waitForFunction(() => location.hash.includes("set.leaf_size="));
  assert.deepEqual(complaints, []);
  await close();
});

test("materials make another simulation", async () => {
  const { page, complaints, close } = await play(browser, server.address, "#scene=demo&paused=yes");
  await step(page, 6);
  const usual = await positions(page);
  await page.locator("[data-material=elastic] select").selectOption("rubber");
  await page.locator("[data-material=cloth] select").selectOption("leather");
  await settled(page);
  await step(page, 6);
  assert.notDeepEqual(await positions(page), usual);
  await page.waitForFunction(() => location.hash.includes("material.cloth=leather"));
  assert.deepEqual(complaints, []);
  await close();
});

test("two methods side by side look from one place", async () => {
  const { page, complaints, close, shot } = await play(browser, server.address, "#scene=tablecloth&method=bvh&beside=particles&paused=yes&frame=20");
  assert.equal(await page.locator(".pane").count(), 2);
  const [one, other] = [await found(page, 0), await found(page, 1)];
  assert.equal(one.contacts, other.contacts);
  await page.keyboard.press("4");
  await page.waitForFunction(() => !window.playground.panes[0].stage.isFlying);
  const eyes = await page.evaluate(() => window.playground.panes.map(({ stage }) => stage.camera.position.toArray().map((x) => x.toFixed(6))));
  assert.deepEqual(eyes[0], eyes[1]);
  await shot("playground-beside.png");
  assert.deepEqual(complaints, []);
  await close();
});

// Where a body is on the screen.
const middleOf = (page, name) => page.evaluate((wanted) => {
  const { stage, bodies } = window.playground.panes[0];
  const { vertices } = bodies.find(({ body }) => body.name === wanted).surface;
  const middle = stage.target.clone().set(0, 0, 0);
  for (let i = 0; i < vertices.length; ++i) middle.setComponent(i % 3, middle.getComponent(i % 3) + (3 * vertices[i]) / vertices.length);
  const height = middle.z;
  middle.project(stage.camera);
  const { left, top, width, height: high } = stage.renderer.domElement.getBoundingClientRect();
  return { x: left + ((middle.x + 1) / 2) * width, y: top + ((1 - middle.y) / 2) * high, height };
}, name);

test("a body follows the mouse that drags it", async () => {
  const { page, complaints, close, shot } = await play(browser, server.address, "#scene=demo&paused=yes&frame=50");
  const start = await middleOf(page, "jelly");
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.keyboard.press("Space");
  await page.mouse.move(start.x, start.y - 160, { steps: 5 });
  // Where the vertex is that was taken hold of, from the start (0) to where the mouse is (1), however fast frames come.
  await page.evaluate(() => {
    window.grip = window.playground.pull.grip;
    window.goal = window.playground.pull.to[2];
    window.way = () => (window.playground.panes[0].coarse[window.grip.body].surface.vertices[3 * window.grip.vertex + 2] - window.grip.from[2]) / (window.goal - window.grip.from[2]);
  });
  assert.equal(await page.evaluate(() => window.playground.source.subject.bodies[window.grip.body].name), "jelly");
  assert.ok(await page.evaluate(() => window.goal > window.grip.from[2] + 0.2));
  await page.waitForFunction(() => window.way() > 0.7, null, { timeout: 60000 });
  await shot("playground-drag.png");
  await page.mouse.up();
  // The middle of the body falls; the vertex may end up on top.
  const held = (await middleOf(page, "jelly")).height;
  assert.ok(held > start.height + 0.05, `${start.height} ${held}`);
  await page.waitForFunction((height) => {
    const { vertices } = window.playground.panes[0].coarse[window.grip.body].surface;
    return vertices.reduce((sum, x, i) => sum + (i % 3 === 2 ? (3 * x) / vertices.length : 0), 0) < height;
  }, held - 0.04, { timeout: 60000 });
  assert.deepEqual(complaints, []);
  await close();
});

test("a dropped file shows its self-intersections, as many as the command finds", async () => {
  const { page, complaints, close, shot } = await play(browser, server.address, "#paused=yes");
  const name = "a&<b>c.obj";
  const text = execFileSync("cat", [join(pages, name)], { encoding: "utf8" });
  await page.evaluate(([file, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], file));
    dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [name, text]);
  await settled(page);
  const { contacts, guarantee } = await found(page);
  assert.equal(guarantee, "exact");
  assert.equal(contacts, json("still.json").contact_count);
  await shot("playground-file.png");
  // Each kind by the file dialog, too.
  for (const file of ["shape.ply", "shape.stl", "shape.glb", "shape.obj"].filter(has)) {
    await page.locator("input[type=file]").setInputFiles(join(pages, file));
    await settled(page);
    assert.equal(await banner(page), "", file);
    assert.ok(await page.evaluate(() => window.playground.source.subject.bodies[0].triangles.length > 0), file);
  }
  assert.deepEqual(complaints, []);
  await close();
});

test("bad, cut and empty files give messages that name the file and the remedy, and change nothing", async () => {
  const cut = (name, part) => {
    const bytes = readFileSync(join(pages, name));
    return bytes.subarray(0, Math.floor(part * bytes.length));
  };
  const files = {
    "bad.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "numbers.obj": "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "points.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\n",
    "empty.obj": "", "empty.ply": "", "empty.stl": "", "empty.glb": "",
    "cut.ply": cut("shape.ply", 0.5), "cut.stl": cut("shape.stl", 0.5), "cut.glb": cut("shape.glb", 0.5), "header.ply": cut("shape.ply", 0.002),
    "bad.glb": "no glTF", "picture.obj": Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), "notes.txt": "hello\n", "model.fbx": "Kaydara FBX Binary  ",
  };
  const { page, complaints, close, shot } = await play(browser, server.address, "#scene=n-bodies&method=kinetic&paused=yes&frame=5");
  const view = () => page.evaluate(() => ({ address: location.hash, scene: document.querySelector("#scene").value, facts: document.querySelector(".facts").textContent, bodies: window.playground.source.subject.bodies.length }));
  await step(page);
  await page.waitForFunction(() => location.hash.includes("frame=6"));
  const before = await view();
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(pages, name), content);
    await page.locator("input[type=file]").setInputFiles(join(pages, name));
    await settled(page);
    const words = await banner(page);
    assert.ok(words.startsWith(name), words);
    assert.match(words, /export|convert|known formats/i);
    assert.ok(words.length < 260 && !/[^\x20-\x7e]|undefined|Error|\[object/.test(words), words);
    await page.waitForTimeout(200);
    assert.deepEqual(await view(), before, name);
    if (name === "cut.ply") await shot("playground-bad.png");
  }
  await page.keyboard.press("Escape");
  assert.equal(await banner(page), "");
  await step(page);
  assert.equal(await page.evaluate(() => window.playground.source.time), 7);
  await page.locator("input[type=file]").setInputFiles(join(pages, "shape.obj"));
  await settled(page);
  assert.equal(await banner(page), "");
  assert.deepEqual(complaints, []);
  await close();
});

test("a link brings the same view to somebody else", async () => {
  const first = await play(browser, server.address, "#scene=swirl&triangles=5000&method=particles&beside=bvh&paused=yes&frame=10&layers=regions&oracle=no");
  await first.page.keyboard.press("3");
  await first.page.waitForFunction(() => location.hash.includes("eye="));
  await first.page.waitForTimeout(400);
  const link = await first.page.evaluate(() => location.hash);
  const state = (page) => page.evaluate(() => ({ ...window.playground.choice, eye: window.playground.panes[0].stage.camera.position.toArray().map((x) => Number(x.toPrecision(3))) }));
  const [sent, before] = [await state(first.page), await positions(first.page)];
  await first.close();
  const second = await play(browser, server.address, link);
  assert.deepEqual(await state(second.page), sent);
  assert.deepEqual(await positions(second.page), before);
  assert.deepEqual(second.complaints, []);
  await second.close();
});

test("it fits a phone and a large screen, dark and light, with readable contrast", async () => {
  for (const [width, height] of [[390, 780], [1920, 1080]])
    for (const dark of [false, true]) {
      const { page, complaints, close, shot } = await play(browser, server.address, "#paused=yes&frame=20", { width, height, dark });
      assert.ok(!(await overflows(page)));
      assert.ok((await page.locator(".stage").boundingBox()).height > 250);
      if (width < 900) await page.getByRole("button", { name: "Scene, method, budget" }).click();
      await shot(`playground-${width}-${dark ? "dark" : "light"}.png`);
      assert.deepEqual((await contrasts(page)).filter(({ ratio, needed }) => ratio < needed), []);
      assert.deepEqual(complaints, []);
      await close();
    }
});

test("everything can be reached by keys", async () => {
  const { page, close } = await play(browser, server.address, "#paused=yes");
  const wanted = await page.evaluate(() => [...document.querySelectorAll("button, select, input:not([type=file]), summary")].filter((one) => one.checkVisibility()).length);
  const reached = new Set();
  for (let i = 0; i < wanted + 10; ++i) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => {
      const all = [...document.querySelectorAll("button, select, input, summary")];
      return all.indexOf(document.activeElement);
    }));
  }
  reached.delete(-1);
  assert.equal(reached.size, wanted);
  await close();
});
