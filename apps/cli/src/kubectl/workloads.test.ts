/** Tests `kubectl podscope why KIND/NAME` against a fake API server. */
import { UsageError } from '@podscope/command-line';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { kubectlCommands } from './commands.ts';
import { type RecordedApi, recordedCase, startRecordedApi } from './testing/recorded-api.ts';
import { workloadName } from './workloads.ts';

type Fields = Readonly<Record<string, unknown>>;

let api: RecordedApi;
beforeAll(async () => {
  api = await startRecordedApi('first-ten/16-exit1-stacktrace');
});
afterAll(() => api.dispose());
beforeEach(() => {
  api.answers.clear();
  api.answers.set('/api/v1/nodes/worker-3', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
});

async function why(...words: string[]): Promise<{ readonly code: number; readonly stdout: string }> {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const error = vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  try {
    const command = await kubectlCommands['why']?.load();
    const code = await (command?.run([...words, '--kubeconfig', api.kubeconfig]) ?? Promise.resolve(-1)).catch(
      (reason: unknown) => {
        if (!(reason instanceof UsageError)) throw reason;
        return 2;
      },
    );
    return { code, stdout: lines.join('\n') };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

const apps = '/apis/apps/v1/namespaces/shop';
const replicaSet = 'orders-6c8d7f9b5';

/**
 * Sets the responses for the Deployment `orders` with one ReplicaSet. The ReplicaSet owns the recorded pod if `hasPod`
 * is true.
 */
function deploy(status: Fields, message?: string, spec: Fields = {}, hasPod = true): void {
  const { pod } = recordedCase('first-ten/16-exit1-stacktrace');
  const [reference] = (pod['metadata'] as { readonly ownerReferences: readonly Fields[] }).ownerReferences;
  api.answers.set(`${apps}/deployments/orders`, {
    kind: 'Deployment',
    metadata: { name: 'orders', uid: 'd-1', generation: 2 },
    spec: {
      replicas: 3,
      progressDeadlineSeconds: 600,
      selector: { matchLabels: { 'app.kubernetes.io/name': 'orders' } },
      ...spec,
    },
    status: { observedGeneration: 2, readyReplicas: 1, ...status },
  });
  api.answers.set(`${apps}/replicasets`, {
    items: [
      {
        metadata: {
          name: replicaSet,
          uid: hasPod ? reference?.['uid'] : 'other',
          creationTimestamp: '2026-11-20T08:00:00Z',
          ownerReferences: [{ kind: 'Deployment', name: 'orders', uid: 'd-1' }],
        },
      },
    ],
  });
  if (message !== undefined)
    api.answers.set('/api/v1/namespaces/shop/events', {
      items: [
        {
          type: 'Warning',
          reason: 'FailedCreate',
          message,
          count: 14,
          firstTimestamp: '2026-11-20T08:00:00Z',
          lastTimestamp: '2026-11-20T08:10:00Z',
          involvedObject: { kind: 'ReplicaSet', name: replicaSet, uid: 'other' },
        },
      ],
    });
}

const forbidden = `Error creating: pods "${replicaSet}-" is forbidden: `;

describe('kubectl podscope why deployment/NAME', () => {
  it.each([
    [
      'quota',
      `${forbidden}exceeded quota: team, requested: requests.cpu=2, used: requests.cpu=9, limited: requests.cpu=10`,
      /ResourceQuota team of namespace shop is used\s+up/,
      'kubectl -n shop describe quota team',
    ],
    [
      'quota that demands values',
      `${forbidden}failed quota: team: must specify limits.memory for: app`,
      /demands that each container sets/,
      'kubectl -n shop edit deployment/orders',
    ],
    [
      'Pod Security',
      `${forbidden}violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false`,
      /enforces the level\s+restricted:latest/,
      'kubectl get namespace shop --show-labels',
    ],
    [
      'refusal of a webhook',
      'Error creating: admission webhook "validate.kyverno.svc-fail" denied the request: images must be signed',
      /images must be signed/,
      'kubectl -n shop edit deployment/orders',
    ],
    [
      'webhook that is down',
      'Error creating: Internal error occurred: failed calling webhook "sidecar.istio.io": Post "https://istiod.istio-system.svc:443/inject": dial tcp 10.96.3.4:443: connect: connection refused',
      /can’t\s+reach it/,
      'kubectl -n istio-system get pods,endpointslices',
    ],
    [
      'LimitRange',
      `${forbidden}maximum memory usage per Container is 1Gi, but limit is 4Gi`,
      /maximum memory usage/,
      'kubectl -n shop describe limitranges',
    ],
    [
      'missing service account',
      `${forbidden}error looking up service account shop/orders: serviceaccount "orders" not found`,
      /names the service account\s+orders/,
      'kubectl -n shop create serviceaccount orders',
    ],
  ])('explains that the ReplicaSet can’t create pods: %s', async (_name, message, cause, command) => {
    deploy({}, message, {}, false);
    const { code, stdout } = await why('deployment/orders');
    expect(code).toBe(0);
    expect(stdout).toContain('shop/orders (Deployment): 1 of 3 ready, 0 pods');
    expect(stdout).toMatch(cause);
    expect(stdout).toContain('FailedCreate (14 times)');
    expect(stdout).toContain(command);
  });

  it('explains a rollout past its deadline with the problems of its pods', async () => {
    deploy({
      conditions: [
        {
          type: 'Progressing',
          status: 'False',
          reason: 'ProgressDeadlineExceeded',
          message: `ReplicaSet "${replicaSet}" has timed out progressing.`,
        },
      ],
    });
    const { stdout } = await why('deploy', 'orders');
    expect(stdout).toContain('✗ The rollout of Deployment orders doesn’t get on');
    expect(stdout).toContain('kubectl -n shop rollout undo deployment/orders');
    expect(stdout).toContain('✗ orders can’t resolve the host orders-db');
    expect(stdout).toContain('1 of 1 pods have a problem.');
  });

  it('reports that a paused Deployment or one with 0 replicas creates no pods, as JSON too', async () => {
    deploy({}, undefined, { paused: true, replicas: 0 }, false);
    const { stdout } = await why('deploy/orders', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      owner: { kind: 'Deployment', namespace: 'shop', name: 'orders' },
      diagnoses: [{ reason: 'Paused' }, { reason: 'ScaledToZero' }],
      pods: [],
    });
  });

  it('explains why a Job has failed permanently', async () => {
    api.answers.set('/apis/batch/v1/namespaces/shop/jobs/load', {
      metadata: { name: 'load', uid: 'j-1' },
      spec: { backoffLimit: 2, selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'j-1' } } },
      status: {
        failed: 3,
        conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'Job has reached …' }],
      },
    });
    const { stdout } = await why('job/load');
    expect(stdout).toContain('0 active, 0 succeeded, 3 failed');
    expect(stdout).toMatch(/more often than backoffLimit \(2\)/);
  });

  it('reports a controller that doesn’t exist', async () => {
    expect(await why('sts/none')).toMatchObject({ code: 1 });
  });
});

it.each([
  [['deploy/web'], 'Deployment'],
  [['deployments.apps', 'web'], 'Deployment'],
  [['deployments', 'web'], 'Deployment'],
  [['rs/web'], 'ReplicaSet'],
  [['sts', 'web'], 'StatefulSet'],
  [['ds/web'], 'DaemonSet'],
  [['cj/web'], 'CronJob'],
  [['pod/web'], undefined],
  [['web'], undefined],
])('accepts %j like kubectl', (words, kind) => {
  expect(workloadName(words)?.type.kind).toBe(kind);
});
