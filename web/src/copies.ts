// The faces of a pair of bodies that take part in contacts, ready to be pasted into other programs.
import type { Data } from "./data";
import { button, copyText, counted, el } from "./dom";
import type { FaceCounts } from "./heat";
import type { Row } from "./pairs";
import { blenderText, mayaText, plainText, selections } from "./selections";

const FORMS = [["Copy for Maya", mayaText], ["Copy for Blender", blenderText], ["Copy indices", plainText]] as const;

function copyLine(data: Data, body: number, counts: FaceCounts): HTMLElement {
  const list = selections(data, body, counts);
  const faces = list.reduce((sum, { faces: some }) => sum + some.length, 0);
  const line = el("div", { class: "row" }, el("span", {}, `${data.header.bodies[body].name}: ${counted(faces, "face", "faces")}`));
  if (!faces) return line;
  for (const [label, text] of FORMS) {
    const copy = button(label, `Copy: ${text(list).slice(0, 120)}`, async () => {
      await copyText(text(list));
      copy.classList.add("copied");
      setTimeout(() => copy.classList.remove("copied"), 1500);
    });
    line.append(copy);
  }
  return line;
}

export function copyLines(data: Data, row: Row): HTMLElement[] {
  const { a, b } = row.tally;
  const heading = el("h2", {}, `Faces of ${row.name} that take part${data.document.moves ? ", in all frames" : ""}`);
  const first = copyLine(data, a, row.faces[0]);
  return a === b ? [heading, first] : [heading, first, copyLine(data, b, row.faces[1])];
}
