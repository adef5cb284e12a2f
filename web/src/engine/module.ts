// The compiled library: requests in, answers out, both as the library's border has them (web/wasm/session.h).
import { hostImports } from "./host";

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(size: number): number;
  free(at: number): void;
  pliant_call(request: number): number;
  pliant_array_type(i: number): number;
  pliant_array_count(i: number): number;
  pliant_array_at(i: number): number;
}

export type Numbers = Float32Array | Float64Array | Uint32Array | Uint8Array;
const arrayTypes = [Float32Array, Float64Array, Uint32Array, Uint8Array] as const;

export interface Answer {
  value: unknown; // plain, with arrays in their places
  arrays: Numbers[]; // copies, to be transferred
}

/** Refused by the library; the module is as it was. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly place: string,
    readonly needs = "", // an asset with which the same call would do
  ) {
    super(message);
  }
}

export class Module {
  private constructor(private readonly exports: Exports) {}

  static async start(code: WebAssembly.Module): Promise<Module> {
    let exports: Exports | undefined;
    const instance = await WebAssembly.instantiate(
      code,
      hostImports(() => exports!.memory),
    );
    exports = instance.exports as unknown as Exports;
    exports._initialize();
    return new Module(exports);
  }

  /** Throws Refusal. Anything else that it throws is the end of the module. */
  call(request: object): Answer {
    const text = this.copyIn(new TextEncoder().encode(JSON.stringify(request) + "\0"));
    const reply = this.exports.pliant_call(text);
    this.exports.free(text);
    const arrays: Numbers[] = [];
    const value = JSON.parse(this.textAt(reply >>> 0)) as { error?: string; place?: string; needs?: string };
    if (value?.error !== undefined) throw new Refusal(value.error, value.place ?? "", value.needs);
    return { value: this.withArrays(value, arrays), arrays };
  }

  /** Bytes in the module's memory, until they are freed. */
  copyIn(bytes: Uint8Array): number {
    const at = this.exports.malloc(bytes.length) >>> 0;
    if (at === 0) throw new Refusal("there is not enough memory for this", "");
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }
  free(at: number): void {
    this.exports.free(at);
  }

  private textAt(at: number): string {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }

  private arrayOf(i: number): Numbers {
    const type = arrayTypes[this.exports.pliant_array_type(i)]!;
    const at = this.exports.pliant_array_at(i) >>> 0;
    const count = this.exports.pliant_array_count(i);
    return count === 0 ? new type(0) : new type(this.exports.memory.buffer, at, count).slice();
  }

  private withArrays(value: unknown, arrays: Numbers[]): unknown {
    if (typeof value !== "object" || value === null) return value;
    if ("$array" in value) {
      const numbers = this.arrayOf(value.$array as number);
      arrays.push(numbers);
      return numbers;
    }
    const members = value as Record<string, unknown>;
    for (const key in members) members[key] = this.withArrays(members[key], arrays);
    return members;
  }
}
