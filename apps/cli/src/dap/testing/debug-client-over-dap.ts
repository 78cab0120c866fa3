/**
 * Implements the client of the golden conversations over DAP. Commands that DAP has are sent as DAP requests, and their
 * results are decoded from the DAP responses. All other commands use the custom request `podscope`.
 */

import { type DebugClient, RefusedError } from '@podscope/debugger/testing';
import type { BreakpointSpec, BreakpointState, Command, DebugState, ThreadInfo } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { formatBreakSpec } from '../../break-spec.ts';
import type { NodeConnection } from '../node/node-connection.ts';
import { DapClient, DapRefusal, testRoot } from './dap-client.ts';

type CommandOf<Name extends Command['command']> = Extract<Command, { command: Name }>;

export class DebugClientOverDap implements DebugClient {
  /** Commands that were sent through the custom request. */
  readonly foreign = new Set<string>();
  readonly #dap: DapClient;
  readonly #totals = new Map<number, number>();
  #files: readonly string[] = [];

  constructor(attach: () => Promise<NodeConnection>) {
    this.#dap = new DapClient({ attach });
  }

  /** Starts a session with the breakpoint list without a name, which the other transports also use. */
  begin(): Promise<void> {
    return this.#dap.begin('attach', { group: '', events: true });
  }

  async request(command: Command): Promise<unknown> {
    try {
      return await this.#print(command);
    } catch (error) {
      throw error instanceof DapRefusal ? new RefusedError(error.reason, error.message) : error;
    }
  }

  async eventsUpTo(seq: number): Promise<readonly TraceEvent[]> {
    if (seq > 0)
      await this.#dap.event(
        'podscopeEvents',
        ({ events }) => ((events as readonly TraceEvent[]).at(-1)?.seq ?? 0) >= seq,
      );
    return this.#dap.events.flatMap(({ event, body }) =>
      event === 'podscopeEvents' ? (body as { readonly events: readonly TraceEvent[] }).events : [],
    );
  }

  /** Returns the stops that DAP reported. */
  get stops(): readonly DebugProtocol.StoppedEvent['body'][] {
    return this.#dap.events.flatMap(({ event, body }) =>
      event === 'stopped' ? [body as DebugProtocol.StoppedEvent['body']] : [],
    );
  }

  close(): Promise<void> {
    return this.#dap.leave();
  }

  #print(command: Command): Promise<unknown> {
    switch (command.command) {
      case 'setBreakpoints':
        return this.#setBreakpoints(command);
      case 'setExceptionBreakpoints':
        return this.#setExceptionBreakpoints(command);
      case 'pause':
        return this.#pause(command);
      case 'continue':
        return this.#continue(command);
      case 'next':
      case 'stepIn':
      case 'stepOut':
        return this.#onThread(command, command.thread, (threadId) => this.#dap.request(command.command, { threadId }));
      case 'restartSync':
        return this.#onThread(command, command.thread, async (threadId) =>
          this.#dap.request('restartFrame', { frameId: await this.#top(threadId) }),
        );
      case 'stackTrace':
        return this.#onThread(command, command.thread, (threadId) => this.#stack({ ...command, threadId }));
      case 'scopes':
        return this.#onThread(command, command.thread, async (threadId) =>
          this.#scopes(command.frame ?? (await this.#top(threadId))),
        );
      case 'variables':
        return this.#variables(command);
      case 'setVariable':
        return this.#setVariable(command);
      case 'evaluate':
        return this.#onThread(command, command.thread, async (threadId) =>
          this.#evaluate(command.expression, command.frame ?? (await this.#top(threadId))),
        );
      default:
        return this.#foreign(command);
    }
  }

  async #foreign(command: Command): Promise<unknown> {
    this.foreign.add(command.command);
    return this.#node(command);
  }

  async #node(command: Command): Promise<unknown> {
    return (await this.#dap.request<DebugProtocol.Response & { body: { result: unknown } }>('podscope', command))
      .result;
  }

  async #state(): Promise<DebugState> {
    return (await this.#node({ command: 'debugState' })) as DebugState;
  }

  async #onThread(command: Command, thread: string, print: (threadId: number) => Promise<unknown>): Promise<unknown> {
    const threadId = await this.#threadId(thread);
    // Send the node's command if DAP has no number for the thread, because the thread is unknown.
    return threadId === undefined ? this.#foreign(command) : print(threadId);
  }

  async #threadId(thread: string): Promise<number | undefined> {
    const { threads } = (await this.#node({ command: 'threads' })) as { readonly threads: readonly ThreadInfo[] };
    const shown = await this.#dap.request<DebugProtocol.ThreadsResponse>('threads');
    const index = threads.findIndex(({ id }) => id === thread);
    return shown.threads[index]?.id;
  }

  async #top(threadId: number): Promise<number> {
    const { stackFrames } = await this.#dap.request<DebugProtocol.StackTraceResponse>('stackTrace', {
      threadId,
      startFrame: 0,
      levels: 1,
    });
    return stackFrames[0]?.id ?? 0;
  }

  async #setBreakpoints(command: CommandOf<'setBreakpoints'>): Promise<unknown> {
    const { group = '', breakpoints } = command;
    const isSaid = ({ source, ...rest }: BreakpointSpec): boolean =>
      source === undefined ||
      Object.keys(rest).every((key) => ['condition', 'hitCondition', 'logMessage'].includes(key));
    if (group !== '' || !breakpoints.every(isSaid)) return this.#foreign(command);
    const answers: DebugProtocol.Breakpoint[] = [];
    const functions = breakpoints.filter(({ source }) => source === undefined);
    const said = await this.#dap.request<DebugProtocol.SetFunctionBreakpointsResponse>('setFunctionBreakpoints', {
      breakpoints: functions.map(({ condition, hitCondition, ...rest }) => ({
        name: formatBreakSpec(rest),
        condition,
        hitCondition,
      })),
    });
    answers.push(...said.breakpoints);
    const paths = [...new Set(breakpoints.flatMap(({ source }) => source?.path ?? []))];
    for (const path of new Set([...this.#files, ...paths])) {
      const here = breakpoints.flatMap(({ source, condition, hitCondition, logMessage }) =>
        source?.path === path ? [{ line: source.line, condition, hitCondition, logMessage }] : [],
      );
      answers.push(
        ...(
          await this.#dap.request<DebugProtocol.SetBreakpointsResponse>('setBreakpoints', {
            source: { path },
            breakpoints: here,
          })
        ).breakpoints,
      );
    }
    this.#files = paths;
    const states = new Map((await this.#state()).breakpoints.map((state) => [state.id, state]));
    return { breakpoints: answers.map((answer) => agreeing(answer, states.get(answer.id ?? 0))) };
  }

  async #setExceptionBreakpoints(command: CommandOf<'setExceptionBreakpoints'>): Promise<unknown> {
    const isSaid = command.filters.every((filter) =>
      Object.keys(filter).every((key) => key === 'filter' || key === 'condition'),
    );
    if (!isSaid) return this.#foreign(command);
    await this.#dap.request('setExceptionBreakpoints', {
      filters: command.filters.flatMap(({ filter, condition }) => (condition === undefined ? [filter] : [])),
      filterOptions: command.filters.flatMap(({ filter, condition }) =>
        condition === undefined ? [] : [{ filterId: filter, condition }],
      ),
    });
    return { filters: command.filters };
  }

  async #pause({ thread }: CommandOf<'pause'>): Promise<unknown> {
    const { threads } = (await this.#node({ command: 'threads' })) as { readonly threads: readonly ThreadInfo[] };
    const asked = threads.filter(
      ({ id, kind, state }) => state === 'running' && (thread === undefined ? kind === 'worker' : id === thread),
    );
    const threadId = thread === undefined ? 0 : await this.#threadId(thread);
    await this.#dap.request('pause', { threadId });
    return { threads: asked.map(({ id }) => id) };
  }

  async #continue({ thread }: CommandOf<'continue'>): Promise<unknown> {
    const stopped = (await this.#state()).stopped.map((stop) => stop.thread);
    if (thread === undefined) await this.#dap.request('continue', { threadId: 0, singleThread: false });
    else await this.#dap.request('continue', { threadId: (await this.#threadId(thread)) ?? 0, singleThread: true });
    return { threads: thread === undefined ? stopped : [thread] };
  }

  async #stack(args: object): Promise<unknown> {
    const { stackFrames, totalFrames } = await this.#dap.request<DebugProtocol.StackTraceResponse>('stackTrace', args);
    const frames = stackFrames.map(({ id, name, moduleId, source, line }) => ({
      id,
      name,
      point: moduleId,
      ...(source ? { source: { path: source.path?.slice(testRoot.length + 1), line } } : {}),
    }));
    return { frames, totalFrames };
  }

  async #scopes(frameId: number): Promise<unknown> {
    const { scopes } = await this.#dap.request<DebugProtocol.ScopesResponse>('scopes', { frameId });
    for (const scope of scopes) this.#remember(scope);
    return { scopes };
  }

  async #variables({ variablesReference, start, count = 100 }: CommandOf<'variables'>): Promise<unknown> {
    const { variables } = await this.#dap.request<DebugProtocol.VariablesResponse>('variables', {
      variablesReference,
      start,
      count,
    });
    for (const variable of variables) this.#remember(variable);
    const shown = variables.map(({ presentationHint, ...rest }) => ({
      ...rest,
      changeable: presentationHint?.attributes?.includes('readOnly') ? undefined : true,
    }));
    return { variables: shown, total: this.#totals.get(variablesReference) };
  }

  async #setVariable({ variablesReference, name, value }: CommandOf<'setVariable'>): Promise<unknown> {
    return this.#dap.request('setVariable', { variablesReference, name, value: JSON.stringify(value) });
  }

  async #evaluate(expression: string, frameId: number): Promise<unknown> {
    const { result, ...rest } = await this.#dap.request<DebugProtocol.EvaluateResponse>('evaluate', {
      expression,
      frameId,
      context: 'watch',
    });
    this.#remember(rest);
    return { value: result, ...rest, evaluateName: expression };
  }

  #remember({
    variablesReference,
    namedVariables = 0,
    indexedVariables = 0,
  }: Pick<DebugProtocol.Variable, 'variablesReference' | 'namedVariables' | 'indexedVariables'>): void {
    this.#totals.set(variablesReference, namedVariables + indexedVariables);
  }
}

/**
 * Returns the node's state of a breakpoint.
 * @throws Error if DAP reports a different state
 */
function agreeing(answer: DebugProtocol.Breakpoint, state: BreakpointState | undefined): BreakpointState {
  if (state?.verified !== answer.verified || state.message !== answer.message || state.source?.line !== answer.line)
    throw new Error(`DAP says ${JSON.stringify(answer)} of the breakpoint ${JSON.stringify(state)}`);
  return state;
}
