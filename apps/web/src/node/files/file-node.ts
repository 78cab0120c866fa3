/** Serves a recorded run like a read-only node, which accepts breakpoints for stepping back. */
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
import { RunHistory, type TraceEvent } from '@podscope/trace';
import {
  bytesOf,
  type LoadedTraceFile,
  openTraceFile,
  openUnpackedTraceFile,
  type RunDebug,
  type RunInfo,
  runDebugOf,
} from '@podscope/trace/file';
import { translate } from '../../base/i18n/i18n.ts';
import type { Channel, ChannelListener } from '../connection/channel.ts';
import type { RecordedNode } from '../run/open-node.ts';
import { fileMessages } from './messages.en.ts';
import { unpackBeside } from './unpack-beside.ts';

export { prepareUnpacker } from './unpack-beside.ts';

/** A trace file that was read. */
export interface RecordedFile extends LoadedTraceFile {
  readonly history: RunHistory;
  /** The recorded breakpoints. */
  readonly debug: RunDebug | undefined;
}

/** The contents of a recording. */
interface Recording {
  readonly run: RunInfo;
  readonly history: RunHistory;
  readonly debug: RunDebug | undefined;
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

/**
 * Returns the run of a trace file. Folds its events while the worker unpacks the next ones.
 * @throws TraceFileError with a readable message
 */
export async function readTraceFile(file: Blob): Promise<RecordedFile> {
  const reader = await (typeof Worker === 'undefined'
    ? openTraceFile(bytesOf(file.stream()))
    : openUnpackedTraceFile(unpackBeside(file)));
  const history = new RunHistory();
  for await (const group of reader.events) history.append(group);
  const { header } = reader;
  const { events } = history;
  const debug = await debugOf(header.run, events);
  return { header, events, history, debug, report: reader.report() };
}

/** Returns the notes about the whole run, without those about single events. */
const notesOf = ({ notes }: RunInfo): readonly string[] =>
  notes.filter(({ seq }) => seq === undefined).map(({ text }) => text);

/** Returns the node of a file. */
export function fileNode({ header: { run }, history, debug, report }: RecordedFile, name: string): RecordedNode {
  const problem = report.complete ? undefined : report.problem;
  return recordingNode({
    run,
    history,
    debug,
    notices: [translate(fileMessages.fromFile, { name }), ...notesOf(run), ...(problem === undefined ? [] : [problem])],
  });
}

/** Returns the node of a saved run of the server. */
export async function savedRunNode(run: RunInfo, events: readonly TraceEvent[]): Promise<RecordedNode> {
  const debug = await debugOf(run, events);
  const name = run.title ?? new Date(run.startedAt).toLocaleString();
  const notices = [translate(fileMessages.fromStore, { name }), ...notesOf(run)];
  return recordingNode({ run, history: new RunHistory(events), debug, notices });
}

/**
 * Returns the recorded breakpoints: those in the file's header, or else those in the last event that changed them.
 * Loads the libraries for expressions if a breakpoint may have one.
 */
async function debugOf(run: RunInfo, events: readonly TraceEvent[]): Promise<RunDebug | undefined> {
  const last = run.debug ? undefined : events.findLast((event) => event.type === 'breakpointsChanged');
  const debug = run.debug ?? (last?.type === 'breakpointsChanged' ? runDebugOf(last) : undefined);
  if (debug && needsExpressions(JSON.stringify(debug))) await loadExpressions();
  return debug;
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

function recordingNode(recording: Recording): RecordedNode {
  const node = nodeInfoOf(recording);
  const { events, firstSeq, lastSeq } = recording.history;
  const debug = new RecordedDebugger({ events, profile: node.profile, debug: recording.debug });
  const open = (listener: ChannelListener): Channel => {
    let isOpen = true;
    const deliver = (message: ServerMessage): void => {
      if (isOpen) listener.message(message);
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
          // The page has the events already.
          after: lastSeq,
          now,
          pods: [],
          debug: debug.state(),
          time: { now, speed: 1, paused: true },
        });
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
  return { open, history: recording.history };
}
