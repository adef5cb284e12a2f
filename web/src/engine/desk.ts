// Answers questions one by one, in the worker or wherever else the module runs (tests): starts the module anew when it breaks.
import { Module, Refusal, type Numbers } from "./module";
import type { Answer, Question } from "./protocol";

const broken = "the library's module broke and was started anew; nothing is open any more";

export class Desk {
  private module: Promise<Module>;

  constructor(private readonly code: Promise<WebAssembly.Module>) {
    this.module = this.start();
    this.module.catch(() => {}); // told to whoever asks
  }

  async answer(question: Question): Promise<{ answer: Answer; arrays: Numbers[] }> {
    const number = question.number;
    try {
      const { value, arrays } = ask(await this.module, question);
      return { answer: { number, value }, arrays };
    } catch (error) {
      if (error instanceof Refusal)
        return { answer: { number, error: error.message, place: error.place, restarted: false }, arrays: [] };
      this.module = this.start();
      this.module.catch(() => {});
      return { answer: { number, error: `${broken} (${String(error)})`, place: "", restarted: true }, arrays: [] };
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
