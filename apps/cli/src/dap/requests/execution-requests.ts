/** Handles the DAP requests that continue, pause, step and reverse threads. */
import type { StepBoundary } from '@podscope/trace';
import type { DebugSession, RequestHandler } from '../debug-session.ts';
import { NodeRefusal } from '../node/node-connection.ts';
import { requestSchemas } from './arguments.ts';

type Granularity = 'over' | 'into';

export function executionRequests(session: DebugSession): Readonly<Record<string, RequestHandler>> {
  const threadOf = (
    args: unknown,
  ): { readonly thread: string; readonly granularity: Granularity; readonly singleThread: boolean | undefined } => {
    const { threadId, granularity, singleThread } = requestSchemas.thread.parse(args);
    return {
      thread: nameOf(session, threadId),
      granularity: granularity === 'instruction' ? 'into' : 'over',
      singleThread,
    };
  };
  /**
   * Returns the number of the event at which the thread is stopped.
   * @throws NodeRefusal if it isn't stopped, because only a stopped thread can step back
   */
  const present = (thread: string): number => {
    const stop = session.stops.get(thread);
    if (!stop) throw new NodeRefusal('NotStopped', `thread ${thread} is not stopped: pause it, or set a breakpoint`);
    return stop.phase === 'before' ? session.past.anchor(thread, stop.seq) : stop.seq;
  };
  const print = (thread: string, boundary: StepBoundary | undefined, reason: string): void => {
    const stop = session.stops.get(thread);
    session.later(() =>
      session.event('stopped', {
        reason: boundary || !stop ? reason : session.breakpoints.reasonOf(stop),
        description: boundary
          ? `In the past: ${boundary.phase} ${boundary.point} (event ${boundary.seq})`
          : `At the present again: ${stop?.text ?? ''}`,
        threadId: session.threads.idOf(thread),
        allThreadsStopped: false,
      }),
    );
  };
  const step =
    (command: 'next' | 'stepIn' | 'stepOut'): RequestHandler =>
    async (args) => {
      const { thread } = threadOf(args);
      if (session.past.position(thread) !== undefined)
        print(thread, session.past.forth(thread, present(thread), command), 'step');
      else {
        await session.node.debug({ command, thread });
        await session.letTimePass();
      }
      return {};
    };
  return {
    next: step('next'),
    stepIn: step('stepIn'),
    stepOut: step('stepOut'),
    continue: async (args) => {
      const { threadId, singleThread } = requestSchemas.thread.parse(args);
      if (singleThread === false) {
        await session.node.debug({ command: 'continue' });
        await session.letTimePass();
        return { allThreadsContinued: true };
      }
      const thread = nameOf(session, threadId);
      if (session.past.position(thread) !== undefined)
        print(thread, session.past.forward(thread, present(thread), await stopsOfThePast(session)), 'breakpoint');
      // After a rerun, the thread may not be stopped. In this case, only continue the paused virtual time.
      else if (session.stops.has(thread) || !(await session.letTimePass())) {
        await session.node.debug({ command: 'continue', thread });
        await session.letTimePass();
      }
      return { allThreadsContinued: false };
    },
    pause: async (args) => {
      const { threadId } = requestSchemas.thread.parse(args);
      // Without a selected thread, clients send 0. The command then pauses every pod.
      await session.node.debug({ command: 'pause', ...(threadId === 0 ? {} : { thread: nameOf(session, threadId) }) });
      return {};
    },
    stepBack: (args) => {
      const { thread, granularity } = threadOf(args);
      const boundary = session.past.back(thread, present(thread), granularity);
      if (!boundary) throw new NodeRefusal('NotFound', 'nothing is recorded before this');
      print(thread, boundary, 'step');
      return {};
    },
    reverseContinue: async (args) => {
      const { thread } = threadOf(args);
      const boundary = session.past.reverse(thread, present(thread), await stopsOfThePast(session));
      if (!boundary) throw new NodeRefusal('NotFound', 'nothing is recorded before this');
      print(thread, boundary, boundary.hit ? 'breakpoint' : 'entry');
      return {};
    },
    restartFrame: async (args) => {
      const thread = session.frameThread(requestSchemas.frame.parse(args).frameId);
      await session.node.debug({ command: 'restartSync', thread });
      return {};
    },
    threads: async () => {
      const { threads } = await session.node.debug({ command: 'threads' });
      return { threads: threads.map(({ id, name }) => ({ id: session.threads.idOf(id), name })) };
    },
  };
}

function nameOf(session: DebugSession, threadId: number): string {
  const thread = session.threads.nameOf(threadId);
  if (thread === undefined) throw new NodeRefusal('NotFound', `there is no thread ${threadId}`);
  return thread;
}

/**
 * Returns a function that tests whether the node's breakpoints and filters would have stopped a thread at an event.
 * Ignores a breakpoint whose condition needs values that weren't recorded, and reports this to the client.
 */
async function stopsOfThePast(session: DebugSession): Promise<(event: number) => boolean> {
  const { breakpoints, filters } = await session.node.debug({ command: 'debugState' });
  const { stops, unjudged } = session.past.stops(breakpoints, filters);
  for (const { breakpoint, message } of unjudged)
    session.print(`Breakpoint ${breakpoint} is ignored in the past: ${message}`, 'important');
  return (event) => stops.has(event);
}
