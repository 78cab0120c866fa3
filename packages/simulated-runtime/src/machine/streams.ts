/** Defines the input and output streams of processes. */

/** Accepts text. `write` throws when the reader has closed its side. */
export interface Output {
  write(text: string): void;
}

/** Returns text in chunks; undefined at the end. */
export interface Input {
  read(): Promise<string | undefined>;
  /** Whether the input is a terminal. A shell prints a prompt only in a terminal. */
  readonly isTerminal?: boolean;
  /** The size of a terminal in characters. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** Returns whether the input is a terminal. */
export const isTerminal = (input: Input): boolean => input.isTerminal === true;

/** Thrown when a process writes to a pipe whose reader has closed it. */
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

/** A pipe between two processes. Its size isn't limited, because Process.act slows busy writers down. */
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

  /** Ends the pipe. The writer calls it. */
  end(): void {
    this.#ended = true;
    this.#waiting?.(undefined);
    this.#waiting = undefined;
  }

  /** Closes the pipe. The reader calls it; further writes throw. */
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
