/** Implements `podscope open`: shows a trace file or a recorded run in the browser. */

import { existsSync } from 'node:fs';
import { parseGoDuration } from '@podscope/base';
import { type CommandBody, callOf, print, readArguments, report, UsageError, working } from '@podscope/command-line';
import { sessionsOf } from '@podscope/server/observe';
import {
  createLogger,
  openBrowser,
  preparePage,
  StartError,
  startViewer,
  type ViewerOptions,
} from '@podscope/server/viewer';
import {
  chosenSession,
  findRun,
  openStore,
  RunProblem,
  sessionOption,
  stateDirHelp,
  stateDirOption,
  storeFileOf,
  tellingProblems,
} from './run-source.ts';

const options = {
  ...stateDirOption,
  port: { type: 'string', default: '0' },
  'no-build': { type: 'boolean' },
  'no-open': { type: 'boolean' },
  ...sessionOption,
  jaeger: { type: 'string' },
  tempo: { type: 'string' },
  pod: { type: 'string' },
  since: { type: 'string', default: '1h' },
} as const;

interface TraceValues {
  readonly jaeger?: string | undefined;
  readonly tempo?: string | undefined;
  readonly pod?: string | undefined;
  readonly since: string;
}

/**
 * Returns the query for a pod's spans; undefined if the options name no trace storage.
 * @throws UsageError
 */
function tracesOf({ jaeger, tempo, pod, since }: TraceValues, now: number): ViewerOptions['source'] | undefined {
  const url = jaeger ?? tempo;
  if (url === undefined) {
    if (pod !== undefined) throw new UsageError('--pod needs --jaeger or --tempo');
    return undefined;
  }
  if (jaeger !== undefined && tempo !== undefined) throw new UsageError('give --jaeger or --tempo, not both');
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`${JSON.stringify(url)} is not an http:// or https:// address`);
  if (pod === undefined) throw new UsageError('--jaeger and --tempo need --pod [NAMESPACE/]NAME');
  const [name = '', namespace = 'default'] = pod.split('/').toReversed();
  const length = parseGoDuration(since);
  if (length === undefined || length <= 0) throw new UsageError(`--since ${since} is not a duration such as 1h or 30m`);
  const storage = jaeger === undefined ? 'tempo' : 'jaeger';
  return { traces: { storage, url, namespace, name, from: now - length, to: now } };
}

function sourceOf(name: string, stateDir: string | undefined, session: string | undefined): ViewerOptions['source'] {
  const sessions = sessionsOf(name);
  if (sessions.length > 0) return { recording: name, session: chosenSession(name, sessions, session) };
  if (existsSync(name)) return { file: name };
  if (/[./]/.test(name)) throw new RunProblem(`${name} does not exist`);
  const store = openStore(stateDir);
  try {
    return { storeFile: storeFileOf(stateDir), run: findRun(store, name).id };
  } finally {
    store.close();
  }
}

export const command: CommandBody = {
  help: `Usage: ${callOf('open')} FILE|RUN|DIR [options]
       ${callOf('open')} --jaeger URL|--tempo URL --pod [NAMESPACE/]NAME [options]

Serves the page over one recorded run, read only, until Ctrl+C. DIR holds recorded conversations of a genuine kubelet.

  --port PORT       Port to listen on, on 127.0.0.1; default: a free one.
  --session NAME    Session of DIR: X of calls-X.jsonl; default: the first.
  --jaeger URL      Read the spans of a pod from Jaeger, on whichever nodes it ran: http://localhost:16686.
  --tempo URL       The same from Tempo: http://localhost:3200.
  --pod NAME        The pod, with its namespace unless that is default: shop/web-0.
  --since TIME      How far back to read, as 30m or 24h; default: 1h.
  --no-open         Do not open the browser, only print the address.
  --no-build        Serve the page as it was last built.
${stateDirHelp}`,
  examples: [
    ['open pod.podscope', 'Show a trace file'],
    ['open packages/observer/recordings --session b', 'Show a recorded conversation of a genuine kubelet'],
    ['open --tempo http://localhost:3200 --pod shop/web-0', 'Show what relays of all nodes exported about a pod'],
    ['open latest --no-open', 'Serve the newest run without opening the browser'],
  ],
  run: (args) =>
    tellingProblems(async () => {
      const { values, positionals } = readArguments(args, options, 'open');
      const [name, ...others] = positionals;
      const traces = tracesOf(values, Date.now());
      if (traces ? name !== undefined : name === undefined || others.length > 0)
        throw new UsageError('open takes one FILE, RUN or DIR, or --jaeger or --tempo');
      if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535)
        throw new UsageError(`--port ${JSON.stringify(values.port)} is not a port number from 0 to 65535`);
      const source = traces ?? sourceOf(name ?? '', values['state-dir'], values.session);
      const page = await preparePage(!values['no-build'], () => report('Building the page…'));
      // Handle signals from now on. A signal before the viewer serves must not end the process, because the viewer's
      // directory would remain.
      const interrupted = new Promise<void>((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
      });
      try {
        const viewer = await working('Reading the run', () =>
          startViewer({ source, port: Number(values.port), pageDirectory: page, logger: createLogger('warn') }),
        );
        print(`\n  ${viewer.title}: ${viewer.events} events\n  ${viewer.url}\n`);
        if (viewer.problem)
          report(`podscope: the file is not complete: ${viewer.problem}; all events up to there are shown`);
        print('  Ctrl+C stops.');
        if (!values['no-open']) openBrowser(viewer.url, (message) => report(`podscope: ${message}`));
        await interrupted;
        await viewer.stop();
        return 0;
      } catch (error) {
        if (error instanceof StartError) throw new RunProblem(error.message, { cause: error });
        throw error;
      }
    }),
};
