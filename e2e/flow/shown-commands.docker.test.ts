/**
 * Executes the command lines in the documentation in a shell, as scripts/docs/executions.ts specifies. Runs only in the
 * long tier.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubectlPaths } from '../../apps/server/src/testing/kubectl.ts';
import { blocksOf, pageText } from '../../scripts/docs/example-edits.ts';
import { type Execution, executions } from '../../scripts/docs/executions.ts';
import { shownLines } from '../../scripts/docs/shown-lines.ts';
import { type Serving, type ShownShell, startShownShell } from '../support/shown-shell.ts';

type Executed = Extract<Execution, { readonly prints: RegExp } | { readonly serves: RegExp }>;

const pod = (name: string, command: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: web } }
spec:
  terminationGracePeriodSeconds: 0
  restartPolicy: Never
  containers: [{ name: app, image: 'busybox:1.36', command: [sh, -c, '${command}'] }]
`;

/** The files that the pages name. */
const files: Readonly<Record<string, string>> = {
  'pod.yaml': pod('web', 'sleep 2'),
  'web.yaml': pod('web', 'sleep 3600'),
  'failing.yaml': pod('web', 'exit 1'),
  'events.yaml': 'apiVersion: v1\nkind: List\nitems: []\n',
  'node.yaml': 'images: [busybox:1.36]\n',
  'pods/static.yaml': pod('static', 'sleep 3600'),
  'flaky.yaml':
    blocksOf(pageText('use/debugging.md')).find(({ text }) => text.startsWith('name: flaky-registry'))?.text ?? '',
};

/**
 * The command lines of the documentation that the long tier executes. Each is included once, in the order of the table.
 */
const lines = [...new Set(shownLines().map(({ line }) => line))]
  .flatMap((line): readonly { readonly line: string; readonly execution: Executed; readonly rank: number }[] => {
    const rank = executions.findIndex(([pattern]) => pattern.test(line));
    const execution = executions[rank]?.[1];
    return execution && ('prints' in execution || 'serves' in execution) ? [{ line, execution, rank }] : [];
  })
  .toSorted((a, b) => a.rank - b.rank);

const needs = (beside: 'cluster' | 'cri' | undefined) => lines.filter(({ execution }) => execution.beside === beside);

let shell: ShownShell;

/**
 * Runs a command line on which executed lines depend.
 * @throws Error with its output if it fails
 */
async function prepare(line: string): Promise<void> {
  const { code, output } = await shell.run(line);
  if (code !== 0) throw new Error(`${line} ended with code ${code}:\n${output}`);
}

/** Returns a shell loop that waits until pods have these phases. `kubectl wait` of v1.20 can't wait for a phase. */
const untilPhases = (what: string, phases: string, path: string): string =>
  `until [ "$(kubectl get ${what} -o jsonpath='${path}')" = "${phases}" ]; do sleep 0.2; done`;

beforeAll(async () => {
  shell = await startShownShell(files, kubectlPaths.at(-1) ?? 'kubectl');
  const openssl = 'openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem';
  for (const line of [openssl, 'npx -y pnpm@12 podscope run pod.yaml --runtime sim --record pod.podscope'])
    await prepare(line);
});
afterAll(() => shell.dispose());

/** Executes a command line. Returns its output, and whether it ended as expected. */
async function execute(line: string, execution: Executed): Promise<{ readonly output: string; readonly end: unknown }> {
  const typed = execution.as ?? line;
  if ('serves' in execution) {
    const { code, signal, output } = await (await shell.serve(typed, execution.serves)).interrupt();
    // A signal ends kubectl; a watch then exits with code 1.
    const isExpected = signal === 'SIGINT' || [0, 130].includes(code ?? -1) || typed.startsWith('kubectl get ');
    return { output, end: isExpected ? 'as expected' : (signal ?? code) };
  }
  const { code, signal, output } = await shell.run(typed);
  return { output, end: code === (execution.code ?? 0) ? 'as expected' : (signal ?? code) };
}

const expectedOf = (execution: Executed) => ({
  output: expect.stringMatching('serves' in execution ? execution.serves : execution.prints) as unknown,
  end: 'as expected',
});

describe('beside a CRI server', () => {
  let server: Serving;

  beforeAll(async () => {
    server = await shell.serve('npx -y pnpm@12 cri --listen unix:///run/podscope/cri.sock', /unix:\/\//);
  });
  afterAll(() => server.interrupt());

  it.each(needs('cri'))('$line', async ({ line, execution }) => {
    expect(await execute(line, execution)).toEqual(expectedOf(execution));
  });
});

// Commands that use the latest run find the run of this node.
describe('beside a node that kubectl reaches', () => {
  let node: Serving;

  beforeAll(async () => {
    node = await shell.serve('npx -y pnpm@12 start --runtime sim --port 0', /Ctrl\+C stops/);
    const kubeconfig = await readFile(join(shell.home, '.local/state/podscope/kubeconfig'), 'utf8');
    const [, context = ''] = /current-context: (\S+)/.exec(kubeconfig) ?? [];
    await writeFile(join(shell.home, '.kube/config'), kubeconfig);
    for (const line of [
      `kubectl config rename-context ${context} staging`,
      'kubectl create namespace shop',
      'kubectl apply -n shop -f failing.yaml',
      'sed "s/name: web,/name: web-5c9d8b7f6-x2v7n,/" failing.yaml | kubectl apply -n shop -f -',
      'sed "s/name: web,/name: orders-6c8d7f9b5-4n6tr,/" failing.yaml | kubectl apply -n shop -f -',
      'sed "s/name: web,/name: web-broken,/" failing.yaml | kubectl apply -f -',
      'kubectl apply -f web.yaml',
      'kubectl wait --for=condition=Ready pod/web --timeout=120s',
      untilPhases('pod web-broken', 'Failed', '{.status.phase}'),
      untilPhases('pods -n shop', 'Failed Failed Failed', '{.items[*].status.phase}'),
    ])
      await prepare(line);
  });
  afterAll(() => node.interrupt());

  it.each(needs('cluster'))('$line', async ({ line, execution }) => {
    expect(await execute(line, execution)).toEqual(expectedOf(execution));
  });
});

it.each(needs(undefined))('$line', async ({ line, execution }) => {
  expect(await execute(line, execution)).toEqual(expectedOf(execution));
});
