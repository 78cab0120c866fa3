/** Requests that let threads go on, stop them, or lead them back in time. */
import type { BreakpointState } from '@podscope/protocol';
import type { StepBoundary } from '@podscope/trace';
import { requestSchemas } from './arguments.ts';
import { NodeRefusal } from './node-connection.ts';
import type { DapSession, RequestHandler } from './session.ts';

type Granularity = 'over' | 'into';

/** `*` and `?` as the node reads them. */
const matches = (pattern: string, text: string): boolean =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(text);

export function executionRequests(session: DapSession): Readonly<Record<string, RequestHandler>> {
  const threadOf = (args: unknown): { readonly thread: string; readonly granularity: Granularity; readonly singleThread: boolean | undefined } => {
    const { threadId, granularity, singleThread } = requestSchemas.thread.parse(args);
    return { thread: nameOf(session, threadId), granularity: granularity === 'instruction' ? 'into' : 'over', singleThread };
  };
  /** Number of the event at which the thread stands. Only a thread that stands can be led back. */
  const present = (thread: string): number => {
    const stop = session.stops.get(thread);
    if (!stop) throw new NodeRefusal('NotStopped', `thread ${thread} is not stopped: pause it, or set a breakpoint`);
    return stop.phase === 'before' ? session.past.anchor(thread, stop.seq) : stop.seq;
  };
  const tell = (thread: string, boundary: StepBoundary | undefined, reason: string): void => {
    const stop = session.stops.get(thread);
    session.later(() =>
      session.event('stopped', {
        reason: boundary ? reason : (stop?.reason ?? reason),
        description: boundary ? `In the past: ${boundary.phase} ${boundary.point} (event ${boundary.seq})` : `At the present again: ${stop?.text ?? ''}`,
        threadId: session.threads.idOf(thread),
        allThreadsStopped: false,
      }),
    );
  };
  const step =
    (command: 'next' | 'stepIn' | 'stepOut'): RequestHandler =>
    async (args) => {
      const { thread } = threadOf(args);
      if (session.past.position(thread) !== undefined) tell(thread, session.past.forth(thread, present(thread), command), 'step');
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
      if (session.past.position(thread) !== undefined) tell(thread, session.past.forward(thread, present(thread), await hitTest(session)), 'breakpoint');
      // After the run was run again the thread may be under way: what goes on then is time.
      else if (session.stops.has(thread) || !(await session.letTimePass())) {
        await session.node.debug({ command: 'continue', thread });
        await session.letTimePass();
      }
      return { allThreadsContinued: false };
    },
    pause: async (args) => {
      const { threadId } = requestSchemas.thread.parse(args);
      // Clients send 0 when no thread is chosen: every pod is meant.
      await session.node.debug({ command: 'pause', ...(threadId === 0 ? {} : { thread: nameOf(session, threadId) }) });
      return {};
    },
    stepBack: (args) => {
      const { thread, granularity } = threadOf(args);
      const boundary = session.past.back(thread, present(thread), granularity);
      if (!boundary) throw new NodeRefusal('NotFound', 'nothing is recorded before this');
      tell(thread, boundary, 'step');
      return {};
    },
    reverseContinue: async (args) => {
      const { thread } = threadOf(args);
      const boundary = session.past.reverse(thread, present(thread), await hitTest(session));
      if (!boundary) throw new NodeRefusal('NotFound', 'nothing is recorded before this');
      tell(thread, boundary, boundary.hit ? 'breakpoint' : 'entry');
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

function nameOf(session: DapSession, threadId: number): string {
  const thread = session.threads.nameOf(threadId);
  if (thread === undefined) throw new NodeRefusal('NotFound', `there is no thread ${threadId}`);
  return thread;
}

/** True at the places the node's breakpoints name. Their conditions are judged on live values, so the past does without. */
async function hitTest(session: DapSession): Promise<(point: string, phase: 'before' | 'after', failed: boolean) => boolean> {
  const [{ breakpoints }, { points }] = await Promise.all([session.node.debug({ command: 'debugState' }), session.node.debug({ command: 'points' })]);
  const kinds = new Map(points.map(({ id, kind }) => [id, kind]));
  const own = breakpoints.filter(({ verified, spec }) => verified && spec.enabled !== false && spec.logMessage === undefined);
  const atLine = ({ source }: BreakpointState): string | undefined =>
    points.find((point) => point.source?.path === source?.path && point.source?.line === source?.line)?.id;
  return (point, phase, failed) =>
    own.some((state) => {
      const { spec } = state;
      const isHere =
        spec.kind !== undefined
          ? kinds.get(point) === spec.kind
          : spec.point !== undefined
            ? matches(spec.point, point)
            : spec.source !== undefined && atLine(state) === point;
      return isHere && (spec.when === 'error' ? phase === 'after' && failed : (spec.when ?? 'before') === phase);
    });
}
