// Dark or light: what the system asks for, until a button says otherwise. Colours of the page are in style.css; those
// that are drawn on canvases are asked for here.
import { button } from "./dom";

const listeners: (() => void)[] = [];

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
export function switchTheme(): void {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  for (const listener of listeners) listener();
}
export function themeChanged(listener: () => void): void {
  listeners.push(listener);
}
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
export function themeButton(): HTMLButtonElement {
  return button("◐", "Dark or light (T)", switchTheme, "icon");
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const listener of listeners) listener();
});
