/**
 * Prints the flow of a run while it happens. On a terminal, the output has colors, and a status line at the end shows
 * the progress of image pulls.
 */
import { type FlowLine, FlowText, type FlowTone, printable, pullFraction, type TraceEvent } from '@podscope/trace';

/** The destination of the output. */
export interface Terminal {
  write(text: string): void;
  /** True if the terminal shows colors. */
  readonly colour: boolean;
  /** True if the last line can be overwritten. */
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

/** Returns the text in the color of its tone. */
const painted = (terminal: Pick<Terminal, 'colour'>, tone: FlowTone, text: string): string => {
  const colour = colours[tone];
  return terminal.colour && colour !== undefined ? `\u001b[${colour}m${text}\u001b[0m` : text;
};

const barWidth = 24;

/**
 * Returns the text on one line without control characters. Parts of the flow come from containers and registries, so
 * they may contain such characters.
 */
const oneLine = (text: string): string => printable(text.replaceAll(/[\n\t]/g, ' '));

/** Prints the events of one run. */
export class FlowPrinter {
  readonly #terminal: Terminal;
  readonly #flow = new FlowText();
  readonly #start: number;
  /** Width of the column with the pod names; 0 if there is only one pod. */
  readonly #nameWidth: number;
  readonly #pulls = new Map<number, string>();
  #hasStatusLine = false;

  /**
   * @param start time at which the run started, on the node's clock
   * @param pods names of the pods of the run
   */
  constructor(terminal: Terminal, start: number, pods: readonly string[]) {
    this.#terminal = terminal;
    this.#start = start;
    this.#nameWidth = pods.length > 1 ? Math.max(...pods.map((name) => name.length)) : 0;
  }

  event(event: TraceEvent): void {
    for (const line of this.#flow.lines(event)) this.#line(line);
    if (this.#terminal.live) this.#progress(event);
  }

  /** Prints a line that doesn't belong to an event. */
  print(text: string, tone: FlowTone = 'plain'): void {
    this.#clear();
    this.#terminal.write(`${painted(this.#terminal, tone, oneLine(text))}\n`);
  }

  /** Clears the status line. */
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
      this.#pulls.set(
        event.span,
        `${oneLine(event.image)} [${'#'.repeat(done)}${' '.repeat(barWidth - done)}] ${Math.floor(fraction * 100)} %`,
      );
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
