// Who answers requests: the native program, or the module, in node or in a page. All give the same: an answer as JSON, with each array as
// "count:hash", and without what depends on the machine.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** FNV-1a of an array's bytes. Also runs in pages: refers to nothing outside. */
export function digest(value) {
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    let hash = 2166136261;
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 16777619);
    return `${value.length}:${hash >>> 0}`;
  }
  if (Array.isArray(value)) return value.map(digest);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, digest(member)]));
}

// Not the same everywhere: time; what "auto" has chosen by measuring, and how often it searched until then; bytes of memory, where pointers
// are half as long.
const byTheMachine = new Set(["milliseconds", "method", "searches", "bytes"]);
export function withoutMachine(value) {
  if (Array.isArray(value)) return value.map(withoutMachine);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([key]) => !byTheMachine.has(key));
  return Object.fromEntries(members.map(([key, member]) => [key, withoutMachine(member)]));
}

/** The native program, with words of the command line. `ask` answers in order; `end` when nothing more is asked. */
export function native(program, environment = {}, words = []) {
  const process_ = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...environment } });
  const waiting = [];
  createInterface({ input: process_.stdout }).on("line", (line) => {
    const { answer, arrays } = JSON.parse(line);
    waiting.shift()(inPlace(answer, arrays));
  });
  return {
    ask: (request) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        process_.stdin.write(JSON.stringify(request) + "\n");
      }),
    end: () => process_.stdin.end(),
  };
}

function inPlace(value, arrays) {
  if (Array.isArray(value)) return value.map((one) => inPlace(one, arrays));
  if (typeof value !== "object" || value === null) return value;
  if ("$array" in value) return arrays[value.$array];
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inPlace(member, arrays)]));
}
