/** The debugger at the terminal: a prompt while a thread stands still. */
import { createInterface } from 'node:readline/promises';
import { ApiError } from '@podscope/cluster';
import type { StoppedThread } from '@podscope/protocol';
import { type DebuggerAccess, describeStack, describeVariables } from './show-stop.ts';

export interface PromptStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** What came of it. */
export type PromptEnd = 'goes on' | 'quit';

const help = `  c, continue            let it go on
  n, next                on to the next step beside this one
  i, in                  into what is inside
  o, out                 to the end of what is around
  r, restart             end this pass, stop at the beginning of a new one
  s, stack               the open spans
  v, vars [SCOPE]        variables: the main ones, or those of a scope
  p, print EXPRESSION    the value of a CEL expression
  f, fail [CODE] TEXT    the call at hand fails with this gRPC code (Internal) and message
  q, quit                end the run`;

const codes = /^(Canceled|Unknown|InvalidArgument|DeadlineExceeded|NotFound|AlreadyExists|PermissionDenied|ResourceExhausted|FailedPrecondition|Aborted|OutOfRange|Unimplemented|Internal|Unavailable|DataLoss|Unauthenticated)\s+(.+)$/s;

/** `[CODE] MESSAGE` as a failure to inject. */
export function parseFailure(text: string): InterventionFailure {
  const [, grpc = 'Internal', message = text || 'failed by hand'] = codes.exec(text) ?? [];
  // The pattern names gRPC's codes, and no other.
  return { grpc: grpc as InterventionFailure['grpc'], message };
}
interface InterventionFailure {
  readonly grpc: 'Internal';
  readonly message: string;
}

/** Names and their short forms. */
const names = ['continue', 'next', 'in', 'out', 'restart', 'stack', 'vars', 'print', 'fail', 'quit', 'help'] as const;
type Name = (typeof names)[number];
const nameOf = (word: string): Name | undefined => (word === 'bt' ? 'stack' : names.find((name) => word !== '' && name.startsWith(word)));

/** Asks until the thread goes on. Input that ends quits. */
export async function promptAt(stop: StoppedThread, node: DebuggerAccess, { input, output }: PromptStreams, signal: AbortSignal): Promise<PromptEnd> {
  const say = (text: string): void => void output.write(`${text}\n`);
  const { thread } = stop;
  const commands: Readonly<Record<Name, (rest: string) => Promise<PromptEnd | undefined>>> = {
    continue: async () => (await node.send({ command: 'continue', thread }), 'goes on'),
    next: async () => (await node.send({ command: 'next', thread }), 'goes on'),
    in: async () => (await node.send({ command: 'stepIn', thread }), 'goes on'),
    out: async () => (await node.send({ command: 'stepOut', thread }), 'goes on'),
    restart: async () => (await node.send({ command: 'restartSync', thread }), 'goes on'),
    stack: async () => say((await describeStack(node, stop)).join('\n')) as undefined,
    vars: async (rest) => say((await describeVariables(node, stop, rest === '' ? undefined : [rest])).join('\n') || '  nothing of that name') as undefined,
    print: async (rest) => say(`  ${(await node.send({ command: 'evaluate', thread, expression: rest })).value}`) as undefined,
    fail: async (rest) => {
      await node.send({ command: 'intervene', thread, action: { fail: parseFailure(rest) } });
      return 'goes on';
    },
    quit: () => Promise.resolve('quit'),
    help: () => Promise.resolve(say(help) as undefined),
  };
  const lines = createInterface({ input, output, terminal: false });
  const queue = lines[Symbol.asyncIterator]();
  const canceled = new Promise<'quit'>((resolve) => signal.addEventListener('abort', () => resolve('quit'), { once: true }));
  try {
    for (;;) {
      if (signal.aborted) return 'quit';
      output.write('(podscope) ');
      const answer = await Promise.race([queue.next(), canceled]);
      if (answer === 'quit' || answer.done) return 'quit';
      const [word = '', rest = ''] = answer.value.trim().split(/\s+(.*)/s);
      if (word === '') continue;
      const name = nameOf(word);
      if (!name) {
        say(`  there is no command ${JSON.stringify(word)}; help lists all`);
        continue;
      }
      try {
        const end = await commands[name](rest);
        if (end) return end;
      } catch (error) {
        // A refusal is an answer; anything else is a defect.
        if (!(error instanceof ApiError)) throw error;
        say(`  ${error.message}`);
      }
    }
  } finally {
    lines.close();
  }
}
