import type { PodTrack } from '@podscope/trace';
import { crashLoop } from '@podscope/trace/testing';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { RunStore } from '../../node/run/run-store.ts';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import { ConfirmDeletion } from './ConfirmDeletion.tsx';

function crashLoopPod(): PodTrack {
  const { events, pod } = crashLoop(1);
  const run = new RunStore();
  run.events(events);
  const track = run.fold.pod(pod);
  if (!track) throw new Error('the story has no pod');
  return track;
}

describe('ConfirmDeletion', () => {
  it('deletes the pod with the grace period that was entered', async () => {
    const pod = crashLoopPod();
    const { screen, commands } = await renderWithNode(<ConfirmDeletion pod={pod} isTerminating={false} />, {
      results: { deletePod: {} },
    });
    const seconds = screen.getByRole('textbox', { name: 'Grace period (seconds)' });
    await userEvent.clear(seconds);
    await userEvent.type(seconds, '5');
    await userEvent.tab();
    await userEvent.click(screen.getByRole('button', { name: 'Delete pod' }));
    await vi.waitFor(
      () =>
        expect(commands).toEqual([
          { command: 'deletePod', namespace: pod.namespace, name: pod.name, gracePeriodSeconds: 5 },
        ]),
      { timeout: 120_000 },
    );
  });

  it('shows the refusal of the node', async () => {
    const { screen } = await renderWithNode(<ConfirmDeletion pod={crashLoopPod()} isTerminating />);
    await userEvent.click(screen.getByRole('button', { name: 'Delete pod' }));
    expect((await screen.findByRole('alert')).textContent).toBe('no result for deletePod');
  });
});
