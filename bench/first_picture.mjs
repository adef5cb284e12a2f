// Time from opening a page to its first picture, drawn: the playground, and pages of recordings and reports that are given. Each in a browser
// that was just started, and again in the same browser. Writes bench/results/first-picture.json and prints it as a table for docs/pages.md.
//   node bench/first_picture.mjs COMMIT [PAGE.html]...
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { basename, resolve } from "node:path";
import { launch, serve } from "../web/test/browser.mjs";

const [commit = "unknown", ...pages] = process.argv.slice(2);
const rounds = 4;

async function open(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName("first picture").length > 0, null, { timeout: 60000 });
  const marks = await page.evaluate(() => Object.fromEntries(performance.getEntriesByType("mark").map(({ name, startTime }) => [name, startTime])));
  await context.close();
  return marks;
}

async function measure(name, address) {
  const first = [], again = [], library = [];
  for (let round = 0; round < rounds; ++round) {
    const browser = await launch();
    for (const times of [first, again]) {
      const marks = await open(browser, address);
      times.push(marks["first picture"]);
      if (marks.library) library.push(marks.library);
    }
    await browser.close();
  }
  const sorted = (times) => times.map(Math.round).sort((a, b) => a - b);
  return { name, ms: { first: sorted(first), again: sorted(again), ...(library.length ? { library: sorted(library) } : {}) } };
}

const server = await serve();
const rows = [{ ...(await measure("playground", server.address)), bytes: weight() }];
for (const page of pages) rows.push({ ...(await measure(basename(page), `file://${resolve(page)}`)), bytes: { raw: statSync(page).size } });
server.end();

// All that the first picture of the playground needs.
function weight() {
  const folder = new URL("../web/dist/playground/", import.meta.url);
  const parts = [...readFileSync(new URL("index.html", folder), "utf8").matchAll(/href="(parts[^"]*)"/g)].map(([, part]) => part);
  const sum = (end) => ["index.html", "style.css", "playground.js", "worker.js", "pliant.wasm", ...parts].reduce((bytes, name) => bytes + statSync(new URL(name + end, folder)).size, 0);
  return { raw: sum(""), gzip: sum(".gz"), brotli: sum(".br") };
}

const result = { schema: "pliant.first-picture/1", machine: { processor: cpus()[0].model }, browser: "Chromium, pictures made by the processor (SwiftShader)", commit, rows };
writeFileSync(new URL("results/first-picture.json", import.meta.url), JSON.stringify(result, null, 1) + "\n");
const range = (times) => `${(times[0] / 1000).toFixed(2)} to ${(times.at(-1) / 1000).toFixed(2)}`;
console.log("| seconds to the first picture | browser just started | again |\n| --- | --: | --: |");
for (const { name, ms } of rows) console.log(`| ${name} | ${range(ms.first)} | ${range(ms.again)} |`);
