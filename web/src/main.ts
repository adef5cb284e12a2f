// Two faces of one page, chosen by what it is about: a recording, or the report of a check.
import { readData } from "./data";
import { el } from "./dom";
import { showReplay } from "./replay";
import { firstPicture } from "./renderer";
import { ReportPage } from "./report";
import type { Viewer } from "./viewer";

function show(app: HTMLElement): Viewer | null {
  performance.mark("read begins");
  const data = readData();
  performance.mark("read");
  if (!data) {
    app.replaceChildren(el("p", { class: "wait" }, "This page is empty. Put a recording into it with: pliant view RUN -o run.html"));
    return null;
  }
  document.title = `${data.header.title} – Pliant`;
  return data.document.schema.startsWith("pliant.check/") ? new ReportPage(app, data).viewer : showReplay(app, data);
}

const app = document.getElementById("app")!;
try {
  // For those who want to drive the page by a program.
  const viewer = show(app);
  (window as unknown as { pliant: Viewer | null }).pliant = viewer;
  performance.mark("made");
  if (viewer) void firstPicture(viewer.stage.renderer);
} catch (error) {
  app.replaceChildren(el("p", { class: "wait" }, `This page cannot be shown here: ${(error as Error).message} (it needs WebGL 2)`));
  throw error;
}
