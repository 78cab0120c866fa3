/** Defines the input and output streams of processes. */

/** Accepts text. `write` throws when the reader is gone. */
export interface Output {
  write(text: string): void;
}

/** Returns text piece by piece; undefined at the end. */
export interface Input {
  read(): Promise<string | undefined>;
  /** True for a terminal, where a shell prints a prompt. */
  readonly isTerminal?: boolean;
  /** The size of a terminal in characters. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** Returns whether the input is a terminal. */
export const isTerminal = (input: Input): boolean => input.isTerminal === true;

/** Thrown when a process writes to a pipe without a reader. */
export class BrokenPipeError extends Error {
  override readonly name = 'BrokenPipeError';
}

/** An empty input. */
export const emptyInput: Input = { read: () => Promise.resolve(undefined) };

/** An output that discards its text. */
export const nullOutput: Output = { write: () => undefined };

/** Returns an input that contains `text`. */
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

/** An output that collects its text. */
export class TextOutput implements Output {
  text = '';

  write(text: string): void {
    this.text += text;
  }
}

/** A pipe between two processes. Unbounded, because busy writers are throttled by Process.act. */
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

  /** Ends the pipe on the writer's side. */
  end(): void {
    this.#ended = true;
    this.#waiting?.(undefined);
    this.#waiting = undefined;
  }

  /** Closes the reader's side: further writes throw. */
  abandon(): void {
    this.#readerGone = true;
  }
}

/** Returns the whole text of an input. */
export async function readAll(input: Input): Promise<string> {
  let text = '';
  for (let piece = await input.read(); piece !== undefined; piece = await input.read()) text += piece;
  return text;
}

/** Reads an input line by line. */
export async function* readLines(input: Input): AsyncGenerator<string> {
  let rest = '';
  for (let piece = await input.read(); piece !== undefined; piece = await input.read()) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
