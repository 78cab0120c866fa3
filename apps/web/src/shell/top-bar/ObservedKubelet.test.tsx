/**
 * Checks the counts about an observed kubelet in the top bar: how many syncs ran as predicted, and how many can't be
 * decided.
 */
import { EventScript } from '@podscope/trace/testing';
import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import ObservedKubelet from './ObservedKubelet.tsx';

/** Renders the counts for a run whose syncs have these verdicts. */
async function renderVerdicts(verdicts: readonly string[]) {
  const log = new EventScript('uid-1');
  const metadata = { name: 'web', namespace: 'shop', uid: 'uid-1' };
  log.emit({ type: 'podChanged', operation: 'ADDED', object: { metadata, spec: { containers: [] } } });
  for (const verdict of verdicts) {
    log.open('kubelet.podWorkerLoop', { kind: 'worker' });
    log.wait(10).close({ verdict, counts: true });
  }
  const observed = { version: 'v1.36.2', approximate: false, differences: [], sources: [], missing: [] };
  const runtime = { name: 'docker', version: '20.10.24', kind: 'cri' } as const;
  const rendered = await renderWithNode(<ObservedKubelet observed={observed} runtime={runtime} about={[]} />);
  act(() => {
    rendered.session.run.events(log.events);
    // Update the run explicitly, because jsdom draws no frames.
    rendered.session.run.travel(undefined);
  });
  return rendered.screen;
}

describe('ObservedKubelet', () => {
  it.each([
    [['agrees', 'agrees'], '2 of 2 as predicted'],
    [['agrees', 'differs', 'unknown'], '1 of 2 as predicted · 1 not decidable'],
    [['unknown'], '1 not decidable'],
  ])('with verdicts %j shows %s', async (verdicts, text) => {
    const screen = await renderVerdicts(verdicts);
    const shown = await screen.findByTitle(/^Syncs with at least one call that writes/);
    expect([...shown.querySelectorAll('span:not([aria-hidden])')].map(({ textContent }) => textContent).join('')).toBe(
      text,
    );
  });

  it('has a figure beside the words, and all facts in the tooltips, for narrow windows', async () => {
    const screen = await renderVerdicts(['agrees', 'differs', 'unknown']);
    const figure = await screen.findByText('1/2');
    expect(figure.getAttribute('aria-hidden')).toBe('true');
    expect(screen.getByTitle(/: 1 as predicted, 1 differ, 1 are not decidable/).contains(figure)).toBe(true);
    expect(screen.getByTitle('kubelet v1.36.2, genuine · docker 20.10').textContent).toContain('genuine');
  });

  it('keeps its words in narrow windows while no sync is decided', async () => {
    const screen = await renderVerdicts(['unknown']);
    const words = await screen.findByText('1 not decidable');
    expect(words.className).toBe('');
    expect(words.parentElement?.querySelector('[aria-hidden]')).toBeNull();
  });

  it('shows no figure before the first verdict', async () => {
    const screen = await renderVerdicts([]);
    expect(await screen.findByText(/kubelet v1\.36\.2, genuine/)).toBeTruthy();
    expect(screen.queryByText(/as predicted|not decidable/)).toBeNull();
  });
});
