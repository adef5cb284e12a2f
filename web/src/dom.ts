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
