/** Finds the value of a name under the pointer, in the stopped frame or in the recorded span. */
import type { StoppedThread } from '@podscope/protocol';
import type { SpanRecord } from '@podscope/trace';
import type { Connection } from '../../../node/connection/connection.ts';
import { CommandFailedError, DisconnectedError } from '../../../node/connection/errors.ts';

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

/**
 * Returns the value of a path in the recorded data of a span: its attributes, its results and the facts of its
 * decisions.
 */
export function recordedValue(span: SpanRecord, path: string): HoverValue | undefined {
  const names = path.split('.');
  const sources: readonly unknown[] = [
    span.attributes,
    span.endAttributes,
    ...span.decisions.toReversed().map(({ facts }) => facts),
  ];
  for (const from of names.keys()) {
    for (const source of sources) {
      const found = memberAt(source, names.slice(from));
      if (found === undefined) continue;
      return {
        name: names.slice(from).join('.'),
        value: short(typeof found === 'string' ? found : JSON.stringify(found)),
        from: 'attribute',
      };
    }
  }
  return undefined;
}

/**
 * Returns the path and its suffixes: `sync.pod.spec`, `pod.spec`, `spec`. A frame may have only the last part as a
 * variable.
 */
const suffixes = (path: string): readonly string[] => {
  const names = path.split('.');
  return names.map((_, from) => names.slice(from).join('.'));
};

async function evaluated(
  connection: Connection,
  thread: string,
  frame: number,
  expression: string,
): Promise<string | undefined> {
  try {
    return (await connection.command<'evaluate'>({ command: 'evaluate', thread, frame, expression })).value;
  } catch (error) {
    // Ignore rejections, because most names in a source file aren't variables of the frame.
    if (error instanceof CommandFailedError || error instanceof DisconnectedError) return undefined;
    throw error;
  }
}

/** Returns the value of a path in a frame of a stopped thread; undefined if the path has no value. */
export async function frameValue(
  connection: Connection,
  { thread }: StoppedThread,
  frame: number,
  path: string,
): Promise<HoverValue | undefined> {
  for (const name of suffixes(path)) {
    const value = await evaluated(connection, thread, frame, name);
    if (value !== undefined) return { name, value: short(value), from: 'variable' };
  }
  return undefined;
}
