/** Values for what the pointer rests on: of the stopped frame, or else of the selected span as it was recorded. */
import type { StoppedThread } from '@podscope/protocol';
import type { SpanRecord } from '@podscope/trace';
import type { Connection } from '../connection/connection.ts';
import { CommandFailedError, DisconnectedError } from '../connection/errors.ts';

export interface HoverValue {
  readonly name: string;
  readonly value: string;
  readonly from: 'variable' | 'attribute';
}

const longest = 400;
const short = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

function memberAt(root: unknown, path: readonly string[]): unknown {
  let at = root;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return at;
}

/** The value that a path of names had for a span: its attributes, what it ended with, what its rules saw. */
export function recordedValue(span: SpanRecord, path: string): HoverValue | undefined {
  const names = path.split('.');
  const sources: readonly unknown[] = [span.attributes, span.endAttributes, ...span.decisions.toReversed().map(({ facts }) => facts)];
  for (const from of names.keys()) {
    for (const source of sources) {
      const found = memberAt(source, names.slice(from));
      if (found === undefined) continue;
      return { name: names.slice(from).join('.'), value: short(typeof found === 'string' ? found : JSON.stringify(found)), from: 'attribute' };
    }
  }
  return undefined;
}

/** The path and what remains of it without its owners: `sync.pod.spec`, `pod.spec`, `spec`. The frame may have a part of what the source reaches it by. */
const suffixes = (path: string): readonly string[] => {
  const names = path.split('.');
  return names.map((_, from) => names.slice(from).join('.'));
};

async function evaluated(connection: Connection, thread: string, frame: number, expression: string): Promise<string | undefined> {
  try {
    return (await connection.command<'evaluate'>({ command: 'evaluate', thread, frame, expression })).value;
  } catch (error) {
    // Most names in a source are none of the frame's: that is no failure.
    if (error instanceof CommandFailedError || error instanceof DisconnectedError) return undefined;
    throw error;
  }
}

/** The value that a path of names has in a frame of a stopped thread; nothing where it has none. */
export async function frameValue(connection: Connection, { thread }: StoppedThread, frame: number, path: string): Promise<HoverValue | undefined> {
  for (const name of suffixes(path)) {
    const value = await evaluated(connection, thread, frame, name);
    if (value !== undefined) return { name, value: short(value), from: 'variable' };
  }
  return undefined;
}
