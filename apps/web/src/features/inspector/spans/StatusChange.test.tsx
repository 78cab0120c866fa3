/** Checks the changes of the pod's status that the inspector shows for a step. */
import { crashLoopPod, EventScript } from '@podscope/trace/testing';
import { within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useSession } from '../../../node/run/node-session.ts';
import { renderWithNode } from '../../../node/run/testing/render-with-node.tsx';
import { usePods } from '../../../node/run/use-run.ts';
import { StatusChange } from './StatusChange.tsx';

const running = {
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-05T09:00:01Z' }],
  containerStatuses: [{ name: 'app', restartCount: 0, state: { running: { startedAt: '2026-01-05T09:00:01Z' } } }],
};
const crashed = {
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-05T09:00:04Z' }],
  containerStatuses: [{ name: 'app', restartCount: 1, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
};

/** Renders the changes during a span once the node has sent it. */
function ChangesOf({ id }: { readonly id: number }) {
  usePods();
  const span = useSession().run.span(id);
  return span && <StatusChange span={span} />;
}

/** Renders the changes during the second of two steps. During the first one, the status becomes `running`. */
async function renderChanges(second: typeof crashed | undefined) {
  const log = new EventScript(crashLoopPod.metadata.uid);
  log.emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
  log.open('kubelet.syncPod.generateStatus');
  log.emit({ type: 'podStatus', status: running }).close();
  const id = log.open('kubelet.syncPod.generateStatus');
  if (second) log.emit({ type: 'podStatus', status: second });
  log.close();
  const { screen } = await renderWithNode(<ChangesOf id={id} />, { events: log.events });
  return screen;
}

describe('StatusChange', () => {
  it('lists the fields that changed during the step with both values, without times of transitions', async () => {
    const screen = await renderChanges(crashed);
    const section = await screen.findByRole('region', { name: /^Pod status, before and after/ });
    expect(
      within(section)
        .getAllByRole('listitem')
        .map((line) => line.firstElementChild?.textContent),
    ).toEqual([
      'conditions[Ready].status: True, then False',
      'containerStatuses[app].restartCount: 0, then 1',
      'containerStatuses[app].state.running, removed: {"startedAt":"2026-01-05T09:00:01Z"}',
      'containerStatuses[app].state.waiting, new: {"reason":"CrashLoopBackOff"}',
    ]);
  });

  it('is absent for a step during which the status did not change', async () => {
    const screen = await renderChanges(undefined);
    expect(screen.queryByRole('region')).toBeNull();
  });
});
