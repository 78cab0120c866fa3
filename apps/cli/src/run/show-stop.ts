/** Formats a stopped thread as text: its stack, its variables, and expressions. */
import type { CommandTable } from '@podscope/node';
import type { DebugCommand, DebugCommandName, DebugResult, StoppedThread } from '@podscope/protocol';

/** Maximum number of members that are shown per scope. */
const shownMembers = 12;
/** Scopes shown by default, in this order. */
const mainScopes = ['Arguments', 'Result', 'Decision', 'podActions'];
const valueWidth = 120;

/** Sends commands to a node's debugger. */
export class DebuggerAccess {
  readonly #table: CommandTable;

  constructor(table: CommandTable) {
    this.#table = table;
  }

  /** Sends a command and returns its result. @throws ApiError if the command is refused */
  async send<Name extends DebugCommandName>(
    command: Extract<DebugCommand, { command: Name }>,
  ): Promise<DebugResult<Name>> {
    // The cast is safe, because the command table defines the result type of each command.
    return (await this.#table.run(command, { signal: new AbortController().signal })) as DebugResult<Name>;
  }
}

const cut = (text: string): string => (text.length > valueWidth ? `${text.slice(0, valueWidth)}…` : text);

export async function describeStack(node: DebuggerAccess, { thread }: StoppedThread): Promise<readonly string[]> {
  const { frames } = await node.send({ command: 'stackTrace', thread });
  const width = Math.max(...frames.map(({ name }) => name.length));
  return frames.map(
    ({ name, point, source }, index) =>
      `${`#${index}`.padStart(4)} ${name.padEnd(width)}  ${source ? `${source.path}:${source.line}` : point}`,
  );
}

/**
 * Formats the scopes of the innermost frame.
 * @param names prefixes of the scopes to show; undefined for the default scopes
 */
export async function describeVariables(
  node: DebuggerAccess,
  { thread }: StoppedThread,
  names?: readonly string[],
): Promise<readonly string[]> {
  const { scopes } = await node.send({ command: 'scopes', thread });
  const shown = scopes.filter(({ name }) =>
    names === undefined
      ? mainScopes.includes(name)
      : names.some((wanted) => name.toLowerCase().startsWith(wanted.toLowerCase())),
  );
  const lines: string[] = [];
  for (const { name, variablesReference } of shown) {
    const { variables, total } = await node.send({
      command: 'variables',
      variablesReference,
      count: names === undefined ? shownMembers : 1_000,
    });
    lines.push(`  ${name}`);
    for (const { name: member, value } of variables) lines.push(`    ${member} = ${cut(value)}`);
    if (total > variables.length) lines.push(`    … ${total - variables.length} more`);
  }
  const others = scopes.filter((scope) => !shown.includes(scope)).map(({ name }) => name);
  return names === undefined && others.length > 0 ? [...lines, `  also: ${others.join(', ')}`] : lines;
}
