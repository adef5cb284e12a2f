// How often each place of a surface takes part in contacts, as colours over its own.
import { BufferAttribute, Color } from "three";
import type { BodyView } from "./body_view";

const RAMP = [new Color("#ffc21a"), new Color("#f4511e"), new Color("#b3001b")];

function ramp(part: number): Color {
  const at = part * (RAMP.length - 1), low = Math.min(RAMP.length - 2, Math.floor(at));
  return RAMP[low].clone().lerp(RAMP[low + 1], at - low);
}

// Face and count, in turn, of contacts between two bodies.
export type FaceCounts = Uint32Array;

export function largestCount(lists: FaceCounts[]): number {
  let most = 1;
  for (const list of lists) for (let i = 1; i < list.length; i += 2) most = Math.max(most, list[i]);
  return most;
}

export class Heat {
  private readonly colours: BufferAttribute;
  private readonly own: Color;

  constructor(private readonly view: BodyView) {
    const { geometry, material } = view.mesh;
    this.own = material.color.clone();
    this.colours = new BufferAttribute(new Float32Array(view.surface.positions.length), 3);
    geometry.setAttribute("color", this.colours);
    view.repaint(new Color(0xffffff));
    material.vertexColors = true;
    material.needsUpdate = true;
    this.show([], 1);
  }

  // Logarithmic, since a few faces meet others all the time and many do once.
  show(lists: FaceCounts[], most: number): void {
    const { index } = this.view.surface;
    const amount = new Float32Array(this.colours.count);
    for (const list of lists)
      for (let i = 0; i < list.length; i += 2)
        for (let k = 0; k < 3; ++k) {
          const v = index[3 * list[i] + k];
          amount[v] = Math.max(amount[v], list[i + 1]);
        }
    for (let v = 0; v < amount.length; ++v) {
      const colour = amount[v] ? ramp(Math.min(1, Math.log1p(amount[v]) / Math.log1p(Math.max(2, most)))) : this.own;
      this.colours.setXYZ(v, colour.r, colour.g, colour.b);
    }
    this.colours.needsUpdate = true;
  }
}
