import { crashLoopPod, EventScript } from '@podscope/trace/testing';
import { act, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { initialView } from '../../node/address/view-address.ts';
import { useView } from '../../node/address/view-store.ts';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import MetricsTab from './MetricsTab.tsx';

const { uid } = crashLoopPod.metadata;

/** Returns the events of a pod whose sandbox started and whose first container start failed. */
function failedStart() {
  const log = new EventScript(uid);
  log.emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
  log.open('syncPod.createPodSandbox');
  log.call('RunPodSandbox', 300, {}).close();
  log.call('ListContainers', 2, {}).call('ListContainers', 2, {});
  log.open('kuberuntime.startContainer', { attributes: { container: 'app' } });
  log.failingCall('StartContainer', 40, {}, { reason: 'Unknown', message: 'no' }).close();
  log.emit({ type: 'syncResult', action: 'StartContainer', target: 'app', error: 'RunContainerError' });
  return log.events;
}

async function renderMetrics(profile: 'v1.36' | 'v1.20' = 'v1.36') {
  useView.setState({ ...initialView, uid, pod: 'default/web-0' });
  const rendered = await renderWithNode(<MetricsTab />, { node: { profile } });
  const events = failedStart();
  act(() => rendered.session.run.events(events));
  const { screen } = rendered;
  await screen.findByRole('gridcell', { name: 'start_container' });
  const row = (table: 'Starts' | 'CRI operations', name: string): readonly string[] => {
    const cells = within(screen.getByRole(table === 'Starts' ? 'table' : 'grid', { name: table }))
      .getAllByRole('row')
      .map((line) => [...line.children].map(({ textContent }) => textContent));
    return cells.find(([title]) => title === name) ?? [];
  };
  return { ...rendered, events, row };
}

describe('MetricsTab', () => {
  it('shows calls, errors and durations of each CRI operation', async () => {
    const { row } = await renderMetrics();
    expect(row('CRI operations', 'list_containers')).toEqual(['list_containers', '2', '0', '2 ms', '≤ 5 ms', '≤ 5 ms']);
    expect(row('CRI operations', 'run_podsandbox').slice(0, 4)).toEqual(['run_podsandbox', '1', '0', '300 ms']);
    expect(row('CRI operations', 'start_container').slice(0, 3)).toEqual(['start_container', '1', '1']);
  });

  it('shows started pods and containers with their errors', async () => {
    const { row } = await renderMetrics();
    expect(row('Starts', 'kubelet_started_pods_total')).toEqual(['kubelet_started_pods_total', '1', '0']);
    const containers = 'kubelet_started_containers_total{container_type="container"}';
    expect(row('Starts', containers)).toEqual([containers, '1', '1']);
  });

  it('shows no metrics of starts for v1.20, which lacks them', async () => {
    const { row, screen } = await renderMetrics('v1.20');
    expect(screen.queryByRole('table', { name: 'Starts' })).toBeNull();
    expect(screen.queryByText(/kubelet_started/)).toBeNull();
    expect(row('CRI operations', 'list_containers')[1]).toBe('2');
  });

  it('counts only up to a past moment', async () => {
    const { row, session, events } = await renderMetrics();
    const first = events.find((event) => event.type === 'spanStarted' && event.point === 'cri.ListContainers');
    act(() => session.run.travel((first?.seq ?? 0) + 1));
    expect(row('CRI operations', 'list_containers')[1]).toBe('1');
    act(() => session.run.travel(undefined));
    expect(row('CRI operations', 'list_containers')[1]).toBe('2');
  });
});
