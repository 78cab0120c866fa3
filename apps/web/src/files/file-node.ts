/** A recorded run as a node: it welcomes the page and gives all its events, and has no commands, since nothing happens in it any more. */
import { type NodeInfo, protocolVersion, type ServerMessage } from '@podscope/protocol';
import { toJson } from '@podscope/trace';
import { bytesOf, type LoadedTraceFile, loadTraceFile } from '@podscope/trace/file';
import type { Channel, ChannelListener, OpenChannel } from '../connection/channel.ts';

/** Events in one message; a turn for the page lies between two. */
const batch = 2_000;

function nodeInfoOf({ header }: LoadedTraceFile, fileName: string): NodeInfo {
  const { id, startedAt, nodeName, runtime, profile, steps, engine, title } = header.run;
  return {
    run: id,
    startedAt,
    version: engine,
    nodeName: title ?? nodeName,
    runtime,
    profile,
    steps,
    readOnly: true,
    notices: [`This is a recording: ${fileName}.`],
  };
}

/** Reads a trace file. @throws TraceFileError telling people what is wrong with it */
export const readTraceFile = (file: Blob): Promise<LoadedTraceFile> => loadTraceFile(bytesOf(file.stream()));

/** Channels to a recording. */
export function fileNode(loaded: LoadedTraceFile, fileName: string): OpenChannel {
  const node = nodeInfoOf(loaded, fileName);
  if (!loaded.report.complete && loaded.report.problem) node.notices.push(loaded.report.problem);
  const { events } = loaded;
  const [firstSeq = 1, lastSeq = 0] = [events[0]?.seq, events.at(-1)?.seq];
  return (listener: ChannelListener): Channel => {
    let isOpen = true;
    const say = (message: ServerMessage): void => {
      if (isOpen) listener.message(toJson(message));
    };
    const send = (from: number): void => {
      if (!isOpen || from >= events.length) return;
      say({ type: 'events', events: events.slice(from, from + batch) });
      setTimeout(() => send(from + batch), 0);
    };
    queueMicrotask(() => isOpen && listener.opened());
    return {
      send: (text) => {
        const message = JSON.parse(text) as { readonly type: string; readonly id: number };
        if (message.type === 'hello') {
          const now = events.at(-1)?.time ?? node.startedAt;
          say({
            type: 'welcome',
            protocol: protocolVersion,
            node,
            firstSeq,
            lastSeq,
            after: firstSeq - 1,
            now,
            pods: [],
            time: { now, speed: 1, paused: true },
          });
          send(0);
        } else say({ type: 'failure', id: message.id, reason: 'MethodNotAllowed', message: 'This is a recording: nothing can be done to it any more.' });
      },
      close: () => {
        isOpen = false;
      },
    };
  };
}
