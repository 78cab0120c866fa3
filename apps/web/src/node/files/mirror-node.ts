/**
 * Serves a copy of a run that another browser executes. The copy contains the events and logs so far and receives each
 * further event and log line.
 */
import { clientMessageSchema, type NodeInfo, protocolVersion, type ServerMessage } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { translate } from '../../base/i18n/i18n.ts';
import type { OpenChannel } from '../connection/channel.ts';
import { fileMessages } from './messages.en.ts';
import { isLogCommand, type MirrorLog, MirrorLogs } from './mirror-logs.ts';

export interface MirrorNode {
  /** Id of the mirrored run. */
  readonly run: string;
  readonly open: OpenChannel;
  /** Appends the events that the copy doesn't have yet, and the log lines. */
  add(events: readonly TraceEvent[], logs?: readonly MirrorLog[]): void;
}

/** Returns a read-only node that serves these events and log lines. */
export function mirrorNode(
  node: NodeInfo,
  first: readonly TraceEvent[],
  firstLogs: readonly MirrorLog[] = [],
): MirrorNode {
  const events = [...first];
  const logs = new MirrorLogs();
  for (const log of firstLogs) logs.add(log);
  const listeners = new Set<(message: ServerMessage) => void>();
  // Returns the time of the newest event. The copy doesn't know how fast the original clock runs.
  const time = (): { now: number; speed: number; paused: boolean } => ({
    now: events.at(-1)?.time ?? node.startedAt,
    speed: 1,
    paused: true,
  });
  const { kubeconfig: _kubeconfig, ...shown } = node;
  return {
    run: node.run,
    add(more, moreLogs = []) {
      // The logs come first, so that a log that begins again is there before the event of its container's start.
      for (const log of moreLogs) logs.add(log);
      const last = events.at(-1)?.seq ?? 0;
      const fresh = more.filter(({ seq }) => seq > last);
      if (fresh.length === 0) return;
      events.push(...fresh);
      for (const deliver of listeners) {
        deliver({ type: 'events', events: fresh });
        deliver({ type: 'time', time: time() });
      }
    },
    open: (listener) => {
      const deliver = (message: ServerMessage): void => listener.message(message);
      let isOpen = true;
      queueMicrotask(() => isOpen && listener.opened());
      return {
        send: (text) => {
          const message = clientMessageSchema.parse(JSON.parse(text));
          if (message.type === 'command') {
            const { id, body } = message;
            if (body.command === 'cancel') logs.cancel(body.target, deliver);
            const hasAnswer = isLogCommand(body) && !node.readOnly;
            const refusal = translate(isLogCommand(body) ? fileMessages.noLogs : fileMessages.notYours);
            const answer: ServerMessage = hasAnswer
              ? { type: 'response', id, ok: true, result: logs.answer(id, body, deliver) }
              : { type: 'failure', id, reason: 'MethodNotAllowed', message: refusal };
            queueMicrotask(() => isOpen && deliver(answer));
            return;
          }
          const [firstSeq = 1, lastSeq = 0] = [events[0]?.seq, events.at(-1)?.seq];
          deliver({
            type: 'welcome',
            protocol: protocolVersion,
            node: { ...shown, readOnly: true },
            firstSeq,
            lastSeq,
            after: firstSeq - 1,
            now: time().now,
            pods: [],
            time: time(),
          });
          deliver({ type: 'events', events: [...events] });
          listeners.add(deliver);
        },
        close: () => {
          isOpen = false;
          listeners.delete(deliver);
          logs.forget(deliver);
        },
      };
    },
  };
}
