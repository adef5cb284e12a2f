// The worker that runs the library.
import { Desk } from "./desk";
import type { Question, Start } from "./protocol";

interface Scope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
}
const scope = self as unknown as Scope;

let desk: Desk | undefined;
// Strictly one after the other, in the order in which they came.
let last: Promise<unknown> = Promise.resolve();

scope.onmessage = ({ data }: MessageEvent<Start | Question>) => {
  if ("module" in data) {
    desk = new Desk(compile(data.module), (name) => asset(new URL(`prepared/${name}.pliant`, data.module)));
    return;
  }
  last = last.then(async () => {
    const { answer, arrays } = await desk!.answer(data);
    scope.postMessage(
      answer,
      arrays.map((numbers) => numbers.buffer as ArrayBuffer),
    );
  });
};

async function asset(address: URL): Promise<Uint8Array | null> {
  const response = await fetch(address);
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
}

async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  // Compiled while it comes in, where the server says that it is WebAssembly.
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
