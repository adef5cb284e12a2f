// What the module asks of whoever runs it: a clock, and nothing else. It has no files: what it tries to open is not there.

const notThere = -44; // ENOENT, as Emscripten's C library counts
const badFile = 8; // EBADF of WASI

/** Thrown when the module ends itself: it can not be used any more. */
export class ModuleEnded extends Error {
  override name = "ModuleEnded";
}

/** `memory` is asked for when it is needed: it does not exist before the module does, and grows. */
export function hostImports(memory: () => WebAssembly.Memory): WebAssembly.Imports {
  const view = () => new DataView(memory().buffer);
  const refused = () => notThere;
  const wasi = {
    clock_time_get(clock: number, _precision: bigint, result: number) {
      const milliseconds = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(result, BigInt(Math.round(milliseconds * 1e6)), true);
      return 0;
    },
    environ_sizes_get(count: number, size: number) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    // Of the standard outputs, for what a C library says before it ends.
    fd_write(_file: number, parts: number, count: number, written: number) {
      let size = 0;
      for (let i = 0; i < count; ++i) size += view().getUint32(parts + 8 * i + 4, true);
      view().setUint32(written, size, true);
      return 0;
    },
    fd_read: () => badFile,
    fd_pread: () => badFile,
    fd_seek: () => badFile,
    fd_close: () => badFile,
    proc_exit(status: number): never {
      throw new ModuleEnded(`the module ended with status ${status}`);
    },
  };
  const env = new Proxy({ emscripten_notify_memory_growth: () => {} } as Record<string, () => unknown>, {
    get: (known, name: string) => known[name] ?? refused,
  });
  return { wasi_snapshot_preview1: wasi, env: env as unknown as WebAssembly.ModuleImports };
}
