/** Sends debugger commands. If the node rejects one, shows the reason and doesn't throw. */
import { errorMessage } from '@podscope/base';
import type {
  BreakpointSpec,
  DebugOptions,
  ExceptionFilter,
  InterventionAction,
  SourceLocation,
} from '@podscope/protocol';
import { notify } from '../../base/notices/notices.ts';
import type { CommandName, CommandOf } from '../connection/commands.ts';
import { pageGroup } from '../run/debug-store.ts';
import type { NodeSession } from '../run/node-session.ts';
import { breakpointsBefore, type ScopedPod, scopeFields } from './step-scope.ts';

/** Runs an action and shows its error. Returns true on success. */
export async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    notify('error', errorMessage(error));
    return false;
  }
}

/** Sends a command and ignores its result. */
const send = <Name extends CommandName>({ connection }: NodeSession, command: CommandOf<Name>): Promise<boolean> =>
  attempt(() => connection.command<Name>(command));

/** Pauses a thread at the next start or end of a span. */
export const pause = ({ debug }: NodeSession, thread: string): Promise<boolean> =>
  attempt(() => debug.change<'pause'>({ command: 'pause', thread }));
/** Withdraws a pause before the thread has stopped. */
export const cancelPause = ({ debug }: NodeSession, thread: string): Promise<boolean> =>
  attempt(() => debug.change<'continue'>({ command: 'continue', thread }));
export const resume = (session: NodeSession, thread: string): Promise<boolean> =>
  send<'continue'>(session, { command: 'continue', thread });
/** Continues every stopped thread and withdraws every pause. */
export const resumeAll = ({ debug }: NodeSession): Promise<boolean> =>
  attempt(() => debug.change<'continue'>({ command: 'continue' }));
export const stepOver = (session: NodeSession, thread: string): Promise<boolean> =>
  send<'next'>(session, { command: 'next', thread });
export const stepIn = (session: NodeSession, thread: string): Promise<boolean> =>
  send<'stepIn'>(session, { command: 'stepIn', thread });
export const stepOut = (session: NodeSession, thread: string): Promise<boolean> =>
  send<'stepOut'>(session, { command: 'stepOut', thread });
export const restartSync = (session: NodeSession, thread: string): Promise<boolean> =>
  send<'restartSync'>(session, { command: 'restartSync', thread });
export const intervene = (session: NodeSession, thread: string, action: InterventionAction): Promise<boolean> =>
  send<'intervene'>(session, { command: 'intervene', thread, action });

export const setDebugOptions = (session: NodeSession, options: Partial<DebugOptions>): Promise<boolean> =>
  attempt(() => session.debug.change<'setDebugOptions'>({ command: 'setDebugOptions', options }));

/** Continues the thread until it reaches a line, once. */
export const runToLine = (session: NodeSession, thread: string, source: SourceLocation): Promise<boolean> =>
  send<'runTo'>(session, { command: 'runTo', thread, source });

const specs = ({ debug }: NodeSession): BreakpointSpec[] =>
  (debug.state?.breakpoints ?? []).filter(({ group }) => group === pageGroup).map(({ spec }) => spec);

/** Adds a breakpoint, or replaces the breakpoint with the given id. */
export const saveBreakpoint = (session: NodeSession, spec: BreakpointSpec, id?: number): Promise<boolean> =>
  attempt(() => {
    const kept = (session.debug.state?.breakpoints ?? []).filter(({ group }) => group === pageGroup);
    const list = kept.some((breakpoint) => breakpoint.id === id)
      ? kept.map((each) => (each.id === id ? spec : each.spec))
      : [...specs(session), spec];
    return session.debug.setBreakpoints(list);
  });

export const removeBreakpoint = (session: NodeSession, id: number): Promise<boolean> =>
  attempt(() =>
    session.debug.setBreakpoints(
      (session.debug.state?.breakpoints ?? [])
        .filter((each) => each.group === pageGroup && each.id !== id)
        .map(({ spec }) => spec),
    ),
  );

export const removeAllBreakpoints = (session: NodeSession): Promise<boolean> =>
  attempt(() => session.debug.setBreakpoints([]));

/** Adds a breakpoint before a point for one pod. If breakpoints already stop the pod there, removes them. */
export const toggleBreakpoint = (session: NodeSession, point: string, pod: ScopedPod | undefined): Promise<boolean> =>
  attempt(() => {
    const own = (session.debug.state?.breakpoints ?? []).filter(({ group }) => group === pageGroup);
    const set = new Set(breakpointsBefore(own, point, pod).map(({ id }) => id));
    const kept = own.filter(({ id }) => !set.has(id)).map(({ spec }) => spec);
    return session.debug.setBreakpoints(set.size > 0 ? kept : [...kept, { point, ...scopeFields('pod', pod) }]);
  });

/** Toggles an exception filter, such as any error. */
export const toggleFilter = (session: NodeSession, filter: ExceptionFilter): Promise<boolean> =>
  attempt(() => {
    const filters = session.debug.state?.filters ?? [];
    const without = filters.filter((each) => each.filter !== filter);
    return session.debug.setFilters(without.length < filters.length ? without : [...filters, { filter }]);
  });
