import { el } from "../dom";
import { startEngine } from "../engine/engine";
import type { Playground } from "./playground";
import { openEarly } from "./source";
import { readChoice } from "./state";

const app = document.getElementById("app")!;
const wait = (words: string) => app.replaceChildren(el("p", { class: "wait" }, words));

async function start(): Promise<void> {
  wait("Fetching the library …");
  const engine = startEngine();
  const asked = engine.catalogue();
  asked.then(() => performance.mark("library"), () => {});
  const choice = readChoice(location.hash);
  const first = openEarly(engine, choice);
  // Read and started while the worker fetches and compiles the library and opens the scene.
  const { Playground, startRenderer } = await import("./playground");
  startRenderer();
  performance.mark("page");
  const playground = new Playground(app, engine, await asked, choice, first);
  // For those who want to drive the page by a program.
  (window as unknown as { playground: Playground }).playground = playground;
  await playground.settled();
  addEventListener("hashchange", () => location.reload());
}

start().catch((error: Error) => {
  wait(`The playground cannot run here: ${error.message}. It needs WebAssembly and WebGL 2, and to be opened from a server (make serve).`);
});
