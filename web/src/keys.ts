// Keyboard shortcuts, and the list of them.
import { button, el } from "./dom";
import { switchTheme } from "./theme";
import type { Viewer } from "./viewer";

export interface Shortcut {
  key: string; // as KeyboardEvent.key has it
  label: string; // as it is printed
  what: string;
  action: () => void;
}

export function commonShortcuts(viewer: Viewer): Shortcut[] {
  const { clock, stage } = viewer;
  let wires = false;
  const moving: Shortcut[] = [
    { key: " ", label: "space", what: "play or pause", action: () => clock.toggle() },
    { key: "ArrowLeft", label: "←", what: "one frame back", action: () => clock.step(-1) },
    { key: "ArrowRight", label: "→", what: "one frame on", action: () => clock.step(1) },
    { key: "Home", label: "Home", what: "the first frame", action: () => clock.seek(clock.first) },
    { key: "End", label: "End", what: "the last frame", action: () => clock.seek(clock.last) },
    { key: "[", label: "[", what: "half as fast", action: () => clock.faster(0.5) },
    { key: "]", label: "]", what: "twice as fast", action: () => clock.faster(2) },
  ];
  return [
    ...(clock.moves ? moving : []),
    { key: "1", label: "1", what: "see all of it", action: () => stage.look("fit") },
    { key: "2", label: "2", what: "from the front", action: () => stage.look("front") },
    { key: "3", label: "3", what: "from the side", action: () => stage.look("side") },
    { key: "4", label: "4", what: "from above", action: () => stage.look("top") },
    { key: "u", label: "U", what: "turn y up, or z", action: () => viewer.turnUp() },
    { key: "w", label: "W", what: "wires", action: () => viewer.wireframe((wires = !wires)) },
    { key: "t", label: "T", what: "dark or light", action: switchTheme },
  ];
}

export class Keys {
  readonly help: HTMLDialogElement;

  constructor(shortcuts: Shortcut[], hands = "Drag to turn, with two fingers or the right button to move, scroll or pinch to come nearer.") {
    const all = [...shortcuts, { key: "?", label: "?", what: "this list", action: () => this.showHelp() }];
    const list = el("dl", { class: "keys" });
    for (const { label, what } of all) list.append(el("dt", {}, el("kbd", {}, label)), el("dd", {}, what));
    this.help = el("dialog", { class: "help", "aria-label": "Keyboard shortcuts" }, el("h2", {}, "Keys"), list,
      el("p", {}, hands));
    this.help.append(button("Close", "Close (Esc)", () => this.help.close()));
    document.body.append(this.help);
    addEventListener("keydown", (event) => this.pressed(event, all));
  }

  showHelp(): void {
    if (this.help.open) this.help.close();
    else this.help.showModal();
  }

  // A slider has arrows of its own, a button its space; what is typed with Ctrl belongs to the browser.
  private pressed(event: KeyboardEvent, shortcuts: Shortcut[]): void {
    const at = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (at.matches("textarea, select, input:not([type=range]):not([type=checkbox])")) return;
    if (event.key === " " && at.matches("button, input, [role=button], summary")) return;
    const found = shortcuts.find(({ key }) => key.toLowerCase() === event.key.toLowerCase());
    if (!found || (this.help.open && found.key !== "?")) return;
    event.preventDefault();
    found.action();
  }
}
