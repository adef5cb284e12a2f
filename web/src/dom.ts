// Elements in one line.

type Child = Node | string | null | undefined;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

export function button(label: string, title: string, action: () => void, className = ""): HTMLButtonElement {
  const made = el("button", { type: "button", title, class: className }, label);
  if (label.length < 3) made.setAttribute("aria-label", title);
  made.addEventListener("click", action);
  return made;
}

// A button that stays pressed.
export function toggle(label: string, title: string, on: boolean, action: (on: boolean) => void): HTMLButtonElement {
  const made = button(label, title, () => {
    const next = made.getAttribute("aria-pressed") !== "true";
    made.setAttribute("aria-pressed", String(next));
    action(next);
  });
  made.setAttribute("aria-pressed", String(on));
  return made;
}

// A choice among some; the label names it for those who do not see it.
export function select(label: string, options: [string, string][], chosen: string, action: (value: string) => void): HTMLLabelElement {
  const list = el("select");
  for (const [value, text] of options) list.append(el("option", { value }, text));
  list.value = chosen;
  list.addEventListener("change", () => action(list.value));
  return el("label", { class: "field" }, el("span", {}, label), list);
}

// A slider over places 0 to `steps`; `words` says what a place means.
export function slider(label: string, steps: number, at: number, words: (at: number) => string, action: (at: number) => void): HTMLLabelElement {
  const said = el("output", {}, words(at));
  const input = el("input", { type: "range", min: "0", max: String(steps), step: "1", "aria-valuetext": words(at) });
  input.value = String(at);
  input.addEventListener("input", () => {
    said.textContent = words(Number(input.value));
    input.setAttribute("aria-valuetext", said.textContent);
    action(Number(input.value));
  });
  return el("label", { class: "field" }, el("span", {}, label, said), input);
}

export function checkbox(label: string, on: boolean, action: (on: boolean) => void): HTMLLabelElement {
  const box = el("input", { type: "checkbox" });
  box.checked = on;
  box.addEventListener("change", () => action(box.checked));
  return el("label", { class: "check" }, box, el("span", {}, label));
}

// 1234567 as "1 234 567", with thin blanks.
export function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}
export function counted(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
// Up to six digits, as tables of the command have them.
export function short(value: number, digits = 6): string {
  return String(Number(value.toPrecision(digits)));
}

// Where scripts may not use the clipboard, by way of a selection.
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", { class: "offscreen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
