/** Tests what the diagnosis says about taints of the selected nodes, and about requests larger than the nodes. */
import { describe, expect, it } from 'vitest';
import { firstDiagnosis } from '../../testing/first-diagnosis.ts';

function diagnosisOf(message: string, spec: object) {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { containers: [{ name: 'app', image: 'app:1', resources: { requests: { cpu: '64' } } }], ...spec },
    status: {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
    },
  };
  return firstDiagnosis([pod]);
}

describe('the diagnosis of a taint', () => {
  const taints = (taint: string) =>
    `0/5 nodes are available: 2 node(s) had untolerated taint {${taint}}, ` +
    "3 node(s) didn't match Pod's node affinity/selector.";

  it.each([
    ['sku: gpu', { agentpool: 'gpunp' }],
    ['cloud.google.com/gke-spot: true', { 'cloud.google.com/gke-spot': 'true' }],
    ['dedicated: ml', { pool: 'ml-large' }],
  ])(
    'asks for the toleration of %s, and not for further nodes, if the selector names such nodes',
    (taint, nodeSelector) => {
      const { cause, remedies } = diagnosisOf(taints(taint), { nodeSelector });
      expect(cause).toMatch(/most likely they are those that it asks for/);
      expect(remedies).toMatch(/add a toleration/);
      expect(remedies).not.toMatch(/Add nodes|kubectl label node/);
    },
  );

  it('leaves open which nodes are meant if taint and selector have no word in common', () => {
    const { cause } = diagnosisOf(taints('team: blue'), { nodeSelector: { disk: 'ssd' } });
    expect(cause).toMatch(/they may be those/);
  });

  it('doesn’t suggest to tolerate the taint of system nodes', () => {
    const { remedies } = diagnosisOf(taints('CriticalAddonsOnly: true'), { nodeSelector: { disk: 'ssd' } });
    expect(remedies).not.toMatch(/toleration/);
  });
});

describe('the diagnosis of a taint that the message doesn’t name', () => {
  const message = (nodes: number, all: number) =>
    `0/${all} nodes are available: ${nodes} node(s) had untolerated taint(s), ${all - nodes} node(s) didn't have ` +
    'free ports for the requested pod ports. no new claims to deallocate, preemption: 0/4 nodes are available.';

  it('takes few tainted nodes for the control plane, and asks for no toleration', () => {
    const { cause, remedies } = diagnosisOf(message(1, 4), { nodeSelector: { 'kubernetes.io/os': 'linux' } });
    expect(cause).toMatch(/One node has a taint.*doesn’t name the taint.*node of the control plane/);
    expect(cause).not.toMatch(/untolerated|nodeSelector/);
    expect(remedies).toMatch(/See the taints of the nodes/);
    expect(remedies).not.toMatch(/toleration/);
  });

  it('names the labels that the pod asks for, because the tainted nodes may have them', () => {
    const { cause, remedies } = diagnosisOf(message(1, 4), { nodeSelector: { pool: 'edge' } });
    expect(cause).toMatch(/may be the one that the pod asks for \(pool=edge\)/);
    expect(remedies).toMatch(/add a toleration for its taint/);
  });

  it('shows the taints before it asks for a toleration if all nodes have one', () => {
    const { cause, remedies, outlook } = diagnosisOf(
      '0/2 nodes are available: 2 node(s) had untolerated taint(s).',
      {},
    );
    expect(cause).toMatch(/2 nodes have taints/);
    expect(cause).not.toMatch(/control plane/);
    expect(remedies).toMatch(/taints of the nodes[\s\S]*toleration for its taint/);
    expect(outlook).toMatch(/when a node without such a taint has room/);
  });
});

describe('the diagnosis of insufficient resources', () => {
  const short = (why: string) =>
    `0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 ${why}.`;

  it('says that no node is large enough if preemption is not helpful on any node', () => {
    const { cause, outlook } = diagnosisOf(short('Preemption is not helpful for scheduling'), {});
    expect(cause).toMatch(/more than even an empty node has/);
    expect(outlook).toMatch(/isn’t scheduled by itself/);
  });

  it('says that a node with room suffices if preemption finds no victims', () => {
    const { outlook } = diagnosisOf(short('No preemption victims found for incoming pod'), {});
    expect(outlook).toMatch(/as soon as a node has room/);
  });
});
