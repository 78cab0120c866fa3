/**
 * Records the pods with which `packages/pod-snapshot` is tested: `pnpm record-pods`, with a Docker engine and kubectl,
 * in about seven minutes. It starts a node on Docker, applies the pods of `lib/recorded-pods.ts`, and records two
 * things for each: kubectl's output at that instant, and the later events of the engine and the pod, observed from
 * outside. Arguments limit the recording to the named pods; `--to DIR` writes to another directory.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { recordedPods } from './lib/recorded-pods.ts';
import { must } from './lib/run.ts';

const root = resolve(import.meta.dirname, '..');
/** Duration of the whole recording, in seconds. */
const observed = 430;
/** Delay between the starts of two pods, in milliseconds, so that the engine's work for one doesn't delay the other. */
const stagger = 3_000;

/** An observation with its time. */
interface Seen {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly pod: string;
  readonly what: string;
}

const engineEvent = z.looseObject({
  Action: z.string(),
  timeNano: z.number(),
  Actor: z.looseObject({ Attributes: z.record(z.string(), z.string()) }),
});

/**
 * Calls a function with each line that a program prints.
 * @returns a function that ends the program
 */
function follow(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  see: (line: string) => void,
): () => void {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) see(line);
  });
  return () => child.kill('SIGINT');
}

/** Parses the engine's events about a pod's containers: created, started, signalled, exited. */
function readEngineEvent(line: string): Seen | undefined {
  const { Action: action, timeNano, Actor } = engineEvent.parse(JSON.parse(line));
  const {
    'io.kubernetes.container.name': container = 'POD',
    'io.kubernetes.pod.name': pod,
    name = '',
    exitCode,
    signal,
  } = Actor.Attributes;
  if (!pod || !/^(?:create|start|kill|die)$/.test(action)) return undefined;
  const detail = action === 'die' ? ` ${exitCode}` : action === 'kill' ? ` ${signal}` : '';
  return { at: timeNano / 1e6, pod, what: `${action} ${container}/${name.split('_').at(-1)}${detail}` };
}

const separator = ' | ';
const columns = (...paths: string[]): string[] => [
  '--output-watch-events',
  '-o',
  `jsonpath=${paths.map((path) => `{${path}}`).join(separator)}{"\\n"}`,
];

async function startNode(
  stateDir: string,
): Promise<{ readonly env: NodeJS.ProcessEnv; readonly stop: () => Promise<void> }> {
  const args = ['apps/server/src/main.ts', '--runtime', 'docker', '--port', '0', '--state-dir', stateDir, '--no-build'];
  const server = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((done) => server.once('exit', () => done()));
  const env = { ...process.env, KUBECONFIG: join(stateDir, 'kubeconfig') };
  const isUp = (): Promise<boolean> =>
    must('kubectl', ['get', 'nodes'], { env }).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) {
    if (server.exitCode !== null) throw new Error('the node did not start');
    await delay(500);
  }
  return {
    env,
    stop: async () => {
      server.kill('SIGINT');
      await ended;
    },
  };
}

async function main(): Promise<void> {
  const { values, positionals: names } = parseArgs({ options: { to: { type: 'string' } }, allowPositionals: true });
  const folder = resolve(values.to ?? join(root, 'packages/pod-snapshot/src/testing/snapshots'));
  const pods = recordedPods.filter(({ name }) => names.length === 0 || names.includes(name));
  const stateDir = await mkdtemp(join(tmpdir(), 'podscope-record-'));
  const { env, stop } = await startNode(stateDir);
  const seen: Seen[] = [];
  const instance = (await readFile(join(stateDir, 'instance'), 'utf8').catch(() => '')).trim();
  const filter = instance ? ['--filter', `label=io.podscope.instance=${instance}`] : [];
  const endings = [
    follow('docker', ['events', '--filter', 'type=container', ...filter, '--format', '{{json .}}'], env, (line) => {
      const event = readEngineEvent(line);
      if (event) seen.push(event);
    }),
    follow(
      'kubectl',
      [
        'get',
        'events',
        '-w',
        ...columns('.object.involvedObject.name', '.object.involvedObject.fieldPath', '.object.reason'),
      ],
      env,
      (line) => {
        const [pod = '', path = '', what = ''] = line.split(separator);
        const container = /\{(.+)\}/.exec(path)?.[1];
        if (what) seen.push({ at: Date.now(), pod, what: `event ${what}${container ? ` ${container}` : ''}` });
      },
    ),
    follow(
      'kubectl',
      ['get', 'pods', '-w', ...columns('.type', '.object.metadata.name', '.object.status.phase')],
      env,
      (line) => {
        const [type = '', pod = '', phase = ''] = line.split(separator);
        const what = type === 'DELETED' ? 'gone' : `phase ${phase}`;
        const last = seen.findLast((entry) => entry.pod === pod && /^(?:phase|gone)/.test(entry.what));
        if (last?.what !== what) seen.push({ at: Date.now(), pod, what });
      },
    ),
  ];
  const kubectl = (args: readonly string[], input?: string): Promise<string> =>
    must('kubectl', args, { env, ...(input !== undefined && { input }) });
  let until = Number.POSITIVE_INFINITY;
  const looks: { readonly file: string; readonly pod: string; readonly at: number }[] = [];
  try {
    await kubectl(['create', 'configmap', 'settings', '--from-literal=level=debug']);
    const begin = Date.now();
    const lives = pods.map(async ({ name, spec, metadata, looks: wanted }, index) => {
      await delay(index * stagger);
      await kubectl(
        ['apply', '-f', '-'],
        JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata }, spec }),
      );
      const applied = Date.now();
      for (const look of wanted) {
        await delay(Math.max(0, applied + look.after * 1_000 - Date.now()));
        if (look.first) await kubectl(look.first);
        if (look.as === undefined) continue;
        const at = Date.now();
        let text = await kubectl(['get', 'pod', name, '-o', look.as === 'json' ? 'json' : 'yaml']);
        if (look.as === 'events') {
          const ofPod = ['--field-selector', `involvedObject.name=${name}`];
          text += `---\n${await kubectl(['get', 'events', '-o', 'yaml', ...ofPod])}`;
        }
        const file = look === wanted.find(({ as }) => as !== undefined) ? name : `${name}-at-${look.after}`;
        await writeFile(join(folder, `${file}.${look.as === 'json' ? 'json' : 'yaml'}`), text);
        looks.push({ file, pod: name, at });
      }
    });
    await Promise.all(lives);
    await delay(Math.max(0, begin + observed * 1_000 - Date.now()));
  } finally {
    until = Date.now();
    for (const end of endings) end();
    await stop();
    await rm(stateDir, { recursive: true, force: true });
  }
  for (const { file, pod, at } of looks) {
    const next = seen
      .filter((entry) => entry.pod === pod && entry.at > at && entry.at <= until)
      .toSorted((a, b) => a.at - b.at)
      .map(({ at: time, what }) => `+${((time - at) / 1_000).toFixed(1)} ${what}`);
    await writeFile(
      join(folder, `${file}.next.txt`),
      `taken ${new Date(at).toISOString()}\nuntil +${((until - at) / 1_000).toFixed(1)}\n${next.join('\n')}\n`,
    );
  }
}

await main();
