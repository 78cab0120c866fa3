import { applyEvent, type ClassEvent, emptyClass, type Question, taskLessonId } from '@podscope/classroom';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
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

const renderPage = (ui: ReactNode): void =>
  void render(<QueryClientProvider client={new QueryClient()}>{ui}</QueryClientProvider>);

const ada = { type: 'joined', learner: 'ada', number: 1, name: 'Ada' } as const;
const question: Question = { id: 'q', kind: 'choice', text: 'Who restarts it?', options: ['kubelet', 'scheduler'] };

beforeEach(() => history.replaceState(null, '', '/'));
afterEach(() => {
  cleanup();
  localStorage.clear();
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

describe('the teacher’s page after a reload', () => {
  const sharedView = { id: 'view', view: '?at=1', run: 'r' };
  const shown = { type: 'sharedView', sharedView } as const;

  it('offers to release the screens that the page before it locked', async () => {
    const { happen, sendToClass } = await pageAt('?teach');
    const { TeacherBar } = await import('./teacher/TeacherBar.tsx');
    renderPage(<TeacherBar />);
    happen(ada, shown);
    fireEvent.click(await screen.findByRole('button', { name: 'Release all screens' }));
    expect(sendToClass).toHaveBeenCalledExactlyOnceWith({ type: 'release' });
    happen({ type: 'sharedView', sharedView: null });
    expect(await screen.findByRole('button', { name: 'Everyone look here' })).toBeDefined();
  });

  it('releases the screens before it sends a task', async () => {
    const { happen, sendToClass } = await pageAt('?teach');
    const { doThis } = await import('./teacher/teach.ts');
    happen(ada, shown);
    doThis({ kind: 'manifest', manifest: 'kind: Pod' });
    expect(sendToClass.mock.calls.map(([{ type }]) => type)).toEqual(['release', 'task']);
  });

  it.each([
    ['closes the run that was open before', true, [{ type: 'watch', learner: 'ada', watching: false }]],
    ['closes no run in the presenter view', false, []],
  ] as const)('%s', async (_what, canWatch, sent) => {
    const { happen, sendToClass } = await pageAt('?teach');
    const openClass = vi.spyOn(await import('./client/class-client.ts'), 'openClass');
    const { teach } = await import('./teacher/teach.ts');
    teach(canWatch);
    const onWelcome = openClass.mock.calls[0]?.[0].onWelcome;
    happen(ada, { type: 'watched', learner: 'ada', watching: true });
    onWelcome?.();
    expect(sendToClass.mock.calls.flat()).toEqual(sent);
    // Runs are closed after the first welcome only: another window of the teacher may have opened this one.
    onWelcome?.();
    expect(sendToClass.mock.calls.flat()).toEqual(sent);
  });
});

describe('a question about a scene', () => {
  it('opens the teacher’s own lesson again at its step when the learner closes it', async () => {
    await pageAt('?class=ABC234');
    const lessons = await import('../lessons/index.ts');
    const ownRun = await import('./client/own-run.ts');
    const { ownSession } = await import('../../node/run/open-node.ts');
    const { ask, dismissQuestion } = await import('./learner/answer-question.ts');
    const matter = '---\nid: mine\ntitle: Mine\nsummary: It is mine.\nminutes: 1\n---\n\n';
    const text = `${matter}## One {#one}\n\nA.\n\n## Two {#two}\n\nB.\n`;
    const open = vi.spyOn(lessons, 'openGivenLesson').mockResolvedValue();
    const source = { text };
    const lesson = await lessons.parseGivenLesson(source);
    lessons.useLesson.setState({ lesson, source, step: 1, phase: 'ready' });
    vi.spyOn(ownRun, 'openScene').mockImplementation(async () => {
      lessons.useLesson.setState({ lesson: undefined, source: undefined });
      return ownSession();
    });
    const scene = { scenario: 'crash-loop', profile: 'v1.36', at: 5 } as const;
    await ask({ id: 'q', kind: 'restartIn', pod: 'default/web', text: 'When?', scene });
    expect(open).not.toHaveBeenCalled();
    dismissQuestion();
    expect(open).toHaveBeenCalledExactlyOnceWith({ text, step: 'two' });
  });
});

describe('LearnersTable', () => {
  it('shows how long a learner has been stuck, until the class ends', async () => {
    const { happen } = await pageAt('?teach');
    const { LearnersTable } = await import('./teacher/LearnersTable.tsx');
    const lesson = { id: 'crash-loops', step: 0, stepId: 'first-restart', steps: 3 };
    happen(ada, { type: 'moved', learner: 'ada', place: { lesson } });
    // The learner moved one second after the start of the class.
    vi.spyOn(Date, 'now').mockReturnValue(126_000);
    renderPage(<LearnersTable canManage={false} />);
    expect(screen.getByRole('cell', { name: '2 min 5 s' })).toBeDefined();
    happen({ type: 'ended' });
    await waitFor(() => expect(screen.queryByRole('cell', { name: '2 min 5 s' })).toBeNull());
  });

  it('removes a learner after a confirmation only', async () => {
    const { happen, sendToClass } = await pageAt('?teach');
    const { LearnersTable } = await import('./teacher/LearnersTable.tsx');
    happen(ada);
    renderPage(<LearnersTable />);
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
    renderPage(<LearnersTable canManage={false} />);
    expect(screen.getByRole('rowheader', { name: 'Ada' })).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('titles of lessons', () => {
  const place = { lesson: { id: 'crash-loops', step: 0, stepId: 'first-restart', steps: 3 } };
  const source = {
    text: '---\nid: mine\ntitle: Mine\nsummary: It is mine.\nminutes: 1\n---\n\n## One {#one}\n\nText.\n',
    translation:
      '---\nid: mine\ntitle: 我的\nsummary: 我的课程。\nminutes: 1\nlanguage: zh-CN\n---\n\n## 一 {#one}\n\n文字。\n',
  };
  const own = { lesson: { id: taskLessonId('t'), step: 0, stepId: 'one', steps: 1 } };

  it.each([
    ['en', 'Crash loops: reading the curve · step 1 of 3 · The first restart', 'Mine · step 1 of 1 · One'],
    ['zh-CN', /^崩溃循环.*第 1 步/, /^我的 · .* · 一$/],
  ] as const)('are in the language of the page: %s', async (language, library, sent) => {
    const { happen } = await pageAt('?teach');
    const { setPreference } = await import('../../base/preferences/preferences.ts');
    setPreference({ language });
    const { followLanguage } = await import('../../base/i18n/i18n.ts');
    await followLanguage();
    const { LearnersTable } = await import('./teacher/LearnersTable.tsx');
    happen(
      ada,
      { type: 'joined', learner: 'bo', number: 2, name: 'Bo' },
      { type: 'task', task: { id: 't', kind: 'lesson', lesson: 'mine', source } },
      { type: 'moved', learner: 'ada', place },
      { type: 'moved', learner: 'bo', place: own },
    );
    renderPage(<LearnersTable />);
    await waitFor(() => expect(cell('Ada')).toMatch(library), { timeout: 120_000 });
    await waitFor(() => expect(cell('Bo')).toMatch(sent), { timeout: 120_000 });
  });

  /** Returns the text of the place of a learner. */
  const cell = (name: string): string =>
    screen.getByRole('rowheader', { name }).parentElement?.querySelector('td')?.textContent ?? '';
});

describe('a lesson that a task contains', () => {
  it('isn’t opened if its text is not a lesson', async () => {
    const { happen, useClass, sendToClass } = await pageAt('?class=ABC234');
    const { performTasks } = await import('./learner/perform-tasks.ts');
    useClass.setState({ you: 'ada' });
    const source = { text: '<script>globalThis.isBad = true</script>' };
    happen(ada, { type: 'task', task: { id: 't', kind: 'lesson', lesson: 'mine', source } });
    performTasks(true);
    await expect
      .poll(() => sendToClass.mock.calls, { timeout: 120_000 })
      .toMatchObject([[{ type: 'taskStatus', task: 't', status: 'failed', message: /front matter/ }]]);
    expect(globalThis).not.toHaveProperty('isBad');
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
