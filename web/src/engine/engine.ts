// Starts the worker with the library, and asks it.
import { EngineError, type Engine } from "./api";
import type { Answer, Question, Start } from "./protocol";

export interface EngineFiles {
  worker: string; // address of worker.js
  module: string; // of pliant.wasm
}
/** As `make web` puts them, beside the page. */
export const besidePage: EngineFiles = { worker: "worker.js", module: "pliant.wasm" };

/** Returns at once; the first call waits for the module. Each engine has a worker of its own: two of them run side by side. */
export function startEngine(files: EngineFiles = besidePage): Engine {
  return new WorkerEngine(files);
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

class WorkerEngine implements Engine {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private number = 0;
  private ended = "";

  constructor(files: EngineFiles) {
    const absolute = (address: string) => new URL(address, document.baseURI).href;
    this.worker = new Worker(absolute(files.worker), { type: "module", name: "pliant" });
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => this.receive(data);
    this.worker.onerror = (event) => this.fail(event.message || "the worker could not be started");
    this.worker.postMessage({ module: absolute(files.module) } satisfies Start);
  }

  catalogue: Engine["catalogue"] = () => this.ask({ call: "catalogue" });
  openWorld: Engine["openWorld"] = (choice) => this.ask({ call: "openWorld", choice });
  step: Engine["step"] = (id, options = {}) => this.ask({ call: "step", id, options });
  drag: Engine["drag"] = (id, pull) => this.ask({ call: "drag", id, pull });
  stateHash: Engine["stateHash"] = (id) => this.ask({ call: "stateHash", id });
  openMotion: Engine["openMotion"] = (choice) => this.ask({ call: "openMotion", choice });
  openMeshes: Engine["openMeshes"] = (files) => this.ask({ call: "openMeshes" }, files);
  move: Engine["move"] = (id, body, by) => this.ask({ call: "move", id, body, by });
  positions: Engine["positions"] = (id, time) => this.ask({ call: "positions", id, time });
  openDetector: Engine["openDetector"] = (id, choice) => this.ask({ call: "openDetector", id, choice });
  detect: Engine["detect"] = (id, question = {}) => this.ask({ call: "detect", id, question });
  close: Engine["close"] = (id) => this.ask({ call: "close", id });

  end(): void {
    this.worker.terminate();
    this.fail("the engine was ended");
  }

  private ask<T>(request: Question["request"], files?: Question["files"]): Promise<T> {
    if (this.ended) return Promise.reject(new EngineError(this.ended));
    const number = ++this.number;
    return new Promise<unknown>((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.worker.postMessage(files ? { number, request, files } : ({ number, request } satisfies Question));
    }) as Promise<T>;
  }

  private receive(answer: Answer): void {
    const waiting = this.waiting.get(answer.number);
    this.waiting.delete(answer.number);
    if (!waiting) return;
    if ("error" in answer) waiting.reject(new EngineError(answer.error, answer.place, answer.restarted));
    else waiting.resolve(answer.value);
  }

  private fail(why: string): void {
    this.ended = why;
    for (const { reject } of this.waiting.values()) reject(new EngineError(why));
    this.waiting.clear();
  }
}
