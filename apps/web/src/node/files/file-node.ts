/** Serves a recorded run like a read-only node: sends all its events and accepts breakpoints for stepping back. */
import { errorMessage } from '@podscope/base';
import { loadExpressions, needsExpressions } from '@podscope/debugger/expressions';
import { RecordedDebugger } from '@podscope/debugger/past';
import {
  type Command,
  clientMessageSchema,
  type NodeInfo,
  protocolVersion,
  type ServerMessage,
} from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import {
  bytesOf,
  type LoadedTraceFile,
  loadTraceFile,
  loadUnpackedTraceFile,
  type RunDebug,
  type RunInfo,
  runDebugOf,
} from '@podscope/trace/file';
import { translate } from '../../base/i18n/i18n.ts';
import type { Channel, ChannelListener, OpenChannel } from '../connection/channel.ts';
import { fileMessages } from './messages.en.ts';
import { unpackBeside } from './unpack-beside.ts';

export { prepareUnpacker } from './unpack-beside.ts';

/**
 * Maximum number of events per message. The page can draw between two messages. Most runs fit in one message, so that
 * the page draws them once.
 */
const batch = 100_000;

/** The contents of a recording. */
interface Recording {
  readonly run: RunInfo;
  /** Ordered by sequence number. */
  readonly events: readonly TraceEvent[];
  /** Notices about the recording. */
  readonly notices: readonly string[];
}

function nodeInfoOf({ run, notices }: Recording): NodeInfo {
  const { id, startedAt, nodeName, runtime, profile, steps, engine, title, observed } = run;
  return {
    run: id,
    startedAt,
    version: engine,
    nodeName: title ?? nodeName,
    runtime,
    profile,
    steps,
    readOnly: true,
    ...(observed ? { observed } : {}),
    notices: [...notices],
  };
}

/** Returns the run of a trace file. @throws TraceFileError with a readable message */
export async function readTraceFile(file: Blob): Promise<LoadedTraceFile> {
  const loaded =
    typeof Worker === 'undefined' ? loadTraceFile(bytesOf(file.stream())) : loadUnpackedTraceFile(unpackBeside(file));
  const { header, events } = await loaded;
  await loadExpressionsOf(debugOf({ run: header.run, events }));
  return loaded;
}

/** Returns the notes about the whole run, without those about single events. */
const notesOf = ({ notes }: RunInfo): readonly string[] =>
  notes.filter(({ seq }) => seq === undefined).map(({ text }) => text);

/** Returns channels to the run of a file. */
export function fileNode({ header: { run }, events, report }: LoadedTraceFile, name: string): OpenChannel {
  const problem = report.complete ? undefined : report.problem;
  return recordingNode({
    run,
    events,
    notices: [translate(fileMessages.fromFile, { name }), ...notesOf(run), ...(problem === undefined ? [] : [problem])],
  });
}

/** Returns channels to a saved run of the server. */
export async function savedRunNode(run: RunInfo, events: readonly TraceEvent[]): Promise<OpenChannel> {
  await loadExpressionsOf(debugOf({ run, events }));
  const name = run.title ?? new Date(run.startedAt).toLocaleString();
  return recordingNode({ run, events, notices: [translate(fileMessages.fromStore, { name }), ...notesOf(run)] });
}

/** Loads the libraries for expressions if recorded breakpoints may have one. */
async function loadExpressionsOf(debug: RunDebug | undefined): Promise<void> {
  if (debug && needsExpressions(JSON.stringify(debug))) await loadExpressions();
}

/** Returns the recorded breakpoints: those in the file's header, or else those in the last event that changed them. */
function debugOf({ run, events }: Pick<Recording, 'run' | 'events'>): RunDebug | undefined {
  if (run.debug) return run.debug;
  const last = events.findLast((event) => event.type === 'breakpointsChanged');
  return last?.type === 'breakpointsChanged' ? runDebugOf(last) : undefined;
}

function answer({ commands }: RecordedDebugger, id: number, command: Command): ServerMessage {
  const run = Object.hasOwn(commands, command.command)
    ? (commands as Readonly<Record<string, (command: Command) => unknown>>)[command.command]
    : undefined;
  if (!run) return { type: 'failure', id, reason: 'MethodNotAllowed', message: translate(fileMessages.nothingToDo) };
  try {
    return { type: 'response', id, ok: true, result: run(command) };
  } catch (error) {
    return { type: 'failure', id, reason: 'Invalid', message: errorMessage(error) };
  }
}

/** Returns channels to a recording. */
function recordingNode(recording: Recording): OpenChannel {
  const node = nodeInfoOf(recording);
  const { events } = recording;
  const [firstSeq = 1, lastSeq = 0] = [events[0]?.seq, events.at(-1)?.seq];
  const debug = new RecordedDebugger({ events, profile: node.profile, debug: debugOf(recording) });
  return (listener: ChannelListener): Channel => {
    let isOpen = true;
    const deliver = (message: ServerMessage): void => {
      if (isOpen) listener.message(message);
    };
    const send = (from: number): void => {
      if (!isOpen || from >= events.length) return;
      deliver({ type: 'events', events: events.slice(from, from + batch) });
      setTimeout(() => send(from + batch), 0);
    };
    queueMicrotask(() => isOpen && listener.opened());
    /**
     * The pending load of the libraries for expressions. Resolves also if they can't be loaded; then expressions are
     * rejected.
     */
    let libraries: Promise<unknown> | undefined;
    const take = (text: string): void => {
      const message = clientMessageSchema.parse(JSON.parse(text));
      if (message.type === 'hello') {
        const now = events.at(-1)?.time ?? node.startedAt;
        deliver({
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
      } else deliver(answer(debug, message.id, message.body));
    };
    return {
      send: (text) => {
        if (needsExpressions(text)) libraries ??= loadExpressions().catch(() => undefined);
        // Handle the message after earlier ones that wait for the libraries, so that messages stay in order.
        if (libraries) void libraries.then(() => take(text));
        else take(text);
      },
      close: () => {
        isOpen = false;
      },
    };
  };
}
