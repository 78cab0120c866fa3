/** Implements the debugger's prompt on the terminal, which is open while a thread is stopped. */
import { createInterface, type Interface } from 'node:readline/promises';
import { ApiError } from '@podscope/apiserver';
import type { Failure, StoppedThread } from '@podscope/protocol';
import { isGrpcErrorCode, printable } from '@podscope/trace';
import { type DebuggerAccess, describeStack, describeVariables } from './show-stop.ts';

export interface PromptStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** How the prompt ended. */
export type PromptEnd = 'continues' | 'quit';

const help = `  c, continue            continue until the next breakpoint
  n, next                step over, to the next step of the same parent
  i, in                  step into the first step within this one
  o, out                 step out, to the end of the enclosing step
  r, restart             end this sync and stop at the beginning of a new one
  s, stack               the open spans
  v, vars [SCOPE]        variables: the main ones, or those of a scope
  p, print EXPRESSION    the value of a CEL expression
  f, fail [CODE] TEXT    fail the current call with a gRPC code (default Internal) and message
  q, quit                end the run`;

/** Parses `[CODE] MESSAGE` as a failure to be injected. */
export function parseFailure(text: string): Failure {
  const [, code = '', message = ''] = /^(\w+)\s+(.+)$/s.exec(text) ?? [];
  return isGrpcErrorCode(code) ? { grpc: code, message } : { grpc: 'Internal', message: text || 'failed by hand' };
}

/** Command names. A prefix selects the first command that starts with it. */
const names = ['continue', 'next', 'in', 'out', 'restart', 'stack', 'vars', 'print', 'fail', 'quit', 'help'] as const;
type Name = (typeof names)[number];
const nameOf = (word: string): Name | undefined =>
  word === 'bt' ? 'stack' : names.find((name) => word !== '' && name.startsWith(word));

/** The prompt of a whole run. Input that the user types before a stop is used at the next stop. */
export class Prompt {
  readonly #output: NodeJS.WritableStream;
  readonly #lines: Interface;
  readonly #typed: AsyncIterator<string>;

  constructor({ input, output }: PromptStreams) {
    this.#output = output;
    this.#lines = createInterface({ input, output, terminal: false });
    this.#typed = this.#lines[Symbol.asyncIterator]();
  }

  close(): void {
    this.#lines.close();
  }

  /** Reads commands until the thread continues. At the end of the input, quits. */
  async at(stop: StoppedThread, node: DebuggerAccess, signal: AbortSignal): Promise<PromptEnd> {
    const canceled = new Promise<'quit'>((resolve) =>
      signal.addEventListener('abort', () => resolve('quit'), { once: true }),
    );
    for (;;) {
      if (signal.aborted) return 'quit';
      this.#output.write('(podscope) ');
      const answer = await Promise.race([this.#typed.next(), canceled]);
      if (answer === 'quit' || answer.done) return 'quit';
      const end = await this.#perform(answer.value.trim(), stop, node);
      if (end) return end;
    }
  }

  async #perform(line: string, stop: StoppedThread, node: DebuggerAccess): Promise<PromptEnd | undefined> {
    const [word = '', rest = ''] = line.split(/\s+(.*)/s);
    if (word === '') return undefined;
    const name = nameOf(word);
    if (!name) {
      this.#print(`  there is no command ${JSON.stringify(word)}; help lists all`);
      return undefined;
    }
    try {
      return await this.#do(name, rest, stop, node);
    } catch (error) {
      // Print the error of a refused command. Any other error is a bug, so throw it.
      if (!(error instanceof ApiError)) throw error;
      this.#print(`  ${error.message}`);
      return undefined;
    }
  }

  async #do(name: Name, rest: string, stop: StoppedThread, node: DebuggerAccess): Promise<PromptEnd | undefined> {
    const { thread } = stop;
    switch (name) {
      case 'continue':
        await node.send({ command: 'continue', thread });
        return 'continues';
      case 'next':
        await node.send({ command: 'next', thread });
        return 'continues';
      case 'in':
        await node.send({ command: 'stepIn', thread });
        return 'continues';
      case 'out':
        await node.send({ command: 'stepOut', thread });
        return 'continues';
      case 'restart':
        await node.send({ command: 'restartSync', thread });
        return 'continues';
      case 'fail':
        await node.send({ command: 'intervene', thread, action: { fail: parseFailure(rest) } });
        return 'continues';
      case 'stack':
        this.#print((await describeStack(node, stop)).join('\n'));
        return undefined;
      case 'vars':
        this.#print(
          (await describeVariables(node, stop, rest === '' ? undefined : [rest])).join('\n') ||
            '  nothing of that name',
        );
        return undefined;
      case 'print':
        this.#print(`  ${(await node.send({ command: 'evaluate', thread, expression: rest })).value}`);
        return undefined;
      case 'help':
        this.#print(help);
        return undefined;
      case 'quit':
        return 'quit';
      default:
        return name satisfies never;
    }
  }

  #print(text: string): void {
    this.#output.write(`${printable(text)}\n`);
  }
}
