/** What processes read from and write to. */

/** Takes text. A writer that may not go on (its reader is gone) is told so by a throw. */
export interface Output {
  write(text: string): void;
}

/** Gives text, piece by piece; undefined at the end. */
export interface Input {
  read(): Promise<string | undefined>;
  /** True for a terminal: a person types there, and wants a prompt. */
  readonly isTerminal?: boolean;
  /** Of a terminal, in characters. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** Whether a shell that reads from there should ask for commands. */
export const isTerminal = (input: Input): boolean => input.isTerminal === true;

/** Raised into a process that writes to a pipe nobody reads. */
export class BrokenPipeError extends Error {
  override readonly name = 'BrokenPipeError';
}

/** An input that is at its end. */
export const emptyInput: Input = { read: () => Promise.resolve(undefined) };

/** An output that forgets. */
export const nullOutput: Output = { write: () => undefined };

/** An input that gives `text` once. */
export function textInput(text: string): Input {
  let rest: string | undefined = text === '' ? undefined : text;
  return {
    read: () => {
      const piece = rest;
      rest = undefined;
      return Promise.resolve(piece);
    },
  };
}

/** An output that keeps what it is given. */
export class TextOutput implements Output {
  text = '';

  write(text: string): void {
    this.text += text;
  }
}

/** What one process writes and another reads. Unbounded: writers are slowed elsewhere. */
export class Pipe implements Input, Output {
  readonly #pieces: string[] = [];
  #waiting: ((piece: string | undefined) => void) | undefined;
  #ended = false;
  #readerGone = false;

  write(text: string): void {
    if (this.#readerGone) throw new BrokenPipeError('Broken pipe');
    if (text === '') return;
    if (this.#waiting) {
      this.#waiting(text);
      this.#waiting = undefined;
    } else this.#pieces.push(text);
  }

  read(): Promise<string | undefined> {
    const piece = this.#pieces.shift();
    if (piece !== undefined || this.#ended) return Promise.resolve(piece);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** The writer is done. */
  end(): void {
    this.#ended = true;
    this.#waiting?.(undefined);
    this.#waiting = undefined;
  }

  /** The reader is done: whoever writes now learns it. */
  abandon(): void {
    this.#readerGone = true;
  }
}

/** Reads an input to its end. */
export async function readAll(input: Input): Promise<string> {
  let text = '';
  for (let piece = await input.read(); piece !== undefined; piece = await input.read()) text += piece;
  return text;
}

/** Reads line by line, without the line ends. */
export async function* readLines(input: Input): AsyncGenerator<string> {
  let rest = '';
  for (let piece = await input.read(); piece !== undefined; piece = await input.read()) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
