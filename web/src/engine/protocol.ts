// What page and worker say to each other.
import type { MeshFile } from "./api";

export interface Question {
  number: number;
  request: { call: string } & Record<string, unknown>;
  files?: MeshFile[]; // of openMeshes
}

export type Answer =
  | { number: number; value: unknown }
  | { number: number; error: string; place: string; restarted: boolean };

/** The first message to the worker: where the module is. */
export interface Start {
  module: string;
}
