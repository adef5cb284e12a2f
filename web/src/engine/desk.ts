// Answers questions one by one, in the worker or wherever else the module runs (tests): starts the module anew when it breaks.
import { Module, Refusal, type Answer as ModuleAnswer, type Numbers } from "./module";
import type { Answer, Question } from "./protocol";

const broken = "the library's module broke and was started anew; nothing is open any more";

/** Assets that some scenes are made of and the module cannot make: by name, null if there is none. */
export type AssetSource = (name: string) => Promise<Uint8Array | null>;

export class Desk {
  private module: Promise<Module>;

  constructor(
    private readonly code: Promise<WebAssembly.Module>,
    private readonly assets: AssetSource = async () => null,
  ) {
    this.module = this.start();
    this.module.catch(() => {}); // told to whoever asks
  }

  async answer(question: Question): Promise<{ answer: Answer; arrays: Numbers[] }> {
    const number = question.number;
    let module: Module;
    try {
      module = await this.module;
    } catch (error) {
      return { answer: { number, error: `the library could not be loaded: ${String(error)}`, place: "", restarted: true }, arrays: [] };
    }
    try {
      const { value, arrays } = await this.askWithAssets(module, question);
      return { answer: { number, value }, arrays };
    } catch (error) {
      if (error instanceof Refusal)
        return { answer: { number, error: error.message, place: error.place, restarted: false }, arrays: [] };
      this.module = this.start();
      this.module.catch(() => {});
      return { answer: { number, error: `${broken} (${String(error)})`, place: "", restarted: true }, arrays: [] };
    }
  }

  // Asked again with what is missing, as long as something new is.
  private async askWithAssets(module: Module, question: Question, before = ""): Promise<ModuleAnswer> {
    try {
      return ask(module, question);
    } catch (error) {
      if (!(error instanceof Refusal) || !error.needs || error.needs === before) throw error;
      const bytes = await this.assets(error.needs);
      if (!bytes) throw error;
      ask(module, { number: 0, request: { call: "addPrepared" }, files: [{ name: error.needs, bytes }] });
      return this.askWithAssets(module, question, error.needs);
    }
  }

  private async start(): Promise<Module> {
    return Module.start(await this.code);
  }
}

function ask(module: Module, { request, files }: Question) {
  if (!files) return module.call(request);
  const places: number[] = [];
  try {
    const described = files.map(({ name, bytes }) => {
      const given = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
      const at = module.copyIn(given);
      places.push(at);
      return { name, at, size: given.length };
    });
    return module.call({ ...request, files: described });
  } finally {
    for (const at of places) module.free(at);
  }
}
