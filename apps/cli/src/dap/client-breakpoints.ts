/**
 * Merges one client's breakpoints, which DAP sends per file and for functions, into the single list that the node
 * keeps.
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
  // Clients send an empty text for a field that the user left empty.
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
  /** Paths of served sources. Clients refer to a source by its place in the list, from 1. */
  readonly #served: string[] = [];
  #functions: readonly Entry[] = [];
  readonly #sources = new Map<string, readonly Entry[]>();
  #known = new Map<number, BreakpointState>();
  /** Numbers of the breakpoints of functions, with those that the node has removed because they stop once. */
  #functionIds: ReadonlySet<number> = new Set();

  /**
   * @param root directory of the engine's sources on this machine
   * @param isServed true if clients get their text from the adapter
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
   * Returns the response to a request: the node's state of each of its entries.
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

  /** Returns DAP's reason of a stop: that of the node, except that DAP names breakpoints of functions. */
  reasonOf({ reason, breakpoints = [] }: Pick<TraceEventOf<'stopped'>, 'reason' | 'breakpoints'>): string {
    const isFunction = breakpoints.length > 0 && breakpoints.every((id) => this.#functionIds.has(id));
    return reason === 'breakpoint' && isFunction ? 'function breakpoint' : reason;
  }

  /** Returns the `breakpoint` events that report how the node's list differs from the states last reported. */
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

  /** Returns the file of a reference of {@link sourceOf}; undefined for any other number. */
  servedFile(reference: number): string | undefined {
    const path = this.#served[reference - 1];
    return path === undefined ? undefined : join(this.#root, path);
  }
}
