// Makes the pictures of README and docs again, from the pages themselves.  usage: node web/pictures.mjs COMMAND
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const command = resolve(process.argv[2] ?? "build/pliant");
const here = new URL(".", import.meta.url).pathname;
const into = join(here, "../docs/pictures");
const work = mkdtempSync(join(tmpdir(), "pliant-pictures-"));
process.env.PAGES = work;
process.env.SHOTS = into;
process.env.PLIANT_VIEW = join(here, "dist/view.html");
const { launch, open, play, serve, settled } = await import("./test/browser.mjs");

const pliant = (...words) => execFileSync(command, words, { cwd: work, stdio: ["ignore", "ignore", "inherit"] });

// Frames of a recording side by side, in one picture.
async function strip(page, frames, width, height) {
  return page.evaluate(async ({ frames, width, height }) => {
    const { stage, clock } = window.pliant;
    window.pliant.marks.visible("points", false);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [frames.length * width, height];
    const context = canvas.getContext("2d");
    for (const [at, frame] of frames.entries()) {
      clock.seek(frame);
      window.pliant.showTime();
      const image = new Image();
      // Nearer than the page stands, which has the whole way of the ball in view.
      const ball = window.pliant.bodies.find(({ body }) => body.name === "turning-ball").mesh.geometry.boundingSphere.center;
      const target = ball.clone().lerp(stage.target, 0.3);
      const way = stage.camera.position.clone().sub(stage.target);
      image.src = stage.picture(2 * width, 2 * height, target.clone().addScaledVector(way, 0.72), target);
      await image.decode();
      context.drawImage(image, at * width, 0, width, height);
    }
    return canvas.toDataURL("image/webp", 0.82);
  }, { frames, width, height });
}

const save = (name, url) => writeFileSync(join(into, name), Buffer.from(url.split(",")[1], "base64"));

mkdirSync(into, { recursive: true });
const browser = await launch();
try {
  pliant("run", "-q", "demo", "--out", "demo", "--html", "demo.html");
  const replay = await open(browser, "demo.html", { width: 1200, height: 800 });
  await replay.page.evaluate(() => window.pliant.clock.seek(64));
  await replay.page.waitForTimeout(500);
  await replay.shot("replay.jpg", { type: "jpeg", quality: 80 });
  save("frames.webp", await strip(replay.page, [0, 16, 36, 44, 64], 300, 260));
  await replay.close();

  pliant("run", "-q", "avatar", "--triangles", "10000", "--out", "avatar");
  spawnSync(command, ["check", "-q", "avatar", "--html", "avatar.html"], { cwd: work, stdio: "inherit" });
  const report = await open(browser, "avatar.html", { width: 1200, height: 760 });
  await report.page.waitForFunction(() => document.documentElement.dataset.pictures === "done");
  await report.page.waitForTimeout(500);
  await report.shot("report.jpg", { type: "jpeg", quality: 80 });
  await report.close();

  pliant("view", "-q", "demo", "-o", "particles.html", "--overlay", "particles");
  const overlay = await open(browser, "particles.html", { width: 1200, height: 800 });
  await overlay.page.evaluate(() => window.pliant.clock.seek(64));
  for (const key of ["r", "p"]) await overlay.page.keyboard.press(key);
  await overlay.page.waitForTimeout(500);
  await overlay.shot("overlay.jpg", { type: "jpeg", quality: 80 });
  await overlay.close();

  const server = await serve();
  const words = "#scene=tablecloth&method=anytime&operations=3000&beside=particles&layers=regions,events&paused=yes&frame=22";
  const playground = await play(browser, server.address, words, { width: 1400, height: 820 });
  for (let i = 0; i < 12; ++i) await playground.page.evaluate(() => window.playground.stepOnce());
  await settled(playground.page);
  // Nearer than the scene's camera stands, which leaves room for the cloth to fall.
  await playground.page.evaluate(() => window.playground.panes[0].stage.look("fit", true));
  await playground.page.waitForTimeout(500);
  await playground.shot("playground.jpg", { type: "jpeg", quality: 80 });
  await playground.close();
  server.end();
} finally {
  await browser.close();
  rmSync(work, { recursive: true });
}
for (const name of ["frames.webp", "replay.jpg", "report.jpg", "overlay.jpg", "playground.jpg"]) console.log(`docs/pictures/${name}: ${Math.round(statSync(join(into, name)).size / 1000)} kB`);
