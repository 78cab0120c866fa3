import { applyEvent, type ClassEvent, emptyClass, type Question } from '@podscope/classroom';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** Tests must not reach a server, so the page's own connection never opens. */
vi.stubGlobal(
  'WebSocket',
  class {
    addEventListener(): void {}
    close(): void {}
  },
);
// The engine of the page isn't needed.
vi.stubGlobal(
  'Worker',
  class {
    addEventListener(): void {}
    postMessage(): void {}
    terminate(): void {}
  },
);

/** Loads the modules for a page at this address. They read the address once. */
async function pageAt(search: string) {
  vi.resetModules();
  history.replaceState(null, '', `/${search}`);
  const { useClass, initialClass } = await import('./client/class-store.ts');
  useClass.setState(initialClass);
  return {
    useClass,
    /** Adds events to the state of the class. */
    happen: (...events: readonly ClassEvent[]): void =>
      useClass.setState(({ state }) => ({
        state: events.reduce(
          (before, event) => applyEvent(before, { seq: before.seq + 1, at: 1_000, event }),
          state.seq === 0 ? emptyClass(0) : state,
        ),
      })),
    sendToClass: vi.spyOn(await import('./client/class-client.ts'), 'sendToClass'),
  };
}

const ada = { type: 'joined', learner: 'ada', number: 1, name: 'Ada' } as const;
const question: Question = { id: 'q', kind: 'choice', text: 'Who restarts it?', options: ['kubelet', 'scheduler'] };

beforeEach(() => history.replaceState(null, '', '/'));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe('LearnerBar', () => {
  it.each([
    ['at the bare address', '?class', undefined],
    ['after a wrong code', '?class=WRONG2', 'code'],
  ] as const)('asks for the code %s', async (_when, search, refusal) => {
    const { useClass } = await pageAt(search);
    if (refusal) useClass.setState({ phase: 'refused', refusal });
    const { LearnerBar } = await import('./learner/LearnerBar.tsx');
    render(<LearnerBar />);
    expect(screen.getByLabelText('Code of the class')).toBeDefined();
    expect(screen.queryByRole('alert')?.textContent).toBe(refusal && 'No class has this code.');
  });

  it('explains client isolation after the second failed attempt', async () => {
    const { useClass } = await pageAt('?class=ABC234');
    useClass.setState({ phase: 'connecting', attempts: 1 });
    const { LearnerBar } = await import('./learner/LearnerBar.tsx');
    const { rerender } = render(<LearnerBar />);
    expect(screen.getByRole('alert').textContent).not.toContain('client isolation');
    useClass.setState({ attempts: 2 });
    rerender(<LearnerBar />);
    expect(screen.getByRole('alert').textContent).toContain('client isolation');
  });
});

describe('QuestionCard', () => {
  it('shows the answers to a learner who didn’t answer, and no run for the teacher’s own question', async () => {
    const { happen, useClass } = await pageAt('?class=ABC234');
    const { showResult } = await import('./learner/answer-question.ts');
    const { QuestionCard } = await import('./learner/QuestionCard.tsx');
    useClass.setState({ you: 'ada' });
    const bars = [{ answer: 0, count: 2, right: true }];
    happen(ada, { type: 'question', question }, { type: 'revealed', question: 'q', bars });
    showResult('q');
    const { rerender } = render(<QuestionCard />);
    expect(screen.getByRole('list', { name: 'Answers' }).textContent).toContain('kubelet2');
    happen(
      { type: 'answered', learner: 'ada', question: 'q', answer: 1 },
      { type: 'judged', learner: 'ada', question: 'q', verdict: { right: false, actual: 0 } },
    );
    rerender(<QuestionCard />);
    expect(screen.getByRole('status').textContent).toBe('Not quite. The right answer: kubelet');
  });
});

describe('LearnersTable', () => {
  it('removes a learner after a confirmation only', async () => {
    const { happen, sendToClass } = await pageAt('?teach');
    const { LearnersTable } = await import('./teacher/LearnersTable.tsx');
    happen(ada);
    render(<LearnersTable />);
    fireEvent.click(screen.getByRole('button', { name: 'Remove Ada' }));
    expect(sendToClass).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove Ada' }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove Ada' }));
    expect(sendToClass).toHaveBeenCalledExactlyOnceWith({ type: 'remove', learner: 'ada' });
  });

  it('opens no runs in the presenter view', async () => {
    const { happen } = await pageAt('?presenter=yes&teach');
    const { LearnersTable } = await import('./teacher/LearnersTable.tsx');
    happen(ada);
    render(<LearnersTable canManage={false} />);
    expect(screen.getByRole('rowheader', { name: 'Ada' })).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('scenarioLink', () => {
  it.each(['?class=ABC234', '?teach'])('plays the scenario in the page in a class: %s', async (search) => {
    await pageAt(search);
    const { scenarioLink } = await import('../scenarios/index.ts');
    const { useOpenNode } = await import('../../node/run/open-node.ts');
    const preventDefault = vi.fn();
    scenarioLink('crash-loop', 'v1.36').onClick({ preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
    await expect.poll(() => useOpenNode.getState().options).toMatchObject({ scenario: 'crash-loop' });
    expect(location.search).toContain(search.slice(1));
  });

  it('follows the link outside a class', async () => {
    await pageAt('');
    const { scenarioLink } = await import('../scenarios/index.ts');
    const { href, onClick } = scenarioLink('crash-loop', 'v1.36');
    const preventDefault = vi.fn();
    onClick({ preventDefault });
    expect(href).toBe('/?scenario=crash-loop');
    expect(preventDefault).not.toHaveBeenCalled();
  });
});
