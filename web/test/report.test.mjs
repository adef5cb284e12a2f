// Reports of checks in the browser: the numbers of the JSON report, places that one can fly to, text to paste elsewhere.
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { colours, firstPicture, has, json, launch, open, overflows, pages, shots, text, time } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const digits = (shown) => Number(shown.replace(/[^\d.e+-]/g, ""));
const cells = (page, head) => page.locator(`.pairs td[data-head="${head}"]`).allTextContents();
const number = (value) => String(Number(value.toPrecision(6)));

// In the order of the page: by first time.
const sorted = (report) => report.pairs.map((pair, at) => ({ ...pair, at })).sort((x, y) => (x.first_time ?? Infinity) - (y.first_time ?? Infinity) || x.at - y.at);

async function requireNumbers(page, report) {
  const pairs = sorted(report);
  assert.deepEqual((await cells(page, "Contacts")).map(digits), pairs.map((pair) => pair.contacts));
  if (!report.moves) return;
  assert.deepEqual(await cells(page, "First"), pairs.map(({ first_time }) => (first_time === null ? "–" : `frame ${number(first_time)}`)));
  assert.deepEqual((await cells(page, "Frames affected")).map(digits), pairs.map((pair) => pair.frames_affected));
  const { time: when } = report.first_new ?? report.first;
  assert.ok((await page.locator("h1").textContent()).includes(`frame ${number(when)}, `));
}

const MOVING = ["moving", "cesiumman_walk", "robot_dance", "rumba_fixed", "rumba_unfixed"].filter((name) => has(`${name}.json`));

for (const name of MOVING)
  test(`the report ${name} has the numbers of its JSON, and shows the first collision`, async () => {
    const report = json(`${name}.json`);
    const { page, complaints, close, shot } = await open(browser, `${name}.html`);
    assert.ok(await page.locator(".verdict.collides").isVisible());
    await requireNumbers(page, report);
    const first = report.first_new ?? report.first;
    assert.ok(Math.abs((await time(page)) - first.time) < 1e-9);
    // The ring is at the place, and the place well within the picture: coordinates from -1 to 1.
    const [at, seen] = await page.evaluate(() => {
      const { marks, stage } = window.pliant;
      return [marks.ring.position.toArray(), marks.ring.position.clone().project(stage.camera).toArray()];
    });
    at.forEach((x, axis) => assert.ok(Math.abs(x - first.point[axis]) < 1e-6 * Math.max(1, Math.abs(x))));
    assert.ok(Math.abs(seen[0]) < 0.95 && Math.abs(seen[1]) < 0.95 && Math.abs(seen[2]) < 1, `seen at ${seen}`);
    assert.ok(await page.locator(".pin").isVisible());
    assert.ok((await colours(page)) > 20);
    await page.waitForFunction(() => document.documentElement.dataset.pictures === "done", null, { timeout: 30000 });
    assert.equal(await page.locator(".pictures img").count(), Math.min(6, report.pairs.filter((pair) => pair.contacts > pair.excused).length));
    assert.deepEqual(complaints, []);
    console.log(`${name}.html: first picture after ${Math.round(await firstPicture(page))} ms`);
    await shot(`report-${name}.png`);
    await close();
  });

test("a row flies the camera to its place and time, by Enter and by mouse", async () => {
  const report = json("moving.json");
  const { page, close } = await open(browser, "moving.html");
  const row = page.locator(".pairs tbody tr").first();
  await page.keyboard.press("1");
  await row.focus();
  await page.keyboard.press("Enter");
  const first = sorted(report)[0];
  assert.equal(await row.getAttribute("aria-selected"), "true");
  assert.ok(Math.abs((await time(page)) - first.first_time) < 1e-9);
  await page.waitForFunction(() => !window.pliant.stage.isFlying);
  const there = await page.evaluate(() => window.pliant.stage.target.toArray());
  const header = await page.evaluate(() => JSON.parse(document.getElementById("pliant-page").textContent).pairs);
  header[first.at].first.point.forEach((x, axis) => assert.ok(Math.abs(x - there[axis]) < 1e-6));
  await row.locator("button.link").click();
  assert.ok(Math.abs((await time(page)) - header[first.at].worst.time) < 1e-9);
  await close();
});

test("copy buttons give the faces of all contacts, as Maya, Blender and people write them", async () => {
  const report = json("still.json");
  const { page, close, shot } = await open(browser, "still.html");
  await requireNumbers(page, report);
  const faces = new Set();
  for (const { a, b } of report.contacts) for (const feature of [a, b]) faces.add(feature.face ?? feature.triangle);
  const list = [...faces].sort((x, y) => x - y);
  assert.deepEqual(list, [1, 2]);
  await page.locator(".pairs tbody tr").first().click();
  const copied = async (label) => {
    await page.getByRole("button", { name: label }).first().click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(await copied("Copy indices"), `a&<b>c: ${list.join(", ")}`);
  const maya = await copied("Copy for Maya");
  const selected = [...maya.matchAll(/a&<b>c\.f\[(\d+)(?::(\d+))?\]/g)].flatMap(([, from, to]) => {
    const run = [];
    for (let face = Number(from); face <= Number(to ?? from); ++face) run.push(face);
    return run;
  });
  assert.deepEqual(selected, list);
  assert.match(maya, /^select -r .*;$/);
  assert.ok((await copied("Copy for Blender")).includes(`for i in (${list.join(",")},)`));
  assert.ok(await page.locator(".transport").isHidden());
  await shot("report-still.png");
  await close();
});

test("a clean check says so, with what that rests on", async () => {
  const report = json("clean.json");
  const { page, complaints, close } = await open(browser, "clean.html");
  assert.equal(await page.locator(".verdict.clean h1").textContent(), "Clean: nothing collides.");
  assert.ok((await page.locator(".basis").textContent()).includes(report.guarantee));
  assert.ok(await page.locator(".none").isVisible());
  assert.deepEqual(complaints, []);
  await close();
});

test("frames that were left out are named", async () => {
  const whole = text("moving.html");
  const fewer = whole.replace(/("up":"z","frames":)\d+/, "$1999");
  assert.notEqual(fewer, whole);
  writeFileSync(join(pages, "fewer.html"), fewer);
  for (const [file, said] of [["moving.html", false], ["fewer.html", true]]) {
    const { page, close } = await open(browser, file);
    assert.equal((await page.locator(".notes").textContent()).includes("of 999 frames are in this page"), said);
    await close();
  }
});

test("it fits a phone, dark and light, and prints", async () => {
  for (const dark of [false, true]) {
    const { page, complaints, close, shot } = await open(browser, "moving.html", { width: 390, height: 780, dark });
    await page.waitForFunction(() => document.documentElement.dataset.pictures === "done", null, { timeout: 30000 });
    assert.ok(!(await overflows(page)));
    await shot(`report-phone-${dark ? "dark" : "light"}.png`, { fullPage: true });
    if (!dark) {
      await page.pdf({ path: join(shots, "report.pdf"), format: "A4", printBackground: true });
      assert.ok(statSync(join(shots, "report.pdf")).size > 10000);
    }
    assert.deepEqual(complaints, []);
    await close();
  }
});
