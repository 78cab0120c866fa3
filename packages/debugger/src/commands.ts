/** Implements the debugger's commands by name, for `/stream` and `/debug/v1/commands`. */
import { errorMessage } from '@podscope/base';
import type { DebugCommand, DebugCommandName, ThreadInfo } from '@podscope/protocol';
import type { Context } from '@podscope/trace';
import type { Debugger } from './debugger.ts';
import { DebuggerError } from './errors.ts';
import { misplacedAction } from './faults/placement.ts';
import { runToGroup } from './gate/break-controller.ts';
import { exposedAt } from './gate/span-boundary.ts';
import type { StepMode } from './gate/stepping.ts';
import type { ThreadStop } from './gate/threads.ts';

type CommandOf<Name extends DebugCommandName> = Extract<DebugCommand, { command: Name }>;

/** A handler for each command. */
export type DebugCommandHandlers = { readonly [Name in DebugCommandName]: (command: CommandOf<Name>) => unknown };

/** The thread names of the loops that every node has. */
const loops = ['syncLoop', 'pleg', 'statusManager', 'garbageCollection', 'kubelet'];

/**
 * Returns the handlers of a debugger's commands.
 * @param ctx context for interventions that belong to no thread
 * @param detach implements the command `detach`
 */
export function debugCommands(
  ctx: Context,
  debug: Debugger,
  detach: () => void = () => undefined,
): DebugCommandHandlers {
  const { inspector, threads, host } = debug;
  const goOn = (stop: ThreadStop): void => debug.resume(stop, { how: 'continue' });
  const step = (thread: string, mode: StepMode): object => {
    const stop = debug.stopOf(thread);
    const { span } = stop.boundary;
    // The outermost span has no parent, and stepping out stops at the end of the parent.
    if (mode !== 'stepOut' || span.parent) threads.open(thread).step = { mode, origin: span };
    debug.resume(stop, { how: 'step' });
    return {};
  };
  return {
    debugState: () => debug.state(),
    points: () => debug.catalog.list(),
    threads: () => ({ threads: listThreads(debug) }),

    setBreakpoints: ({ group = '', breakpoints }) => ({
      breakpoints: debug.setBreakpoints(group, breakpoints).map((breakpoint) => breakpoint.state()),
    }),
    checkBreakpoint: ({ breakpoint }) => debug.checkBreakpoint(breakpoint),
    setExceptionBreakpoints: ({ filters }) => {
      debug.setFilters(filters);
      return { filters };
    },

    pause: ({ thread }) => {
      const asked = thread === undefined ? host.pods().map(({ metadata }) => metadata.uid) : [thread];
      const running = asked.filter((id) => !threads.get(id)?.stop);
      for (const id of running) debug.pause(id);
      return { threads: running };
    },
    continue: ({ thread }) => {
      const canceled = debug.cancelPause(thread);
      const stops = thread === undefined ? threads.stops() : canceled.length > 0 ? [] : [debug.stopOf(thread)];
      for (const stop of stops) goOn(stop);
      return { threads: [...stops.map(({ boundary }) => boundary.ctx.thread), ...canceled] };
    },
    next: ({ thread }) => step(thread, 'next'),
    stepIn: ({ thread }) => step(thread, 'stepIn'),
    stepOut: ({ thread }) => step(thread, 'stepOut'),
    runTo: ({ thread, point, source, when }) => {
      const stop = thread === undefined ? undefined : debug.stopOf(thread);
      const pod = stop?.boundary.ctx.pod;
      const breakpoint = debug.addBreakpoint(runToGroup, {
        ...(source ? { source } : { point }),
        when,
        oneShot: true,
        ...(pod ? { namespace: pod.namespace, pod: pod.name } : {}),
      });
      if (stop) goOn(stop);
      return { breakpoint: breakpoint.state() };
    },
    restartSync: ({ thread }) => {
      const stop = debug.stopOf(thread);
      if (stop.boundary.ctx.pod?.uid !== thread)
        throw new DebuggerError('Invalid', `thread ${thread} isn't a pod worker: only a pod's sync can be restarted`);
      restartSync(ctx, debug, stop);
      return {};
    },

    stackTrace: ({ thread, startFrame, levels }) => inspector.stack(debug.stopOf(thread), startFrame, levels),
    scopes: ({ thread, frame }) => ({ scopes: inspector.scopes(debug.stopOf(thread), frame) }),
    variables: ({ variablesReference, start, count }) => inspector.variables(variablesReference, start, count),
    setVariable: ({ variablesReference, name, value }) => {
      const { stop, span, path, trail } = inspector.references.get(variablesReference);
      const full = path === undefined ? name : `${path}${name}`;
      debug.runner.set({ ...stop.boundary, span }, full, value, { origin: 'stop' });
      return inspector.references.describe(stop, span, exposedAt(span, full)?.read(), full, `${trail}/${name}`);
    },
    setExpression: ({ thread, frame, expression, value }) => {
      const stop = debug.stopOf(thread);
      const span = inspector.spanOf(stop, frame);
      debug.runner.set({ ...stop.boundary, span }, expression, value, { origin: 'stop' });
      return inspector.references.describe(
        stop,
        span,
        exposedAt(span, expression)?.read(),
        expression,
        `=${expression}`,
      );
    },
    evaluate: ({ thread, frame, expression }) => inspector.evaluate(debug.stopOf(thread), frame, expression),
    watch: ({ thread, frame, expressions }) => ({ values: inspector.watch(debug.stopOf(thread), frame, expressions) }),
    changes: ({ thread }) => inspector.changes(debug.stopOf(thread)),

    setFaults: ({ group = '', faults }) => ({ faults: debug.setFaults(group, faults).map((fault) => fault.state()) }),
    intervene: ({ thread, action }) => {
      const stop = debug.stopOf(thread);
      // Reject a misplaced action here, where the client gets the error, and not inside the flow, where it would fail.
      const misplaced = misplacedAction(action, stop.boundary.phase, [stop.boundary.span.point]);
      if (misplaced !== undefined) throw new DebuggerError('Invalid', misplaced);
      for (const [name, value] of Object.entries(action.set ?? {}))
        debug.runner.set(stop.boundary, name, value, { origin: 'stop' });
      debug.resume(stop, { how: 'intervention', action });
      return {};
    },
    releaseFault: ({ id }) => {
      const released = debug.runner.release(id);
      if (id !== undefined && released.length === 0) throw new DebuggerError('NotFound', `no call ${id} hangs`);
      return { released };
    },
    setFaultPlan: ({ yaml, enabled }) => debug.setFaultPlan(yaml, enabled),
    enableFaultPlan: ({ name, enabled }) => ({ plan: debug.enableFaultPlan(name, enabled) }),
    deleteFaultPlan: ({ name }) => {
      debug.deleteFaultPlan(name);
      return {};
    },

    killContainer: async ({ namespace, name, container, signal = 'KILL', exitCode }) => {
      const id = await attempt(() =>
        exitCode === undefined
          ? host.killContainer(namespace, name, container, signal === 'KILL' ? 0 : 10)
          : host.exitContainer(namespace, name, container, exitCode),
      );
      if (id === undefined) {
        const why =
          'this runtime cannot choose a process’s exit code: KILL gives 137, with TERM the container answers ' +
          'with its own';
        throw new DebuggerError('Invalid', why);
      }
      const how =
        exitCode === undefined
          ? { text: `is ended with SIG${signal}`, details: { signal } }
          : { text: `exits with code ${exitCode}`, details: { exitCode } };
      debug.interventions.emit(podContext(ctx, debug, namespace, name), undefined, {
        action: 'kill',
        origin: 'command',
        text: `Container ${container} ${how.text}`,
        details: { container, id, ...how.details },
      });
      return { id };
    },
    skipBackOff: async ({ namespace, name, container }) => {
      const skipped = await attempt(() => host.skipBackOff(namespace, name, container));
      const text = `The back-off of container ${container} is skipped: ${skipped.join(', ')}`;
      if (skipped.length > 0)
        debug.interventions.emit(podContext(ctx, debug, namespace, name), undefined, {
          action: 'skipWait',
          origin: 'command',
          text,
          details: { container },
        });
      return { skipped };
    },
    setBackOff: async ({ namespace, name, container, seconds }) => {
      await attempt(() => host.setBackOff(namespace, name, container, seconds * 1_000));
      const text = `The back-off of container ${container} is ${seconds} s`;
      debug.interventions.emit(podContext(ctx, debug, namespace, name), undefined, {
        action: 'set',
        origin: 'command',
        text,
        details: { container, seconds },
      });
      return {};
    },
    setDebugOptions: ({ options }) => ({ options: debug.setOptions(options) }),
    detach: () => {
      detach();
      return {};
    },
  };
}

/** Ends the stopped sync, emits the intervention, and starts the sync from its beginning. */
function restartSync(ctx: Context, debug: Debugger, stop: ThreadStop): void {
  debug.interventions.emit({ ...ctx, pod: stop.boundary.ctx.pod }, stop.boundary.span, {
    action: 'restart',
    origin: 'stop',
    text: 'The sync is restarted',
  });
  debug.resume(stop, { how: 'restart' });
}

/** Runs `work` and converts the node's errors into errors for the client. */
async function attempt<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new DebuggerError('NotFound', errorMessage(error), { cause: error });
  }
}

/** Returns the context for an intervention on a pod. */
function podContext(ctx: Context, debug: Debugger, namespace: string, name: string): Context {
  const pod = debug.host.pods().find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
  return pod ? { ...ctx, pod: { uid: pod.metadata.uid, namespace, name } } : ctx;
}

/** Returns the workers of all pods, the loops, and all other threads that are stopped. */
function listThreads({ threads, host }: Debugger): readonly ThreadInfo[] {
  const state = (id: string): ThreadInfo['state'] => (threads.get(id)?.stop ? 'stopped' : 'running');
  const workers = host.pods().map(({ metadata: { uid, namespace = '', name } }): ThreadInfo => {
    return { id: uid, name: `${namespace}/${name}`, kind: 'worker', pod: { uid, namespace, name }, state: state(uid) };
  });
  const known = new Set([...workers.map(({ id }) => id), ...loops]);
  const others = threads
    .stops()
    .filter(({ boundary }) => !known.has(boundary.ctx.thread))
    .map(({ boundary: { ctx } }): ThreadInfo => {
      const isProbe = ctx.thread.startsWith('probe ');
      const name = ctx.pod ? `${ctx.pod.namespace}/${ctx.pod.name}` : ctx.thread;
      return {
        id: ctx.thread,
        name: isProbe ? `${name} probe ${ctx.thread.split('/').slice(1).join(' ')}` : ctx.thread,
        kind: isProbe ? 'probe' : 'loop',
        pod: ctx.pod && { ...ctx.pod },
        state: 'stopped',
      };
    });
  return [...workers, ...loops.map((id): ThreadInfo => ({ id, name: id, kind: 'loop', state: state(id) })), ...others];
}
