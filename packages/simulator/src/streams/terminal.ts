/** A terminal's line discipline: echoes what is typed, gives it out line by line, turns control characters into signals. */
import type { TerminalSize } from '@podscope/cri';
import { type Input, type Output, Pipe } from '../machine/streams.ts';

const endOfFile = '\x04';
const interrupt = '\x03';
const erase = new Set(['\x7f', '\b']);

/** What a process with a terminal reads and writes; typed text goes in by `type`. */
export class Terminal implements Input, Output {
  readonly isTerminal = true;
  /** Nobody has said how large it is until then. */
  size: TerminalSize = { width: 0, height: 0 };
  readonly #lines = new Pipe();
  readonly #screen: (text: string) => void;
  readonly #onInterrupt: () => void;
  #line = '';
  #isAfterReturn = false;

  /** @param screen shows text. @param onInterrupt Ctrl+C was typed. */
  constructor(screen: (text: string) => void, onInterrupt: () => void) {
    this.#screen = screen;
    this.#onInterrupt = onInterrupt;
  }

  read(): Promise<string | undefined> {
    return this.#lines.read();
  }

  /** A line feed alone would leave the cursor where it is. */
  write(text: string): void {
    this.#screen(text.replaceAll('\n', '\r\n'));
  }

  /** Takes what a person types. */
  type(text: string): void {
    for (const character of text) this.#key(character);
  }

  /** The person has hung up. */
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
