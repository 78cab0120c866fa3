/** Checks what the dialog shows of the node: resources, images, ConfigMaps and Secrets. */
import { crashLoopPod, EventScript } from '@podscope/trace/testing';
import { within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import NodeDialog from './NodeDialog.tsx';
import { bytesText } from './node-resources.ts';

const node = {
  metadata: { name: 'node' },
  status: {
    allocatable: { cpu: '4', memory: '8388608Ki', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True', message: 'kubelet is posting ready status' }],
    nodeInfo: { kubeletVersion: 'v1.36.2' },
    images: [{ names: ['busybox@sha256:1', 'busybox:1.36'], sizeBytes: 4_500_000 }],
  },
};

const inventory = {
  node,
  configMaps: [{ namespace: 'default', name: 'settings', entries: [{ key: 'color', bytes: 4, text: 'blue' }] }],
  secrets: [{ namespace: 'default', name: 'login', type: 'Opaque', entries: [{ key: 'password', bytes: 15 }] }],
};

const usage = {
  cpuNanoCores: 250e6,
  workingSetBytes: 2 ** 30,
  pods: [{ namespace: 'default', name: 'web-0', cpuNanoCores: 12e6, workingSetBytes: 3 * 2 ** 20 }],
};

/** Renders the dialog for a node with a pod that requests half a core. */
async function open(kind: 'sim' | 'docker', results: Readonly<Record<string, unknown>>) {
  const log = new EventScript(crashLoopPod.metadata.uid);
  const resources = { requests: { cpu: '500m', memory: '1Gi' }, limits: { memory: '2Gi' } };
  const object = { ...crashLoopPod, spec: { containers: [{ name: 'app', image: 'shop/web:2.4.1', resources }] } };
  log.emit({ type: 'podChanged', operation: 'ADDED', object });
  const { screen } = await renderWithNode(<NodeDialog />, {
    node: { runtime: { name: kind, version: '1', kind } },
    events: log.events,
    results,
  });
  const dialog = await screen.findByRole('dialog', { name: 'Node' });
  const rows = async (name: string): Promise<readonly string[]> =>
    within(await within(dialog).findByRole('table', { name }))
      .getAllByRole('row')
      .map((row) => [...row.children].map(({ textContent }) => textContent).join(' | '));
  return { dialog, rows };
}

describe('NodeDialog', () => {
  it('shows allocatable, requested and limited resources, images, ConfigMaps and masked Secrets', async () => {
    const { dialog, rows } = await open('sim', { getNode: inventory });
    expect(await rows('Resources')).toEqual([
      'Resource | Allocatable | Requests | Limits',
      'cpu | 4 | 500m (13 %) | 0 (0 %)',
      'memory | 8388608Ki | 1Gi (13 %) | 2Gi (25 %)',
      'pods | 110 | 1 | ',
    ]);
    expect(await rows('Images')).toContain('busybox:1.36 | 4.29 MiB');
    await userEvent.click(within(dialog).getByText('default/settings'));
    expect(await rows('default/settings')).toContain('color | 4 bytes | blue');
    await userEvent.click(within(dialog).getByText(/default\/login/));
    expect(await rows('default/login')).toContain('password | 15 bytes | masked');
  });

  it('adds the usage of the node and of each pod on a real runtime', async () => {
    const { rows } = await open('docker', { getNode: inventory, nodeUsage: usage });
    expect(await rows('Usage of pods')).toContain('default/web-0 | 12m | 3.00 MiB');
    expect((await rows('Resources'))[1]).toBe('cpu | 4 | 500m (13 %) | 0 (0 %) | 250m');
  });

  it('gives the reason when the node cannot be shown, as for a recording', async () => {
    const { dialog } = await open('sim', {});
    expect(await within(dialog).findByText('The node cannot be shown')).toBeTruthy();
    expect(within(dialog).getByText('no result for getNode')).toBeTruthy();
  });
});

describe('bytesText', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.00 KiB'],
    [150 * 2 ** 20, '150 MiB'],
  ])('formats %i bytes', (bytes, expected) => {
    expect(bytesText(bytes)).toBe(expected);
  });
});
