/** Simulates the line discipline of a terminal: echo, line editing, and signals from control characters. */
import type { TerminalSize } from '@podscope/cri';
import { type Input, type Output, Pipe } from '../machine/streams.ts';

const endOfFile = '\x04';
const interrupt = '\x03';
const erase = new Set(['\x7f', '\b']);

/** The terminal of a process. It is the input and the output of the process. A client passes typed text to `type`. */
export class Terminal implements Input, Output {
  readonly isTerminal = true;
  /** The size in characters; 0 × 0 until the client reports it. */
  size: TerminalSize = { width: 0, height: 0 };
  readonly #lines = new Pipe();
  readonly #screen: (text: string) => void;
  readonly #onInterrupt: () => void;
  #line = '';
  #isAfterReturn = false;

  /**
   * @param screen receives the text to display
   * @param onInterrupt called on Ctrl+C
   */
  constructor(screen: (text: string) => void, onInterrupt: () => void) {
    this.#screen = screen;
    this.#onInterrupt = onInterrupt;
  }

  read(): Promise<string | undefined> {
    return this.#lines.read();
  }

  /**
   * Writes text with a carriage return before each line feed, because a line feed alone doesn't return to the first
   * column.
   */
  write(text: string): void {
    this.#screen(text.replaceAll('\n', '\r\n'));
  }

  /** Processes typed characters. */
  type(text: string): void {
    for (const character of text) this.#key(character);
  }

  /** Ends the input, because the client has disconnected. */
  end(): void {
    this.#lines.end();
  }

  #key(character: string): void {
    const isSecondHalf = character === '\n' && this.#isAfterReturn;
    this.#isAfterReturn = character === '\r';
    if (isSecondHalf) return;
    if (character === '\r' || character === '\n') {
      this.#screen('\r\n');
      this.#lines.write(`${this.#line}\n`);
      this.#line = '';
    } else if (character === endOfFile) {
      if (this.#line === '') this.#lines.end();
    } else if (character === interrupt) {
      this.#screen('^C\r\n');
      this.#line = '';
      this.#onInterrupt();
    } else if (erase.has(character)) {
      if (this.#line !== '') this.#screen('\b \b');
      this.#line = this.#line.replace(/.$/su, '');
    } else if (character >= ' ') {
      this.#line += character;
      this.#screen(character);
    }
  }
}
