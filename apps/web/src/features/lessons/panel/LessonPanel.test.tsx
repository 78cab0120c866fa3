/** Checks that a lesson can be printed and linked at a step. */
import { parseLesson } from '@podscope/lessons';
import { act } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderWithNode } from '../../../node/run/testing/render-with-node.tsx';
import { noLesson, useLesson } from '../player/lesson-store.ts';
import LessonPanel from './LessonPanel.tsx';

const text = `---
id: restarts
title: Restarts
summary: When the kubelet starts a container again.
minutes: 3
---
## First {#first}

\`\`\`notes
Let learners vote.
\`\`\`

The container exits.

## Second {#second}

It waits.

? How long?

- [ ] Ten seconds
- [ ] A minute

The first wait is ten seconds.
`;

async function openPanel() {
  const { lesson } = parseLesson(text);
  useLesson.setState({ ...noLesson, lesson, step: 1 });
  return (await renderWithNode(<LessonPanel />)).screen;
}

describe('LessonPanel', () => {
  afterEach(() => {
    act(() => useLesson.setState(noLesson));
    vi.unstubAllGlobals();
  });

  it('prints all steps with their options, and the notes and explanations at the end', async () => {
    const printed = vi.fn();
    vi.stubGlobal('print', printed);
    const screen = await openPanel();
    await userEvent.click(screen.getByRole('button', { name: 'Print the lesson' }));
    await vi.waitFor(() => expect(printed).toHaveBeenCalledOnce(), { timeout: 120_000 });
    const sheet = document.querySelector('[data-printed]');
    const parts = ['The container exits.', 'How long?', 'Ten seconds', 'Notes for teachers', 'Let learners vote.'];
    const places = [...parts, 'The first wait is ten seconds.'].map((part) => sheet?.textContent.indexOf(part) ?? -1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    act(() => void dispatchEvent(new Event('afterprint')));
    expect(document.querySelector('[data-printed]')).toBeNull();
  });

  it('copies a link to the step, without the token and the view of the run', async () => {
    const user = userEvent.setup();
    history.replaceState(null, '', '/?token=secret&pod=default/web');
    const screen = await openPanel();
    await user.click(screen.getByRole('button', { name: 'Copy a link to this step' }));
    await vi.waitFor(
      async () => expect(await navigator.clipboard.readText()).toBe(`${location.origin}/?lesson=restarts&step=second`),
      { timeout: 120_000 },
    );
  });
});
