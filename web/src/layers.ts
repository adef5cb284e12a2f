// What a method worked with, by kind: names, colours and words. Knows nothing of drawing, so that an address can be read before three.js is there.
export const LAYERS = ["boxes", "spheres", "pairs", "regions", "particles", "events"] as const;
export type Layer = (typeof LAYERS)[number];
export const LAYER_COLOURS: Record<Layer, string> = {
  boxes: "box", spheres: "sphere", pairs: "pair", regions: "series3", particles: "particle", events: "event",
};
export const LAYER_WORDS: Record<Layer, string> = {
  boxes: "boxes that bound parts of the bodies; filled where they overlap another body's",
  spheres: "spheres that hold what is not resolved, or a level of the trees",
  pairs: "pairs of parts that had to be looked at closer",
  regions: "parts that the method divides surfaces into, or that are not resolved",
  particles: "particles that look for contacts",
  events: "contacts that the method found",
};

// What switches ask of one view, or of several.
export interface LayerSwitch {
  isOn(layer: Layer): boolean;
  turn(layer: Layer, on: boolean): void;
  readonly counts: Readonly<Record<Layer, number>>;
}
