// Chromium, with pages opened from disk, and everything that they complain about.
import { chromium } from "playwright-core";
import { spawn } from "node:child_process";
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

// The server of `make serve`, at a port of its own.
export async function serve() {
  const server = spawn(process.execPath, [new URL("../serve.mjs", import.meta.url).pathname, "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((found, failed) => {
    server.stdout.on("data", (text) => found(/http:\S+/.exec(String(text))[0]));
    server.on("exit", () => failed(new Error("web/serve.mjs ended")));
  });
  return { address, end: () => server.kill() };
}

// `still`: nothing plays or flies by itself, so that what is seen does not depend on when it is looked at.
async function watch(browser, allowed, { width = 1280, height = 800, dark = false, still = true } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: still ? "reduce" : "no-preference",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => allowed(request.url()) || complaints.push(`asks for ${request.url()}`));
  return { page, complaints, close: () => context.close(), shot: (name, options = {}) => page.screenshot({ path: join(shots, name), ...options }) };
}
const drawn = (page) => page.waitForFunction(() => performance.getEntriesByName("first picture").length > 0, null, { timeout: 60000 });

// The playground with what an address asks for; it has nothing else to ask for than its own files.
export async function play(browser, address, words = "", options = {}) {
  const opened = await watch(browser, (url) => url.startsWith(address) || /^(data|blob):/.test(url), options);
  await opened.page.goto(address + words);
  await drawn(opened.page);
  await settled(opened.page);
  return opened;
}
export const settled = (page) => page.evaluate(() => window.playground.settled());

export async function open(browser, file, options = {}) {
  const opened = await watch(browser, (url) => /^(file|data|blob):/.test(url), options);
  await opened.page.goto(`file://${join(pages, file)}`);
  await drawn(opened.page);
  return opened;
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

// How texts stand out from what is behind them (WCAG 2: 4.5 is enough for texts, 3 for large ones), by what they are.
export const contrasts = (page) => page.evaluate(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const behind = (element) => {
    if (!element) return rgba(getComputedStyle(document.documentElement).backgroundColor);
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own[3] >= 1 ? own : over(own, behind(element.parentElement));
  };
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const seen = new Map();
  for (const element of document.querySelectorAll("body *")) {
    if (!element.checkVisibility() || ![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
    const style = getComputedStyle(element);
    const below = behind(element);
    const [a, b] = [light(over(rgba(style.color), below)), light(below)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 700;
    const what = `${element.tagName.toLowerCase()}.${element.className || element.parentElement.className}`;
    const ratio = Number(((a + 0.05) / (b + 0.05)).toFixed(2));
    if (!seen.has(what) || seen.get(what).ratio > ratio) seen.set(what, { what, text: element.textContent.slice(0, 30), ratio, needed: size >= 24 || (bold && size >= 18.66) ? 3 : 4.5 });
  }
  return [...seen.values()];
});
