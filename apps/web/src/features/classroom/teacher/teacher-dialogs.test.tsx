/** Tests the dialogs of the teacher: asking, sending tasks, ending the class, and starting one. */
import { applyEvent, type ClassEvent, emptyClass } from '@podscope/classroom';
import { crashLoop } from '@podscope/trace/testing';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { initialView } from '../../../node/address/view-address.ts';
import { useView } from '../../../node/address/view-store.ts';
import { useOpenNode } from '../../../node/run/open-node.ts';
import { renderWithNode } from '../../../node/run/testing/render-with-node.tsx';
import { openDialog, useInterface } from '../../../node/view/interface.ts';
import * as classClient from '../client/class-client.ts';
import { initialClass, useClass } from '../client/class-store.ts';
import { AskDialog } from './AskDialog.tsx';
import { ClassDialog } from './ClassDialog.tsx';
import { DoDialog } from './DoDialog.tsx';
import { EndDialog } from './EndDialog.tsx';
import { useTeach } from './teach.ts';

/** Tests must not reach a server, so the page's own connection never opens. */
vi.stubGlobal(
  'WebSocket',
  class {
    addEventListener(): void {}
    close(): void {}
  },
);

const steps = [
  { id: 'syncPod.createPodSandbox', step: 1, title: 'Create the sandbox', description: '' },
  { id: 'syncPod.startContainers', step: 2, title: 'Start containers', description: '' },
];
const node = { steps };

/** Records the messages that the page sends to the class. */
let sent: unknown[] = [];

beforeEach(() => {
  sent = [];
  vi.spyOn(classClient, 'sendToClass').mockImplementation((message) => void sent.push(message));
  useView.getState().show(initialView);
  useClass.setState(initialClass);
  useTeach.setState({ watched: undefined, isDashboardOpen: false, dialog: undefined });
});

afterEach(() => vi.restoreAllMocks());

/** Lets all learners see the teacher's screen. */
const showScreen = (): void =>
  useClass.setState({ state: { ...emptyClass(0), sharedView: { id: 'view', view: '', run: 'run' } } });

/** Expects that the dialog closed and the dashboard, which shows the answers, opened. */
const expectDashboard = (): void =>
  expect(useTeach.getState()).toMatchObject({ dialog: undefined, isDashboardOpen: true });

/** Closes the dialog with Escape and expects that nothing was sent. */
async function cancel(title: string) {
  const dialog = screen.getByRole('dialog', { name: title });
  // Before the dialog has the focus, the key goes to the page.
  await expect.poll(() => dialog.contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  expect(useTeach.getState()).toMatchObject({ dialog: undefined, isDashboardOpen: false });
}

const kind = (name: string): Promise<void> => userEvent.click(screen.getByRole('radio', { name }));
const typeInto = (name: string, value: string): void =>
  void fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });

describe('AskDialog', () => {
  const open = () => {
    useTeach.setState({ dialog: 'ask' });
    return renderWithNode(<AskDialog />, { node, events: crashLoop(1).events });
  };
  const ask = () => screen.getByRole('button', { name: 'Ask everyone' });

  it('asks for the next step with the steps of the node and the selected pod', async () => {
    useView.setState({ pod: 'default/web' });
    await open();
    await userEvent.click(ask());
    const question = {
      id: expect.any(String) as string,
      kind: 'nextStep',
      text: 'Which step comes next?',
      pod: 'default/web',
      options: steps.map(({ id, title }) => ({ point: id, title })),
    };
    expect(sent).toEqual([{ type: 'question', question }]);
    expectDashboard();
  });

  it('asks in the scene of the teacher’s run, in the teacher’s words, with Enter', async () => {
    const before = useOpenNode.getState();
    const { session } = await open();
    expect(screen.getByText(/^Each learner predicts their own run/)).toBeDefined();
    try {
      act(() => useOpenNode.setState({ session, options: { scenario: 'crash-loop', profile: 'v1.20' } }));
      await kind('When does it restart?');
      expect(screen.getByText(/^Each learner’s node plays crash-loop/)).toBeDefined();
      await userEvent.type(screen.getByRole('textbox', { name: 'Question' }), 'How long?{Enter}');
    } finally {
      useOpenNode.setState(before, true);
    }
    const scene = { scenario: 'crash-loop', profile: 'v1.20', at: expect.any(Number) as number };
    expect(sent).toMatchObject([{ type: 'question', question: { kind: 'restartIn', text: 'How long?', scene } }]);
  });

  it('asks an own question after it has a text and two options, and gives the number of the right one', async () => {
    await open();
    await kind('Own question');
    expect(ask()).toHaveProperty('disabled', true);
    typeInto('Question', 'Who restarts it?');
    typeInto('Options, one per line', 'kubelet');
    expect(ask()).toHaveProperty('disabled', true);
    typeInto('Options, one per line', ' kubelet \n\nscheduler\n');
    await userEvent.type(screen.getByRole('spinbutton', { name: /^Number of the right option/ }), '2');
    await userEvent.click(ask());
    const question = { kind: 'choice', text: 'Who restarts it?', options: ['kubelet', 'scheduler'], right: 1 };
    expect(sent).toMatchObject([{ type: 'question', question }]);
  });

  it('first releases the learners’ screens, because a question needs their own runs', async () => {
    showScreen();
    await open();
    await userEvent.click(ask());
    expect(sent).toMatchObject([{ type: 'release' }, { type: 'question' }]);
  });

  it('asks nothing after Escape', async () => {
    await open();
    await cancel('Ask everyone');
    expect(sent).toEqual([]);
  });
});

describe('DoDialog', () => {
  const open = () => {
    useTeach.setState({ dialog: 'do' });
    return renderWithNode(<DoDialog />, { node });
  };
  const send = () => screen.getByRole('button', { name: 'Send to everyone' });

  it('sends the chosen step of a lesson', async () => {
    await open();
    await screen.findByRole('option', { name: 'Crash loops: reading the curve' }, { timeout: 120_000 });
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Lesson' }), 'crash-loops');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Lesson step' }), 'first-restart');
    await userEvent.click(send());
    const task = { id: expect.any(String) as string, kind: 'lesson', lesson: 'crash-loops', step: 'first-restart' };
    expect(sent).toEqual([{ type: 'task', task }]);
    expectDashboard();
  });

  it('sends a scenario from its start', async () => {
    await open();
    await kind('Scenario');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Scenario' }), 'crash-loop');
    await userEvent.click(send());
    const scene = { scenario: 'crash-loop', at: 0 };
    expect(sent).toMatchObject([{ type: 'task', task: { kind: 'scenario', scene, paused: false } }]);
  });

  it('sends a breakpoint at the chosen step', async () => {
    await open();
    await kind('Breakpoint');
    expect(send()).toHaveProperty('disabled', true);
    const point = 'syncPod.startContainers';
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Breakpoint at' }), point);
    await userEvent.click(send());
    expect(sent).toMatchObject([{ type: 'task', task: { kind: 'breakpoint', breakpoint: { point } } }]);
  });

  it.each([
    ['Manifest', { kind: 'manifest', manifest: 'kind: Pod\n' }],
    ['Fault plan', { kind: 'fault', plan: 'kind: Pod\n' }],
  ])('sends the text of a %s, but no blank one', async (name, task) => {
    await open();
    await kind(name);
    typeInto(`${name} (YAML)`, ' \n');
    expect(send()).toHaveProperty('disabled', true);
    typeInto(`${name} (YAML)`, 'kind: Pod\n');
    await userEvent.click(send());
    expect(sent).toMatchObject([{ type: 'task', task }]);
  });

  it('sends nothing after Escape', async () => {
    await open();
    await cancel('Everyone do this');
    expect(sent).toEqual([]);
  });
});

describe('EndDialog', () => {
  const open = (): void => {
    useTeach.setState({ dialog: 'end' });
    render(<EndDialog />);
  };

  it('closes the learner’s run, releases the screens, ends the class and shows the dashboard', async () => {
    useTeach.setState({ watched: 'ada' });
    open();
    await userEvent.click(screen.getByRole('button', { name: 'End the class now' }));
    expect(sent).toEqual([{ type: 'watch', learner: 'ada', watching: false }, { type: 'release' }, { type: 'end' }]);
    expect(useTeach.getState().watched).toBeUndefined();
    expectDashboard();
  });

  it.each([
    ['Report (CSV)', 'podscope-class-1970-01-01.csv', 'text/csv;charset=utf-8'],
    ['Report (HTML)', 'podscope-class-1970-01-01.html', 'text/html;charset=utf-8'],
  ])('saves the %s with the names before the end', async (button, name, type) => {
    const joined: ClassEvent = { type: 'joined', learner: 'ada', number: 1, name: 'Ada' };
    useClass.setState({ state: applyEvent(emptyClass(0), { seq: 1, at: 1_000, event: joined }) });
    const saved: { readonly name: string; readonly blob: Blob }[] = [];
    let blob = new Blob();
    // jsdom has no addresses of blobs.
    const addresses = URL as { createObjectURL?: unknown; revokeObjectURL?: unknown };
    Object.assign(addresses, {
      createObjectURL: (given: Blob) => {
        blob = given;
        return 'blob:report';
      },
      revokeObjectURL: () => undefined,
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push({ name: this.download, blob });
    });
    try {
      open();
      await userEvent.click(screen.getByRole('button', { name: button }));
      await expect.poll(() => saved.map((file) => file.name)).toEqual([name]);
    } finally {
      delete addresses.createObjectURL;
      delete addresses.revokeObjectURL;
    }
    expect(blob.type).toBe(type);
    expect(await blob.text()).toContain('Ada');
    expect(sent).toEqual([]);
  });

  it('continues the class after Escape', async () => {
    open();
    await cancel('End the class');
    expect(sent).toEqual([]);
  });
});

describe('ClassDialog', () => {
  const start = async (response: Response) => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(response);
    render(<ClassDialog />);
    await userEvent.click(screen.getByRole('button', { name: 'Start a class' }));
    return fetched;
  };

  it('starts a class on the page’s server and links to the teacher’s page', async () => {
    const url = 'http://localhost:7777/?teach&token=t';
    const fetched = await start(Response.json({ url }));
    const link = await screen.findByRole('link', { name: 'Open the teacher’s page' });
    expect(link.getAttribute('href')).toBe(url);
    expect(fetched).toHaveBeenCalledExactlyOnceWith(new URL('/classroom', location.href), { method: 'POST' });
    expect(screen.queryByRole('button', { name: 'Start a class' })).toBeNull();
  });

  it('shows why the server starts no class, and lets the teacher try again', async () => {
    await start(new Response('A class is running already.\n', { status: 409 }));
    expect((await screen.findByRole('alert')).textContent).toBe('A class is running already.');
    expect(screen.getByRole('button', { name: 'Start a class' })).toHaveProperty('disabled', false);
  });

  it('closes with its close button', async () => {
    openDialog('class');
    render(<ClassDialog />);
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(useInterface.getState().dialog).toBeUndefined();
  });

  it('shows the command for the computer of the teacher on a page without a server', async () => {
    vi.resetModules();
    vi.doMock(import('../../../node/address/address.ts'), async (original) => ({
      ...(await original()),
      isPageSource: true,
    }));
    try {
      const page = await import('./ClassDialog.tsx');
      const user = userEvent.setup();
      render(<page.ClassDialog />);
      await user.click(screen.getByRole('button', { name: 'Copy command' }));
      expect(await navigator.clipboard.readText()).toBe('npx -y pnpm@12 start --class');
      expect(screen.queryByRole('button', { name: 'Start a class' })).toBeNull();
    } finally {
      vi.doUnmock('../../../node/address/address.ts');
      vi.resetModules();
    }
  });
});
