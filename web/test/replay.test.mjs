// A recording in the browser: it plays, it can be scrubbed, and its charts say what the recording says.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { colours, contrasts, firstPicture, json, launch, open, overflows, text, time } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("a recording plays by itself, and stops on a key", async () => {
  const { page, complaints, close } = await open(browser, "demo.html", { still: false });
  const begun = await time(page);
  await page.waitForFunction((from) => window.pliant.clock.time > from + 1, begun);
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => window.pliant.clock.playing), false);
  const stopped = await time(page);
  await page.waitForTimeout(300);
  assert.equal(await time(page), stopped);
  assert.deepEqual(complaints, []);
  await close();
});

test("bodies are drawn, and where they are depends on the time", async () => {
  const { page, complaints, close, shot } = await open(browser, "demo.html");
  assert.ok((await colours(page)) > 20);
  const height = (frame) => page.evaluate((at) => {
    window.pliant.clock.seek(at);
    window.pliant.showTime();
    const { vertices } = window.pliant.bodies.find(({ body }) => body.name === "soft-ball").surface;
    let sum = 0;
    for (let i = 2; i < vertices.length; i += 3) sum += vertices[i];
    return (3 * sum) / vertices.length;
  }, frame);
  const [start, middle, end] = [await height(0), await height(4.5), await height(9)];
  assert.ok(start > middle && middle > end, `${start} ${middle} ${end}`);
  await page.evaluate(() => window.pliant.clock.seek(50));
  await shot("replay.png");
  assert.deepEqual(complaints, []);
  console.log(`demo.html: first picture after ${Math.round(await firstPicture(page))} ms`);
  await close();
});

test("keys and the slider go through time", async () => {
  const { page, complaints, close } = await open(browser, "demo.html");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await time(page), 2);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await time(page), 1);
  await page.keyboard.press("End");
  assert.equal(await time(page), 60);
  await page.keyboard.press("Home");
  assert.equal(await time(page), 0);
  await page.locator(".slider").fill("30.5");
  assert.equal(await time(page), 30.5);
  assert.equal(await page.locator(".time").textContent(), "30.5");
  await page.keyboard.press("]");
  assert.equal(await page.evaluate(() => window.pliant.clock.speed), 2);
  await page.keyboard.press("Shift+?");
  assert.ok(await page.locator("dialog.help").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(!(await page.locator("dialog.help").isVisible()));
  assert.deepEqual(complaints, []);
  await close();
});

test("charts say what the recording says of the frame that is shown", async () => {
  const { page, close } = await open(browser, "demo.html");
  const [head, ...lines] = text("demo/statistics.csv").trim().split("\n").map((line) => line.split(","));
  const contacts = text("demo/contacts.csv").trim().split("\n").slice(1).map((line) => Math.floor(Number(line.split(",")[0])));
  for (const frame of [10, 40]) {
    await page.evaluate((at) => window.pliant.clock.seek(at), frame);
    const values = await page.locator(".chart .value").allTextContents();
    const line = lines.find((one) => Number(one[0]) === frame);
    const sum = ["predict", "detect", "respond", "commit"].reduce((all, name) => all + 1000 * Number(line[head.indexOf(name)]), 0);
    assert.ok(Math.abs(parseFloat(values[0]) - sum) < 0.01 * sum + 1e-3, `${values[0]} and ${sum}`);
    assert.equal(Number(values[1]), contacts.filter((one) => one === frame).length);
  }
  await close();
});

test("contacts are drawn, and bodies can be hidden", async () => {
  const { page, close } = await open(browser, "demo.html");
  await page.evaluate(() => window.pliant.clock.seek(40));
  await page.waitForFunction(() => window.pliant.marks.drawn > 0);
  const answered = text("demo/contacts.csv").trim().split("\n").slice(1).filter((line) => Math.floor(Number(line.split(",")[0])) === 40).length;
  assert.equal(await page.evaluate(() => window.pliant.marks.drawn), answered);
  await page.locator(".bodies label", { hasText: "cloth" }).click();
  assert.equal(await page.evaluate(() => window.pliant.bodies.find(({ body }) => body.name === "cloth").mesh.visible), false);
  const eye = () => page.evaluate(() => window.pliant.stage.camera.position.toArray());
  const before = await eye();
  await page.keyboard.press("4");
  await page.waitForFunction(() => !window.pliant.stage.isFlying);
  assert.notDeepEqual(await eye(), before);
  await close();
});

// By layer: on screen after its key was pressed, and gone after it was pressed again. (How many boxes `anytime` comes to within
// its budget depends on the machine; there is always a cut.)
const LAYER_KEYS = { boxes: "x", spheres: "s", pairs: "o", regions: "r", particles: "p", events: "e" };
for (const [file, layers] of [["demo.html", ["boxes"]], ["kinetic.html", ["boxes", "pairs"]], ["particles.html", ["boxes", "regions", "particles"]], ["anytime.html", ["spheres", "regions"]]])
  test(`what a method worked with is drawn on demand: ${file}`, async () => {
    const { page, complaints, close, shot } = await open(browser, file);
    await page.evaluate(() => window.pliant.clock.seek(40));
    const drawn = (layer) => page.evaluate((one) => window.pliant.overlay.drawn(one), layer);
    for (const layer of layers) {
      assert.equal(await drawn(layer), 0);
      await page.keyboard.press(LAYER_KEYS[layer]);
      assert.ok((await drawn(layer)) > 0, `${layer} of ${file}`);
      await shot(`overlay-${file.replace(".html", "")}-${layer}.png`);
      await page.keyboard.press(LAYER_KEYS[layer]);
      assert.equal(await drawn(layer), 0);
    }
    assert.ok((await page.locator(".overlay .said").textContent()).length > 5);
    assert.deepEqual(complaints, []);
    await close();
  });

test("a replay begins where the scene's first camera stands, and has a button for each", async () => {
  const { page, close } = await open(browser, "demo.html");
  const cameras = json("demo.json").cameras;
  assert.ok(cameras.length > 1);
  assert.deepEqual(await page.locator("button.preset").allTextContents(), cameras.map(({ name }) => name));
  const near = async ({ target }) => {
    const at = await page.evaluate(() => window.pliant.stage.target.toArray());
    target.forEach((x, axis) => assert.ok(Math.abs(x - at[axis]) < 1e-6));
  };
  await near(cameras[0]);
  await page.locator("button.preset").nth(1).click();
  await page.waitForFunction(() => !window.pliant.stage.isFlying);
  await near(cameras[1]);
  await close();
});

test("texts are readable, dark and light", async () => {
  for (const dark of [false, true])
    for (const file of ["demo.html", "moving.html"]) {
      const { page, close } = await open(browser, file, { dark });
      assert.deepEqual((await contrasts(page)).filter(({ ratio, needed }) => ratio < needed), []);
      await close();
    }
});

test("it fits a phone, dark and light", async () => {
  for (const dark of [false, true]) {
    const { page, complaints, close, shot } = await open(browser, "demo.html", { width: 390, height: 780, dark });
    await page.evaluate(() => window.pliant.clock.seek(50));
    assert.ok(!(await overflows(page)));
    assert.ok((await page.locator(".stage").boundingBox()).height > 250);
    await shot(`replay-phone-${dark ? "dark" : "light"}.png`);
    await page.keyboard.press("t");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), dark ? "light" : "dark");
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("a recording of 100 MB stays usable", async () => {
  const { page, complaints, close, shot } = await open(browser, "large.html");
  console.log(`large.html: first picture after ${Math.round(await firstPicture(page))} ms`);
  const milliseconds = await page.evaluate(() => {
    const begun = performance.now();
    for (const at of [10, 20, 30, 40, 50]) {
      window.pliant.clock.seek(at);
      window.pliant.showTime();
    }
    return (performance.now() - begun) / 5;
  });
  console.log(`large.html: ${Math.round(milliseconds)} ms to show another frame, without drawing`);
  assert.ok((await colours(page)) > 20);
  assert.ok(milliseconds < 1000);
  await shot("large.png");
  assert.deepEqual(complaints, []);
  assert.ok(json("demo.json").outcome === "done");
  await close();
});
