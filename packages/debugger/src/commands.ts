/** The debugger's commands, by name: what `/stream` and `/debug/v1/commands` do. */
import type { DebugCommand, DebugCommandName, ThreadInfo } from '@podscope/protocol';
import type { Context } from '@podscope/trace';
import type { Debugger } from './debugger.ts';
import { DebuggerError, messageOf } from './errors.ts';
import { misplacedAction } from './faults/placement.ts';
import { runToGroup } from './gatekeeper.ts';
import { exposedAt } from './passage.ts';
import type { StepMode } from './stepping.ts';
import type { Stop } from './threads.ts';

type CommandOf<Name extends DebugCommandName> = Extract<DebugCommand, { command: Name }>;

/** One handler for each command. */
export type DebugCommandHandlers = { readonly [Name in DebugCommandName]: (command: CommandOf<Name>) => unknown };

/** Loops that every node has. */
const loops = ['syncLoop', 'pleg', 'statusManager', 'garbageCollection', 'kubelet'];

/**
 * The handlers over a debugger.
 * @param ctx for interventions that belong to no thread
 * @param detach what the command of that name does
 */
export function debugCommands(debug: Debugger, ctx: Context, detach: () => void = () => undefined): DebugCommandHandlers {
  const { inspector, threads, host } = debug;
  const goOn = (stop: Stop): void => debug.resume(stop, { how: 'continue' });
  const step = (thread: string, mode: StepMode): object => {
    const stop = debug.stopOf(thread);
    const { span } = stop.passage;
    // There is nothing around the outermost span to stop at the end of.
    if (mode !== 'stepOut' || span.parent) threads.open(thread).step = { mode, origin: span };
    debug.resume(stop, { how: 'step' });
    return {};
  };
  return {
    debugState: () => debug.state(),
    points: () => debug.catalog.list(),
    threads: () => ({ threads: listThreads(debug) }),

    setBreakpoints: ({ group = '', breakpoints }) => ({ breakpoints: debug.setBreakpoints(group, breakpoints).map((breakpoint) => breakpoint.state()) }),
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
      const stops = thread === undefined ? threads.stops() : [debug.stopOf(thread)];
      for (const stop of stops) goOn(stop);
      return { threads: stops.map(({ passage }) => passage.ctx.thread) };
    },
    next: ({ thread }) => step(thread, 'next'),
    stepIn: ({ thread }) => step(thread, 'stepIn'),
    stepOut: ({ thread }) => step(thread, 'stepOut'),
    runTo: ({ thread, point, source, when }) => {
      const stop = thread === undefined ? undefined : debug.stopOf(thread);
      const pod = stop?.passage.ctx.pod;
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
      if (stop.passage.ctx.pod?.uid !== thread) throw new DebuggerError('Invalid', `thread ${thread} is no pod worker: only a pod's sync can be restarted`);
      restartPass(debug, stop, ctx);
      return {};
    },

    stackTrace: ({ thread, startFrame, levels }) => inspector.stack(debug.stopOf(thread), startFrame, levels),
    scopes: ({ thread, frame }) => ({ scopes: inspector.scopes(debug.stopOf(thread), frame) }),
    variables: ({ variablesReference, start, count }) => inspector.variables(variablesReference, start, count),
    setVariable: ({ variablesReference, name, value }) => {
      const { stop, span, path, trail } = inspector.references.get(variablesReference);
      const full = path === undefined ? name : `${path}${name}`;
      debug.runner.set({ ...stop.passage, span }, full, value, { origin: 'stop' });
      return inspector.references.describe(stop, span, exposedAt(span, full)?.read(), full, `${trail}/${name}`);
    },
    setExpression: ({ thread, frame, expression, value }) => {
      const stop = debug.stopOf(thread);
      const span = inspector.spanOf(stop, frame);
      debug.runner.set({ ...stop.passage, span }, expression, value, { origin: 'stop' });
      return inspector.references.describe(stop, span, exposedAt(span, expression)?.read(), expression, `=${expression}`);
    },
    evaluate: ({ thread, frame, expression }) => inspector.evaluate(debug.stopOf(thread), frame, expression),
    watch: ({ thread, frame, expressions }) => ({ values: inspector.watch(debug.stopOf(thread), frame, expressions) }),
    changes: ({ thread }) => inspector.changes(debug.stopOf(thread)),

    setFaults: ({ group = '', faults }) => ({ faults: debug.setFaults(group, faults).map((fault) => fault.state()) }),
    intervene: ({ thread, action }) => {
      const stop = debug.stopOf(thread);
      // Refused here, where someone hears of it, and not inside the flow.
      const misplaced = misplacedAction(action, stop.passage.phase, [stop.passage.span.point]);
      if (misplaced !== undefined) throw new DebuggerError('Invalid', misplaced);
      for (const [name, value] of Object.entries(action.set ?? {})) debug.runner.set(stop.passage, name, value, { origin: 'stop' });
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
        const why = 'this runtime cannot choose a process’s exit code: KILL gives 137, with TERM the container answers with its own';
        throw new DebuggerError('Invalid', why);
      }
      const how =
        exitCode === undefined ? { text: `is ended with SIG${signal}`, details: { signal } } : { text: `exits with code ${exitCode}`, details: { exitCode } };
      debug.interventions.tell(podContext(debug, ctx, namespace, name), undefined, {
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
        debug.interventions.tell(podContext(debug, ctx, namespace, name), undefined, { action: 'skipWait', origin: 'command', text, details: { container } });
      return { skipped };
    },
    setBackOff: async ({ namespace, name, container, seconds }) => {
      await attempt(() => host.setBackOff(namespace, name, container, seconds * 1_000));
      const text = `The back-off of container ${container} is ${seconds} s`;
      debug.interventions.tell(podContext(debug, ctx, namespace, name), undefined, { action: 'set', origin: 'command', text, details: { container, seconds } });
      return {};
    },
    setDebugOptions: ({ options }) => ({ options: debug.setOptions(options) }),
    detach: () => {
      detach();
      return {};
    },
  };
}

function restartPass(debug: Debugger, stop: Stop, ctx: Context): void {
  debug.interventions.tell({ ...ctx, pod: stop.passage.ctx.pod }, stop.passage.span, { action: 'restart', origin: 'stop', text: 'The sync is restarted' });
  debug.resume(stop, { how: 'restart' });
}

/** Failures of the node's own become the client's to read. */
async function attempt<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new DebuggerError('NotFound', messageOf(error), { cause: error });
  }
}

/** The context of something that happens to a pod. */
function podContext(debug: Debugger, ctx: Context, namespace: string, name: string): Context {
  const pod = debug.host.pods().find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
  return pod ? { ...ctx, pod: { uid: pod.metadata.uid, namespace, name } } : ctx;
}

/** Workers of the pods there are, loops, and whatever else stands still. */
function listThreads({ threads, host }: Debugger): readonly ThreadInfo[] {
  const state = (id: string): ThreadInfo['state'] => (threads.get(id)?.stop ? 'stopped' : 'running');
  const workers = host.pods().map(({ metadata: { uid, namespace = '', name } }): ThreadInfo => {
    return { id: uid, name: `${namespace}/${name}`, kind: 'worker', pod: { uid, namespace, name }, state: state(uid) };
  });
  const known = new Set([...workers.map(({ id }) => id), ...loops]);
  const others = threads
    .stops()
    .filter(({ passage }) => !known.has(passage.ctx.thread))
    .map(({ passage: { ctx } }): ThreadInfo => {
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
