/** Fakes a node with scripted messages and a manual clock. */
import { type NodeInfo, protocolVersion, type ServerMessage } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import type { ChannelClosed, ChannelListener } from '../channel.ts';
import { Connection, type EventReader } from '../connection.ts';

export const nodeInfo = (run = 'run-1'): NodeInfo => ({
  run,
  startedAt: 0,
  version: '0.1.0',
  nodeName: 'podscope',
  runtime: { name: 'simulator', version: '1', kind: 'sim' },
  notices: [],
  profile: 'v1.36',
  steps: [],
  readOnly: false,
});

interface WelcomeOptions {
  readonly run?: string;
  readonly after?: number;
  readonly firstSeq?: number;
  readonly lastSeq: number;
}

export function connect({
  autoOpen = true,
  reportsFailures = false,
  reader,
}: {
  readonly autoOpen?: boolean;
  readonly reportsFailures?: boolean;
  readonly reader?: EventReader;
} = {}) {
  let time = 1_000_000;
  let listener: ChannelListener | undefined;
  let sent: unknown[] = [];
  const tasks = new Map<number, { readonly at: number; readonly task: () => void }>();
  let lastTask = 0;
  const received: number[] = [];
  const began: { readonly run: string; readonly restarted: boolean }[] = [];
  const node = {
    received,
    began,
    resumed: 0,
    cutAt: 0,
    now: () => time,
    /** Messages that the page sent on the current channel. */
    sent: () => sent,
    receive: (message: unknown) => listener?.message(JSON.stringify(message)),
    welcome: ({ run = 'run-1', after = 0, firstSeq = 1, lastSeq }: WelcomeOptions) =>
      node.receive({
        type: 'welcome',
        protocol: protocolVersion,
        node: nodeInfo(run),
        firstSeq,
        lastSeq,
        after,
        now: time,
        pods: [],
      } satisfies ServerMessage),
    events: (events: readonly TraceEvent[]) => node.receive({ type: 'events', events }),
    close: (closed: ChannelClosed) => {
      const last = listener;
      listener = undefined;
      last?.closed(closed);
    },
    /** Breaks the connection. */
    cut: () => {
      node.cutAt ||= time;
      node.close({ reason: '', refused: false });
    },
    /** Advances the clock to the next scheduled task and runs it. */
    elapse: () => {
      const next = [...tasks].toSorted(([, a], [, b]) => a.at - b.at)[0];
      if (!next) return;
      const [id, { at, task }] = next;
      tasks.delete(id);
      time = at;
      task();
    },
    connection: undefined as unknown as Connection,
  };
  node.connection = new Connection({
    open: (opened) => {
      listener = opened;
      sent = [];
      const channel = {
        reportsFailures,
        send: (text: string) => void sent.push(JSON.parse(text)),
        close: () => void (listener = undefined),
      };
      if (autoOpen) queueOpen.push(() => opened.opened());
      return channel;
    },
    reader: {
      begin: (welcome, restarted) => {
        began.push({ run: welcome.node.run, restarted });
        reader?.begin(welcome, restarted);
      },
      resume: (welcome) => {
        node.resumed++;
        reader?.resume(welcome);
      },
      time: (time) => reader?.time(time),
      events: (events) => {
        received.push(...events.map(({ seq }) => seq));
        reader?.events(events);
      },
    },
    now: () => time,
    random: () => 0.5,
    schedule: (delay, task) => {
      const id = ++lastTask;
      tasks.set(id, {
        at: time + delay,
        task: () => {
          task();
          flush();
        },
      });
      return () => void tasks.delete(id);
    },
  });
  const queueOpen: (() => void)[] = [];
  // A channel opens only after `open` has returned it.
  const flush = (): void => {
    for (const open of queueOpen.splice(0)) open();
  };
  node.connection.connect();
  flush();
  return node;
}
