// Chromium, with pages opened from disk, and everything that they complain about.
import { chromium } from "playwright-core";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const pages = process.env.PAGES;
export const shots = process.env.SHOTS;
export const has = (name) => existsSync(join(pages, name));
export const json = (name) => JSON.parse(readFileSync(join(pages, name), "utf8"));
export const text = (name) => readFileSync(join(pages, name), "utf8");

const FLAGS = [
  "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

// `still`: nothing plays or flies by itself, so that what is seen does not depend on when it is looked at.
export async function open(browser, file, { width = 1280, height = 800, dark = false, still = true } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: still ? "reduce" : "no-preference",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || complaints.push(`asks for ${request.url()}`));
  await page.goto(`file://${join(pages, file)}`);
  await page.waitForFunction(() => performance.getEntriesByName("first picture").length > 0, null, { timeout: 60000 });
  return { page, complaints, close: () => context.close(), shot: (name, options = {}) => page.screenshot({ path: join(shots, name), ...options }) };
}

export const time = (page) => page.evaluate(() => window.pliant.clock.time);
export const firstPicture = (page) => page.evaluate(() => performance.getEntriesByName("first picture")[0].startTime);

// How many colours a picture of the bodies has: a blank one has a few.
export async function colours(page) {
  return page.evaluate(() => {
    const { stage } = window.pliant;
    const image = new Image();
    image.src = stage.picture(160, 120, stage.camera.position, stage.target);
    return image.decode().then(() => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [160, 120];
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, 160, 120);
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4) seen.add((data[i] >> 3) * 1024 + (data[i + 1] >> 3) * 32 + (data[i + 2] >> 3));
      return seen.size;
    });
  });
}
export const overflows = (page) => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
