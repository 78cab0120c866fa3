/** Prints the flow of a run while it happens: its lines, coloured on a terminal, and one line below them that shows pulls move on. */
import { type FlowLine, FlowText, type FlowTone, printable, pullFraction, type TraceEvent } from '@podscope/trace';

/** Where text goes. */
export interface Terminal {
  write(text: string): void;
  /** Colours are seen. */
  readonly colour: boolean;
  /** A line can be written anew. */
  readonly live: boolean;
}

const colours: Readonly<Record<FlowTone, string | undefined>> = {
  plain: undefined,
  step: '1',
  call: '36',
  good: '32',
  wait: '33',
  bad: '31',
  debugger: '35',
};

/** Text in the colour of a tone. */
const painted = (terminal: Pick<Terminal, 'colour'>, tone: FlowTone, text: string): string => {
  const colour = colours[tone];
  return terminal.colour && colour !== undefined ? `\u001b[${colour}m${text}\u001b[0m` : text;
};

const barWidth = 24;

/** What the flow says may come from a container or a registry. */
const oneLine = (text: string): string => printable(text.replaceAll(/[\n\t]/g, ' '));

/** One run's printer. */
export class FlowPrinter {
  readonly #terminal: Terminal;
  readonly #flow = new FlowText();
  readonly #start: number;
  /** Width of the column of pods' names; 0 when there is only one. */
  readonly #nameWidth: number;
  readonly #pulls = new Map<number, string>();
  #hasStatusLine = false;

  /** @param start when the run began, on the node's clock; @param pods names of the pods it is about */
  constructor(terminal: Terminal, start: number, pods: readonly string[]) {
    this.#terminal = terminal;
    this.#start = start;
    this.#nameWidth = pods.length > 1 ? Math.max(...pods.map((name) => name.length)) : 0;
  }

  event(event: TraceEvent): void {
    for (const line of this.#flow.lines(event)) this.#line(line);
    if (this.#terminal.live) this.#progress(event);
  }

  /** A line that is no event's. */
  say(text: string, tone: FlowTone = 'plain'): void {
    this.#clear();
    this.#terminal.write(`${painted(this.#terminal, tone, oneLine(text))}\n`);
  }

  /** Takes the last line of progress away. */
  end(): void {
    this.#clear();
  }

  #line({ time, pod, depth, tone, text }: FlowLine): void {
    this.#clear();
    const elapsed = `${Math.max(0, (time - this.#start) / 1_000).toFixed(2)}s`.padStart(9);
    const name = this.#nameWidth > 0 ? `${(pod ?? '').padEnd(this.#nameWidth)}  ` : '';
    this.#terminal.write(`${elapsed}  ${name}${'  '.repeat(depth)}${painted(this.#terminal, tone, oneLine(text))}\n`);
  }

  #progress(event: TraceEvent): void {
    if (event.type === 'pullProgress' && event.span !== undefined) {
      const fraction = pullFraction(event.layers) ?? 0;
      const done = Math.round(fraction * barWidth);
      this.#pulls.set(event.span, `${oneLine(event.image)} [${'#'.repeat(done)}${' '.repeat(barWidth - done)}] ${Math.floor(fraction * 100)} %`);
    } else if (event.type !== 'spanEnded' || !this.#pulls.delete(event.span)) return;
    this.#clear();
    if (this.#pulls.size === 0) return;
    this.#terminal.write(`           pulling ${[...this.#pulls.values()].join(', ')}`);
    this.#hasStatusLine = true;
  }

  #clear(): void {
    if (this.#hasStatusLine) this.#terminal.write('\r\u001b[2K');
    this.#hasStatusLine = false;
  }
}
