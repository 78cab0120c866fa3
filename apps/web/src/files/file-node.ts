/** A recorded run as a node: it welcomes the page, gives all its events, and takes breakpoints for going back. Nothing happens in it any more. */
import { RecordedDebugger } from '@podscope/debugger/past';
import { type Command, clientMessageSchema, type NodeInfo, protocolVersion, type ServerMessage } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { bytesOf, type LoadedTraceFile, loadTraceFile, type RunDebug, type RunInfo, runDebugOf } from '@podscope/trace/file';
import type { Channel, ChannelListener, OpenChannel } from '../connection/channel.ts';
import { translate } from '../i18n/i18n.ts';
import { fileMessages } from './messages.en.ts';

/** Events in one message; a turn for the page lies between two. */
const batch = 5_000;

/** What a recording is made of. */
interface Recording {
  readonly run: RunInfo;
  /** In order. */
  readonly events: readonly TraceEvent[];
  /** What the person who looks should know. */
  readonly notices: readonly string[];
}

function nodeInfoOf({ run, notices }: Recording): NodeInfo {
  const { id, startedAt, nodeName, runtime, profile, steps, engine, title } = run;
  return { run: id, startedAt, version: engine, nodeName: title ?? nodeName, runtime, profile, steps, readOnly: true, notices: [...notices] };
}

/** Reads a trace file. @throws TraceFileError telling people what is wrong with it */
export const readTraceFile = (file: Blob): Promise<LoadedTraceFile> => loadTraceFile(bytesOf(file.stream()));

/** What is said of the run as a whole by those who looked at it before. */
const notesOf = ({ notes }: RunInfo): readonly string[] => notes.filter(({ seq }) => seq === undefined).map(({ text }) => text);

/** Channels to a file's run. */
export function fileNode({ header: { run }, events, report }: LoadedTraceFile, name: string): OpenChannel {
  const problem = report.complete ? undefined : report.problem;
  return recordingNode({ run, events, notices: [translate(fileMessages.fromFile, { name }), ...notesOf(run), ...(problem === undefined ? [] : [problem])] });
}

/** Channels to a run of the server's store. */
export function keptRunNode(run: RunInfo, events: readonly TraceEvent[]): OpenChannel {
  const name = run.title ?? new Date(run.startedAt).toLocaleString();
  return recordingNode({ run, events, notices: [translate(fileMessages.fromStore, { name }), ...notesOf(run)] });
}

/** The breakpoints it had: what its head says, else what its events tell last. */
function debugOf({ run, events }: Recording): RunDebug | undefined {
  if (run.debug) return run.debug;
  const last = events.findLast((event) => event.type === 'breakpointsChanged');
  return last?.type === 'breakpointsChanged' ? runDebugOf(last) : undefined;
}

function answer({ commands }: RecordedDebugger, id: number, command: Command): ServerMessage {
  const run = Object.hasOwn(commands, command.command) ? (commands as Readonly<Record<string, (command: Command) => unknown>>)[command.command] : undefined;
  if (!run) return { type: 'failure', id, reason: 'MethodNotAllowed', message: translate(fileMessages.nothingToDo) };
  try {
    return { type: 'response', id, ok: true, result: run(command) };
  } catch (error) {
    return { type: 'failure', id, reason: 'Invalid', message: error instanceof Error ? error.message : String(error) };
  }
}

/** Channels to a recording. */
function recordingNode(recording: Recording): OpenChannel {
  const node = nodeInfoOf(recording);
  const { events } = recording;
  const [firstSeq = 1, lastSeq = 0] = [events[0]?.seq, events.at(-1)?.seq];
  const debug = new RecordedDebugger({ events, profile: node.profile, debug: debugOf(recording) });
  return (listener: ChannelListener): Channel => {
    let isOpen = true;
    const say = (message: ServerMessage): void => {
      if (isOpen) listener.message(message);
    };
    const send = (from: number): void => {
      if (!isOpen || from >= events.length) return;
      say({ type: 'events', events: events.slice(from, from + batch) });
      setTimeout(() => send(from + batch), 0);
    };
    queueMicrotask(() => isOpen && listener.opened());
    return {
      send: (text) => {
        const message = clientMessageSchema.parse(JSON.parse(text));
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
            debug: debug.state(),
            time: { now, speed: 1, paused: true },
          });
          send(0);
        } else say(answer(debug, message.id, message.body));
      },
      close: () => {
        isOpen = false;
      },
    };
  };
}
