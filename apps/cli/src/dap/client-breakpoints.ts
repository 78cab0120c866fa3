/**
 * Combines one client's breakpoints into the single list that the node stores. DAP sends them per source file, and
 * separately for functions.
 */
import { join } from 'node:path';
import { type BreakpointSpec, type BreakpointState, breakpointSpecSchema } from '@podscope/protocol';
import type { TraceEventOf } from '@podscope/trace';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { BreakSpecError, parseBreakSpec } from '../break-spec.ts';

/** A parsed breakpoint, or the reason why it could not be parsed. */
type Entry = BreakpointSpec | { readonly problem: string };

type FunctionBreakpoint = Pick<DebugProtocol.FunctionBreakpoint, 'name' | 'condition' | 'hitCondition'>;
type SourceBreakpoint = Pick<DebugProtocol.SourceBreakpoint, 'line' | 'condition' | 'hitCondition' | 'logMessage'>;

const isProblem = (entry: Entry): entry is { readonly problem: string } => 'problem' in entry;

const given = <T extends object>(members: T): Partial<T> =>
  // Omit empty texts, which clients send for fields that the user left empty.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== '')) as Partial<T>;

function understood(make: () => unknown): Entry {
  try {
    const parsed = breakpointSpecSchema.safeParse(make());
    return parsed.success ? parsed.data : { problem: parsed.error.issues[0]?.message ?? 'is invalid' };
  } catch (error) {
    if (error instanceof BreakSpecError) return { problem: error.message };
    throw error;
  }
}

export class ClientBreakpoints {
  readonly #root: string;
  readonly #isServed: boolean;
  /** Paths of the sources that the adapter serves. The reference of a source is its position in the list, from 1. */
  readonly #served: string[] = [];
  #functions: readonly Entry[] = [];
  readonly #sources = new Map<string, readonly Entry[]>();
  #known = new Map<number, BreakpointState>();
  /** Ids of the function breakpoints. Ids of one-shot breakpoints that the node has removed stay in this set. */
  #functionIds: ReadonlySet<number> = new Set();

  /**
   * @param root directory of the engine's sources on this machine
   * @param isServed true if clients get the text of sources from the adapter
   */
  constructor(root: string, isServed = false) {
    this.#root = root;
    this.#isServed = isServed;
  }

  setFunctions(breakpoints: readonly FunctionBreakpoint[]): readonly Entry[] {
    this.#functions = breakpoints.map(({ name, condition, hitCondition }) =>
      understood(() => ({ ...parseBreakSpec(name), ...given({ condition, hitCondition }) })),
    );
    return this.#functions;
  }

  setSource(path: string, breakpoints: readonly SourceBreakpoint[]): readonly Entry[] {
    const entries = breakpoints.map(({ line, condition, hitCondition, logMessage }) =>
      understood(() => ({ source: { path, line }, ...given({ condition, hitCondition, logMessage }) })),
    );
    if (entries.length === 0) this.#sources.delete(path);
    else this.#sources.set(path, entries);
    return entries;
  }

  /** Returns the breakpoints to set on the node. */
  get specs(): readonly BreakpointSpec[] {
    return [...this.#functions, ...[...this.#sources.values()].flat()].flatMap((entry) =>
      isProblem(entry) ? [] : [entry],
    );
  }

  /**
   * Returns the response to a breakpoint request: the state of each of its entries on the node.
   * @param states in the order of {@link specs}
   */
  answer(entries: readonly Entry[], states: readonly BreakpointState[]): readonly DebugProtocol.Breakpoint[] {
    this.#known = new Map(states.map((state) => [state.id, state]));
    this.#functionIds = new Set(states.flatMap(({ id, spec }) => (spec.source ? [] : [id])));
    const bySpec = new Map(this.specs.map((spec, index) => [spec, states[index]]));
    return entries.map((entry) => {
      const state = isProblem(entry) ? undefined : bySpec.get(entry);
      if (state) return this.#shown(state);
      return {
        verified: false,
        message: isProblem(entry) ? entry.problem : 'the node did not take it',
        reason: 'failed' as const,
      };
    });
  }

  /**
   * Returns the reason of a stop in DAP's terms. It is the node's reason, except that DAP distinguishes function
   * breakpoints.
   */
  reasonOf({ reason, breakpoints = [] }: Pick<TraceEventOf<'stopped'>, 'reason' | 'breakpoints'>): string {
    const isFunction = breakpoints.length > 0 && breakpoints.every((id) => this.#functionIds.has(id));
    return reason === 'breakpoint' && isFunction ? 'function breakpoint' : reason;
  }

  /** Returns the `breakpoint` events that report changes of the node's list since the last report. */
  changes(now: readonly BreakpointState[]): readonly DebugProtocol.BreakpointEvent['body'][] {
    const current = new Map(now.map((state) => [state.id, state]));
    const changes = [...this.#known].flatMap(([id, before]): DebugProtocol.BreakpointEvent['body'][] => {
      const after = current.get(id);
      if (!after) return [{ reason: 'removed', breakpoint: { id, verified: false } }];
      return after.verified === before.verified && after.message === before.message
        ? []
        : [{ reason: 'changed', breakpoint: this.#shown(after) }];
    });
    this.#known = new Map(
      [...this.#known.keys()].flatMap((id) => (current.has(id) ? [[id, current.get(id) as BreakpointState]] : [])),
    );
    return changes;
  }

  #shown({ id, verified, message, source }: BreakpointState): DebugProtocol.Breakpoint {
    return {
      id,
      verified,
      ...given({ message }),
      ...(source ? { source: this.sourceOf(source.path), line: source.line } : {}),
    };
  }

  /** Returns a file of the engine as a DAP source with its absolute path. */
  sourceOf(path: string): DebugProtocol.Source {
    const source = { name: path.slice(path.lastIndexOf('/') + 1), path: join(this.#root, path) };
    if (!this.#isServed) return source;
    if (!this.#served.includes(path)) this.#served.push(path);
    return { ...source, sourceReference: this.#served.indexOf(path) + 1 };
  }

  /** Returns the path of the file to which a reference of {@link sourceOf} belongs; undefined for any other number. */
  servedFile(reference: number): string | undefined {
    const path = this.#served[reference - 1];
    return path === undefined ? undefined : join(this.#root, path);
  }
}
