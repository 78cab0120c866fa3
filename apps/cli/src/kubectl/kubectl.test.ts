/**
 * Tests the kubectl plugin against a fake API server with recorded responses, and against Podscope's own API server.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@podscope/command-line';
import { readSnapshots } from '@podscope/pod-snapshot';
import { createLogger, parseCommandLine, startServer } from '@podscope/server/embed';
import { openTraceFile } from '@podscope/trace/file';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { commands } from '../commands.ts';
import { kubectlCommands } from './commands.ts';
import { complete } from './complete.ts';
import { wrap } from './report.ts';
import { continuation } from './sim.ts';
import { type RecordedApi, recordedCase, startRecordedApi } from './testing/recorded-api.ts';
import { startArguments } from './watch.ts';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the plugin in this process. */
async function kubectlPodscope(name: string, ...args: string[]): Promise<Outcome> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void stdout.push(line));
  const error = vi.spyOn(console, 'error').mockImplementation((line: string) => void stderr.push(line));
  try {
    const command = await kubectlCommands[name]?.load();
    const code = await (command?.run(args) ?? Promise.resolve(-1)).catch((reason: unknown) => {
      if (!(reason instanceof UsageError)) throw reason;
      stderr.push(reason.message);
      return 2;
    });
    return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

let api: RecordedApi;
beforeAll(async () => {
  api = await startRecordedApi(
    'first-ten/16-exit1-stacktrace',
    'first-ten/12-image-401',
    'first-ten/03-pvc-unbound',
    'tuned/186-restarted-long-ago',
  );
});
afterAll(() => api.dispose());
beforeEach(() => {
  api.requests.length = 0;
  api.answers.clear();
  api.answers.set('/api/v1/nodes/worker-3', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
});

const orders = 'orders-6c8d7f9b5-4n6tr';
/** Returns a recorded case in the format that `kubectl get pod,events` prints. */
const listOfCase = (name: string) => {
  const { pod, events } = recordedCase(name);
  return { apiVersion: 'v1', kind: 'List', items: [pod, ...events] };
};
const at = (...words: string[]): string[] => [...words, '--kubeconfig', api.kubeconfig];

describe('kubectl podscope why', () => {
  it('names in its help the call of the program that has the command', async () => {
    const [ofPlugin, ofPodscope] = await Promise.all([kubectlCommands['why']?.load(), commands['why']?.load()]);
    expect(ofPlugin?.help).toMatch(/^Usage: kubectl podscope why POD /);
    expect(ofPlugin?.help).toContain('Without the plugin, npx -y pnpm@12 podscope why takes the same arguments.');
    expect(ofPodscope?.help).toMatch(/^Usage: npx -y pnpm@12 podscope why POD /);
    expect(ofPodscope?.help).toContain('The plugin of kubectl, kubectl podscope why, takes the same arguments.');
  });

  it('prints cause, evidence, outlook and remedy of a pod in the namespace of the context', async () => {
    const { code, stdout } = await kubectlPodscope('why', ...at(orders));
    expect(code).toBe(0);
    expect(stdout).toContain('✗ orders can’t resolve the host orders-db');
    expect(stdout).toMatch(/Evidence\n.*exitCode: 1/);
    expect(stdout).toMatch(/What happens next\n/);
    expect(stdout).toContain('kubectl get svc orders-db -n shop');
    expect(stdout).not.toContain('\u001b');
    expect(api.requests.every((request) => request.startsWith('GET '))).toBe(true);
  });

  it('follows owners up to the Deployment, and reads the node and the log of the last attempt', async () => {
    const reference = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'orders-v2', controller: true };
    api.answers.set('/apis/apps/v1/namespaces/shop/replicasets/orders-6c8d7f9b5', {
      metadata: { ownerReferences: [reference] },
    });
    api.answers.set('/apis/apps/v1/namespaces/shop/deployments/orders-v2', {
      metadata: {},
      spec: { replicas: 3 },
      status: { replicas: 3, updatedReplicas: 1, availableReplicas: 2 },
    });
    api.answers.set(`/api/v1/namespaces/shop/pods/${orders}/log`, 'FATAL: starting\n');
    const { stdout } = await kubectlPodscope('why', ...at(orders));
    expect(stdout).toContain('kubectl -n shop edit deployment/orders-v2');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Meanwhile 2 of the 3 pods that Deployment orders-v2 wants are available.',
    );
    expect(stdout).not.toContain('Not read');
    expect(api.requests.some((request) => request.includes('/log?') && request.includes('previous=true'))).toBe(true);
  });

  it('reports that the node does not answer when its condition is not Ready', async () => {
    api.answers.set('/api/v1/nodes/worker-3', {
      status: { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }] },
    });
    const { stdout } = await kubectlPodscope('why', ...at(orders));
    expect(stdout).toContain('✗ Node worker-3 doesn’t answer');
  });

  it('names the objects that the user may not read and diagnoses the rest', async () => {
    api.answers.set('/api/v1/nodes/worker-3', 403);
    const { code, stdout } = await kubectlPodscope('why', ...at(orders));
    expect(code).toBe(0);
    expect(stdout).toMatch(/Not read: node worker-3: /);
    expect(stdout).toContain('orders-db');
  });

  it('names the events that the user may not list, as text and as JSON', async () => {
    api.answers.set('/api/v1/namespaces/shop/events', 403);
    const { code, stdout } = await kubectlPodscope('why', ...at(orders));
    expect(code).toBe(0);
    expect(stdout).toMatch(/Not read: events: .*forbidden/s);
    const json = await kubectlPodscope('why', ...at(orders, '-o', 'json'));
    expect(JSON.parse(json.stdout)).toMatchObject([
      { missing: expect.arrayContaining([expect.stringMatching(/^events: .*forbidden/)]) as string[] },
    ]);
  });

  it('names the events of all namespaces once if the user may not list them', async () => {
    api.answers.set('/api/v1/events', 403);
    const { stdout } = await kubectlPodscope('why', ...at('-A'));
    expect(stdout.match(/Not read: events: /g)).toHaveLength(1);
  });

  it('lists the pods with a problem of all namespaces, or of a selector, and counts them', async () => {
    const all = await kubectlPodscope('why', ...at('-A'));
    expect(all.stdout).toContain('3 of 4 pods have a problem.');
    expect(all.stdout).not.toContain('web/stable-');
    const selected = await kubectlPodscope('why', ...at('-l', 'app.kubernetes.io/name=orders'));
    expect(selected.stdout).toContain('1 of 1 pods have a problem.');
  });

  it('honors -n and --context, and prints JSON', async () => {
    const { stdout } = await kubectlPodscope(
      'why',
      ...at('billing-6d5f8b7c9-zz4kd', '--context', 'other', '-o', 'json'),
    );
    expect(JSON.parse(stdout)).toMatchObject([
      {
        pod: { namespace: 'fin', name: 'billing-6d5f8b7c9-zz4kd' },
        status: 'ImagePullBackOff',
        diagnoses: [
          { reason: 'ImagePullBackOff', origin: 'configuration', certainty: 'certain', container: 'billing' },
        ],
      },
    ]);
    const same = await kubectlPodscope('why', ...at('pod/billing-6d5f8b7c9-zz4kd', '-n', 'fin'));
    expect(same.stdout).toContain('imagePullSecrets');
  });

  it('reports a missing pod, context, cluster or argument in one line', async () => {
    expect(await kubectlPodscope('why', ...at('nobody'))).toMatchObject({
      code: 1,
      stderr: 'kubectl podscope: pods "nobody" not found',
    });
    expect(await kubectlPodscope('why', ...at('x', '--context', 'moon'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--context "moon"'),
    });
    expect(await kubectlPodscope('why', 'x', '--kubeconfig', '/nowhere')).toMatchObject({ code: 1 });
    expect(await kubectlPodscope('why', ...at())).toMatchObject({ code: 2, stderr: 'why takes one POD' });
    expect(await kubectlPodscope('why', ...at('x', '-A'))).toMatchObject({ code: 2 });
    expect(await kubectlPodscope('why', ...at('x', '-o', 'wide'))).toMatchObject({ code: 2 });
  });
});

describe('kubectl podscope record', () => {
  it('writes the history of a pod up to its deletion to a trace file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'podscope-record-'));
    const file = join(directory, 'orders.podscope');
    try {
      const recording = kubectlPodscope('record', ...at(orders, '-o', file));
      await vi.waitFor(() => expect(api.requests.filter((request) => request.includes('watch=true'))).toHaveLength(2), {
        timeout: 120_000,
      });
      api.send('pods', { type: 'DELETED', object: recordedCase('first-ten/16-exit1-stacktrace').pod });
      const { code, stdout } = await recording;
      expect(code).toBe(0);
      expect(stdout).toMatch(/^recorded \d+ events in .*orders\.podscope$/);
      const bytes = await readFile(file);
      const { header, events } = await openTraceFile(new Blob([bytes]).stream());
      expect(header.run.title).toBe(`shop/${orders}`);
      const types: string[] = [];
      for await (const batch of events) types.push(...batch.map(({ type }) => type));
      expect(types).toEqual(expect.arrayContaining(['podChanged', 'kubernetesEvent', 'runtimeStateChanged']));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('needs a file and a duration that can be read', async () => {
    expect(await kubectlPodscope('record', ...at(orders))).toMatchObject({ code: 2, stderr: 'record needs -o FILE' });
    expect(await kubectlPodscope('record', ...at(orders, '-o', 'x', '--for', 'soon'))).toMatchObject({ code: 2 });
    expect(await kubectlPodscope('record', ...at('nobody', '-o', 'x'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('pod shop/nobody not found'),
    });
  });
});

describe('kubectl podscope sim and watch', () => {
  it('prints what the simulated kubelet does next, or that another component decides it', async () => {
    const crash = await kubectlPodscope('sim', ...at(orders, '--for', '20m'));
    expect(crash.stdout).toMatch(/orders starts \(restart 1\d\)/);
    const pending = await kubectlPodscope('sim', ...at('queue-0'));
    expect(pending.stdout).toContain('Something outside of the kubelet decides');
  });

  it('continues the pod in the page from a file without secrets', async () => {
    const snapshot = readSnapshots(JSON.stringify(listOfCase('first-ten/16-exit1-stacktrace'))).snapshots[0];
    if (!snapshot) throw new Error('no pod');
    const words = await continuation(snapshot, { profile: 'v1.36', port: undefined, isHidden: true });
    expect(words).toContain('--snapshot');
    expect(words).not.toContain('--open');
    const again = readSnapshots(await readFile(words[1] ?? '', 'utf8'));
    expect(again.errors).toEqual([]);
    expect(again.snapshots[0]?.pod).toEqual(snapshot.pod);
    expect(again.snapshots[0]?.events).toEqual(snapshot.events);
  });

  it('starts the page over the namespace of the context, or over all namespaces', () => {
    expect(startArguments(at('--no-open'))).toEqual([
      '--kubeconfig',
      api.kubeconfig,
      '--context',
      'test',
      '--namespace',
      'shop',
    ]);
    expect(startArguments(at('-A', '--port', '4500'))).toEqual([
      '--kubeconfig',
      api.kubeconfig,
      '--context',
      'test',
      '--port',
      '4500',
      '--open',
    ]);
  });
});

describe('kubectl_complete-podscope', () => {
  it.each([
    [['w'], ['why', 'watch']],
    [['why', 'ord'], [orders]],
    [['why', '-n', 'fin', ''], ['billing-6d5f8b7c9-zz4kd']],
    [['why', '--all'], ['--all-namespaces']],
    [
      ['why', '-o', ''],
      ['text', 'json'],
    ],
    [
      ['why', '--context', ''],
      ['test', 'other'],
    ],
    [['sim', '--profile', 'v1.2'], ['v1.20']],
  ])('completes %j', async (words, expected) => {
    const [first, ...rest] = words;
    const line = words.length === 1 ? words : [first ?? '', '--kubeconfig', api.kubeconfig, ...rest];
    expect(await complete(line)).toEqual({ words: expected, directive: 4 });
  });

  it.each([
    [['why', 'deploy'], ['deployment/', 'deploy/'], 6],
    [['why', 'sta'], ['statefulset/'], 6],
    [['why', 'deployment/'], ['deployment/orders', 'deployment/web'], 4],
    [['why', 'deploy/o'], ['deploy/orders'], 4],
    [['why', 'deploy', 'w'], ['web'], 4],
    [['why', 'cronjob/'], ['cronjob/nightly'], 4],
    [['why', `pod/${orders.slice(0, 9)}`], [`pod/${orders}`], 4],
    [['why', 'service/'], [], 4],
    [['why', '-l', ''], [], 4],
    [['sim', 'deploy'], [], 4],
    [['sim', 'deploy/'], [], 4],
  ])('completes the controllers of %j', async (words, expected, directive) => {
    const named = (...names: string[]) => ({ items: names.map((name) => ({ metadata: { name } })) });
    api.answers.set('/apis/apps/v1/namespaces/shop/deployments', named('orders', 'web'));
    api.answers.set('/apis/batch/v1/namespaces/shop/cronjobs', named('nightly'));
    const [first = '', ...rest] = words;
    expect(await complete([first, '--kubeconfig', api.kubeconfig, ...rest])).toEqual({ words: expected, directive });
  });

  it('completes nothing when the user may not list the controllers', async () => {
    api.answers.set('/apis/apps/v1/namespaces/shop/daemonsets', 403);
    expect(await complete(['why', '--kubeconfig', api.kubeconfig, 'ds/'])).toEqual({ words: [], directive: 4 });
  });

  it('completes file names with the shell, and prints nothing when the cluster does not answer', async () => {
    expect(await complete(['record', 'web', '-o', ''])).toEqual({ words: [], directive: 0 });
    expect(await complete(['why', '--kubeconfig', '/nowhere', 'x'])).toEqual({ words: [], directive: 4 });
  });
});

describe('against our own API server', () => {
  it('diagnoses a crashing pod over TLS', async () => {
    const stateDir = await mkdtemp(join(tmpdir(), 'podscope-kubectl-own-'));
    const line = parseCommandLine(['--runtime', 'sim', '--port', '0', '--state-dir', stateDir]);
    if (line.action !== 'serve') throw new Error('the arguments do not start a server');
    const server = await startServer(line.options, {
      logger: createLogger('silent'),
      notify: () => undefined,
      preparePage: () => Promise.resolve(undefined),
    });
    try {
      await server.nodeHost.commands.apply(
        'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, image: ' +
          '"busybox:1.36", command: [sh, -c, "exit 3"]}]}\n',
      );
      await vi.waitFor(
        async () => {
          const { stdout } = await kubectlPodscope('why', 'web', '--kubeconfig', server.kubeconfigPath);
          expect(stdout).toContain('✗ app exits with code 3');
          expect(stdout).toContain('kubectl logs web');
        },
        { timeout: 120_000, interval: 500 },
      );
    } finally {
      await server.stop();
      await rm(stateDir, { recursive: true, force: true });
    }
  });
});

it('wraps words at the width and keeps long words whole', () => {
  expect(wrap('one two three', 9, '  ')).toEqual(['  one two', '  three']);
  expect(wrap('extraordinary', 4, '')).toEqual(['extraordinary']);
});
