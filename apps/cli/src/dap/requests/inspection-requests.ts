/**
 * Handles the DAP requests that inspect threads. For the present, they are forwarded to the node. For the past, they
 * are answered from the recorded events.
 */
import { readFile } from 'node:fs/promises';
import type { Variable } from '@podscope/protocol';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { parseFailure } from '../../run/prompt.ts';
import type { DebugSession, RequestHandler } from '../debug-session.ts';
import { NodeRefusal } from '../node/node-connection.ts';
import { isPast } from '../recorded-past.ts';
import { requestSchemas } from './arguments.ts';

/** Largest number of variables that the node returns per request. */
const pageSize = 1_000;

const shown = ({
  name,
  value,
  type,
  variablesReference,
  namedVariables,
  indexedVariables,
  evaluateName,
  changeable,
}: Variable): DebugProtocol.Variable => ({
  name,
  value,
  type,
  variablesReference,
  namedVariables,
  indexedVariables,
  evaluateName,
  ...(changeable ? {} : { presentationHint: { attributes: ['readOnly'] } }),
});

/** Parses a value that a user typed: JSON if it is valid JSON, otherwise the text itself. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function inspectionRequests(session: DebugSession): Readonly<Record<string, RequestHandler>> {
  const sourceOf = (source: { readonly path: string; readonly line: number } | undefined): object =>
    source ? { source: session.breakpoints.sourceOf(source.path), line: source.line } : { line: 0 };

  const pastStack = async (thread: string, startFrame: number, levels: number): Promise<object> => {
    const { points } = await session.node.debug({ command: 'points' });
    const places = new Map(points.map(({ id, source }) => [id, source]));
    const frames = session.past.stack(thread);
    return {
      totalFrames: frames.length,
      stackFrames: frames.slice(startFrame, levels > 0 ? startFrame + levels : undefined).map(({ id, started }) => ({
        id,
        name: `${started.title} (recorded)`,
        moduleId: started.point,
        ...sourceOf(places.get(started.point)),
        column: 0,
        presentationHint: 'subtle',
      })),
    };
  };

  return {
    stackTrace: async (args) => {
      const { threadId, startFrame = 0, levels = 0 } = requestSchemas.stackTrace.parse(args);
      const thread = session.threads.nameOf(threadId);
      if (thread === undefined) throw new NodeRefusal('NotFound', `there is no thread ${threadId}`);
      if (session.past.position(thread) !== undefined) return pastStack(thread, startFrame, levels);
      const { frames, totalFrames } = await session.node.debug({ command: 'stackTrace', thread, startFrame, levels });
      for (const { id } of frames) session.rememberFrame(id, thread);
      return {
        totalFrames,
        stackFrames: frames.map(({ id, name, point, source, kind }) => ({
          id,
          name,
          moduleId: point,
          ...sourceOf(source),
          column: source ? 1 : 0,
          canRestart: kind === 'sync' || point === 'kubelet.SyncPod',
        })),
      };
    },
    scopes: async (args) => {
      const { frameId } = requestSchemas.frame.parse(args);
      if (isPast(frameId)) return { scopes: session.past.scopes(frameId) };
      const { scopes } = await session.node.debug({
        command: 'scopes',
        thread: session.frameThread(frameId),
        frame: frameId,
      });
      return {
        scopes: scopes.map((scope) => ({
          ...scope,
          ...(scope.name === 'Arguments' ? { presentationHint: 'arguments' } : {}),
        })),
      };
    },
    variables: async (args) => {
      const { variablesReference, start = 0, count = 0 } = requestSchemas.variables.parse(args);
      if (isPast(variablesReference))
        return {
          variables: session.past.variables(variablesReference).slice(start, count > 0 ? start + count : undefined),
        };
      const all: DebugProtocol.Variable[] = [];
      for (;;) {
        // A `count` of 0 requests all variables.
        const wanted = count > 0 ? Math.min(pageSize, count - all.length) : pageSize;
        const { variables, total } = await session.node.debug({
          command: 'variables',
          variablesReference,
          start: start + all.length,
          count: wanted,
        });
        all.push(...variables.map(shown));
        if (variables.length === 0 || start + all.length >= total || (count > 0 && all.length >= count))
          return { variables: all };
      }
    },
    setVariable: async (args) => {
      const { variablesReference, name, value } = requestSchemas.setVariable.parse(args);
      if (isPast(variablesReference)) throw new NodeRefusal('Invalid', 'what has been cannot be changed');
      const { evaluateName: _, ...result } = await session.node.debug({
        command: 'setVariable',
        variablesReference,
        name,
        value: valueOf(value),
      });
      return result;
    },
    evaluate: async (args) => {
      const { expression, frameId, context } = requestSchemas.evaluate.parse(args);
      const reported = context === 'repl' ? await consoleCommand(session, expression.trim(), frameId) : undefined;
      if (reported !== undefined) return { result: reported, variablesReference: 0 };
      if (frameId !== undefined && isPast(frameId)) {
        const found = session.past.lookUp(frameId, expression.trim());
        if (!found)
          throw new NodeRefusal(
            'Invalid',
            'in the past only paths into the arguments can be looked up, such as request.config.metadata.name',
          );
        return { result: found.value, type: found.type, variablesReference: found.variablesReference };
      }
      const thread = session.frameThread(frameId);
      const failure = context === 'repl' ? /^\/fail(?:\s+(.*))?$/s.exec(expression.trim()) : undefined;
      if (failure) {
        await session.node.debug({ command: 'intervene', thread, action: { fail: parseFailure(failure[1] ?? '') } });
        return { result: 'The call fails. Execution continues.', variablesReference: 0 };
      }
      const { value, type, variablesReference, namedVariables, indexedVariables } = await session.node.debug({
        command: 'evaluate',
        thread,
        ...(frameId === undefined ? {} : { frame: frameId }),
        expression,
      });
      return { result: value, type, variablesReference, namedVariables, indexedVariables };
    },
    exceptionInfo: async (args) => {
      const { threadId } = requestSchemas.thread.parse(args);
      const thread = session.threads.nameOf(threadId) ?? '';
      const { values } = await session.node.debug({ command: 'watch', thread, expressions: ['reason', 'error'] });
      const [reason, error] = values.map((each) => ('value' in each ? String(valueOf(each.value)) : ''));
      return {
        exceptionId: reason || 'error',
        description: error || session.stops.get(thread)?.text,
        breakMode: 'always',
      };
    },
    breakpointLocations: async (args) => {
      const { source, line, endLine = line } = requestSchemas.breakpointLocations.parse(args);
      const path = (source.path ?? '').replaceAll('\\', '/');
      const lines = (await sources(session)).filter(
        (place) => path.endsWith(`/${place.path}`) && place.line >= line && place.line <= endLine,
      );
      return {
        breakpoints: [...new Set(lines.map((place) => place.line))]
          .toSorted((a, b) => a - b)
          .map((each) => ({ line: each })),
      };
    },
    source: async (args) => {
      const { sourceReference, source } = requestSchemas.source.parse(args);
      const file = session.breakpoints.servedFile(source?.sourceReference ?? sourceReference ?? 0);
      if (file === undefined) throw new NodeRefusal('NotFound', 'this adapter sent no source with that reference');
      return { content: await readFile(file, 'utf8'), mimeType: 'text/typescript' };
    },
    loadedSources: async () => {
      const paths = new Set((await sources(session)).map(({ path }) => path));
      return { sources: [...paths].toSorted().map((path) => session.breakpoints.sourceOf(path)) };
    },
  };
}

/**
 * Runs a console command that concerns the whole run.
 * @returns the output, or undefined if the text isn't a command
 */
async function consoleCommand(
  session: DebugSession,
  text: string,
  frame: number | undefined,
): Promise<string | undefined> {
  const [name, argument] = text.split(/\s+/, 2);
  if (name === '/go') {
    await session.node.request({ command: 'setTime', paused: false });
    return 'Time passes.';
  }
  if (name !== '/rerun') return undefined;
  const seq = argument === undefined ? frame !== undefined && session.past.instantOf(frame) : Number(argument);
  if (seq === false || seq === undefined || !Number.isInteger(seq))
    throw new NodeRefusal(
      'Invalid',
      '/rerun takes the number of an event, unless a thread was led back in time: then it is the instant where ' +
        'that stands',
    );
  await session.rerun({ seq });
  return `Replayed to event ${seq}.`;
}

/** Returns every source line on which a breakpoint can be set. */
async function sources(session: DebugSession): Promise<readonly { readonly path: string; readonly line: number }[]> {
  const { points, decisions } = await session.node.debug({ command: 'points' });
  return [...points, ...decisions].flatMap(({ source }) => source ?? []);
}
