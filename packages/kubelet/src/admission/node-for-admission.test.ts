/** Tests the node that admission checks when the API's node is missing, or has changed. */
import type { Node } from '@podscope/k8s';
import { background, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeApi, KubeletHarness, type KubeletHarnessOptions, newPod } from '../testing/kubelet-harness.ts';
import { admissionV136, canAdmitPod } from './admission.ts';
import { admissionV120 } from './v1-20/admission.ts';

const node = (disk: string, cpu = '4'): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-1', uid: 'n', labels: { disk } },
  status: { allocatable: { cpu, pods: '3' } },
});

const requests = (cpu: string) => [{ name: 'app', image: 'busybox', resources: { requests: { cpu } } }];

/** Admits a pod that needs an SSD on a node that had a hard disk. Returns the rejection and the decisions. */
async function admit(release: 'v1.36' | 'v1.20', fetched: Node | undefined, cpu = '1') {
  const log = new EventLog(new VirtualClock());
  const pod = newPod('web', { nodeSelector: { disk: 'ssd' }, containers: requests(cpu) });
  const ctx = background(new VirtualClock(), new Tracer(log));
  const input = { pod, others: [], node: node('hdd'), nodeName: 'node-1', fetchNode: () => Promise.resolve(fetched) };
  const rejection = await canAdmitPod(ctx, input, release === 'v1.36' ? admissionV136 : admissionV120);
  const outcomes = log
    .after(0)
    .flatMap((event) => (event.type === 'decision' && event.rule === 'admission.fetchNode' ? [event.outcome] : []));
  return { reason: rejection?.reason, outcomes };
}

const mismatch = "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector";

describe('a pod whose node selector doesn’t match', () => {
  it.each([
    ['the fetched node matches', node('ssd'), '1', undefined, ['the node matches now']],
    ['the fetched node doesn’t match either', node('hdd'), '1', 'NodeAffinity', [mismatch]],
    ['the node can’t be fetched', undefined, '1', 'NodeAffinity', ["the node can't be read"]],
    [
      'the fetched node matches but has less CPU',
      node('ssd', '0'),
      '1',
      'OutOfcpu',
      ["Node didn't have enough resource: cpu, requested: 1000, used: 0, capacity: 0"],
    ],
    ['it lacks CPU as well, so the node isn’t fetched', node('ssd'), '5', 'OutOfcpu', []],
  ] as const)('in v1.36, when %s', async (_case, fetched, cpu, reason, outcomes) => {
    expect(await admit('v1.36', fetched, cpu)).toEqual({ reason, outcomes });
  });

  it('is rejected in v1.20 without another look at the node', async () => {
    expect(await admit('v1.20', node('ssd'))).toEqual({ reason: 'NodeAffinity', outcomes: [] });
  });
});

describe('while the API has no node', () => {
  let harness: KubeletHarness;

  afterEach(() => harness.stop());

  /** Creates a pod that needs an SSD after the node object, which has one, was deleted. Returns its reason. */
  async function afterDeletion(options: KubeletHarnessOptions): Promise<string | undefined> {
    harness = new KubeletHarness(options);
    harness.api.node = node('ssd');
    await harness.start();
    harness.api.apply(newPod('first'));
    await harness.until(1);
    harness.api.node = undefined;
    harness.api.apply(newPod('web', { nodeSelector: { disk: 'ssd' } }));
    await harness.until(15);
    return harness.status('web').reason;
  }

  it('checks the node that v1.36 has read last', async () => {
    expect(await afterDeletion({ profile: 'v1.36' })).toBeUndefined();
    expect(harness.status('web').phase).toBe('Running');
  });

  it('checks a node without the API’s labels in v1.20', async () => {
    expect(await afterDeletion({ profile: 'v1.20' })).toBe('NodeAffinity');
  });

  it.each(['v1.36', 'v1.20'] as const)('admits a pod that needs no labels in %s', async (profile) => {
    const api = new FakeApi();
    api.node = undefined;
    harness = new KubeletHarness({ profile, api });
    await harness.start();
    harness.api.apply(newPod('web'));
    await harness.until(15);
    expect(harness.status('web').phase).toBe('Running');
  });
});
