import { el } from "../dom";
import { startEngine } from "../engine/engine";
import { Playground } from "./playground";
import { readChoice } from "./state";

const app = document.getElementById("app")!;
const wait = (words: string) => app.replaceChildren(el("p", { class: "wait" }, words));

async function start(): Promise<void> {
  wait("Fetching the library …");
  const engine = startEngine();
  const catalogue = await engine.catalogue();
  performance.mark("library");
  const playground = new Playground(app, engine, catalogue, readChoice(location.hash));
  // For those who want to drive the page by a program.
  (window as unknown as { playground: Playground }).playground = playground;
  await playground.settled();
  addEventListener("hashchange", () => location.reload());
}

start().catch((error: Error) => {
  wait(`The playground cannot run here: ${error.message}. It needs WebAssembly and WebGL 2, and to be opened from a server (make serve).`);
});
