/** Checks that deleted pods can be cleared from the list. */
import { crashLoopPod, EventScript } from '@podscope/trace/testing';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { usePodList } from '../../node/pods/pod-list.ts';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import { PodsPanel } from './PodsPanel.tsx';

describe('PodsPanel', () => {
  beforeEach(() => usePodList.setState(usePodList.getInitialState(), true));

  it('clears deleted pods from the list and shows them again', async () => {
    const log = new EventScript(crashLoopPod.metadata.uid);
    log.emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
    log.emit({ type: 'podChanged', operation: 'DELETED', object: crashLoopPod });
    const { screen } = await renderWithNode(<PodsPanel />, { events: log.events });
    expect(await screen.findByText('1 deleted')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Clear deleted pods from the list' }));
    expect(screen.getByText('1 cleared')).toBeTruthy();
    expect(screen.queryByText('1 deleted')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show again' }));
    expect(screen.getByText('1 deleted')).toBeTruthy();
  });
});
