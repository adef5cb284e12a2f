// A body as it is drawn.
import { BufferAttribute, BufferGeometry, Color, Mesh, Sphere, SRGBColorSpace } from "three";
import type { BodyHeader, Data } from "./data";
import { bodyMaterial, type BodyMaterial } from "./renderer";
import { unite } from "./stage";
import { RecordedSurface, type Surface } from "./surface";
import { isDark } from "./theme";

export interface BodyInfo {
  name: string;
  kind: string;
}

export class BodyView<Shown extends Surface = Surface> {
  readonly mesh: Mesh<BufferGeometry, BodyMaterial>;
  private readonly own: Color;

  constructor(readonly surface: Shown, readonly body: BodyInfo, colour: Color) {
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(surface.index, 1));
    geometry.setAttribute("position", new BufferAttribute(surface.positions, 3));
    geometry.setAttribute("normal", new BufferAttribute(surface.normals, 3));
    this.mesh = new Mesh(geometry, bodyMaterial(colour));
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.own = colour.clone();
  }

  // Of a surface that was placed elsewhere.
  update(): void {
    this.mesh.geometry.attributes.position.needsUpdate = true;
    this.mesh.geometry.attributes.normal.needsUpdate = true;
  }
  // Another colour than its own, from now on: a heat map has its own.
  repaint(colour: Color): void {
    this.own.copy(colour);
    this.dim();
  }
  // Bodies are as bright as the room is.
  dim(): void {
    this.mesh.material.color.copy(this.own).multiplyScalar(isDark() ? 0.82 : 1);
  }
}

// One of a page, at any of its rows.
export class RecordedBody extends BodyView<RecordedSurface> {
  private shown = "";

  constructor(data: Data, readonly header: BodyHeader, colour: Color) {
    super(new RecordedSurface(data, header), header, colour);
    this.mesh.geometry.boundingSphere = unite([header]).getBoundingSphere(new Sphere());
  }

  show(row: number, next: number, fraction: number): void {
    const key = `${row} ${next} ${fraction}`;
    if (key === this.shown) return;
    if (this.shown && this.header.rows === 1) return;
    this.shown = key;
    this.surface.show(row, next, fraction);
    this.update();
  }
}

const HUES = [0.58, 0.08, 0.36, 0.85, 0.13, 0.5, 0.97, 0.7, 0.25];

// Obstacles are stone; the others have colours of their own.
export function colourOf(kind: string, obstacle: boolean, number: number, plain: boolean): Color {
  const hsl = (hue: number, saturation: number, lightness: number) => new Color().setHSL(hue, saturation, lightness, SRGBColorSpace);
  const hue = HUES[number % HUES.length];
  if (plain) return hsl(hue, 0.12, 0.76);
  return obstacle ? hsl(0.1, 0.06, kind === "fixed" ? 0.86 : 0.78) : hsl(hue, 0.58, 0.56);
}
