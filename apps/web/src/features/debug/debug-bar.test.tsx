import type { BreakpointState, DebugState, StoppedThread } from '@podscope/protocol';
import { crashLoop } from '@podscope/trace/testing';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useView } from '../../node/address/view-store.ts';
import { idleDebugger, renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import { useSelectedTrack } from '../../node/run/use-selected-pod.ts';
import { useInterface } from '../../node/view/interface.ts';
import { DebugBar } from './DebugBar.tsx';
import { StepBreakpoint } from './StepBreakpoint.tsx';

/** Tests must not reach a server, so the page's own connection never opens. */
vi.stubGlobal(
  'WebSocket',
  class {
    addEventListener(): void {}
    close(): void {}
  },
);

const { events, pod: uid } = crashLoop(1);
const point = 'syncPod.startContainers';

function Bar() {
  const pod = useSelectedTrack();
  return pod ? <DebugBar pod={pod} /> : null;
}

const renderFor = (ui: React.ReactNode, debug: Partial<DebugState> = {}, results: Record<string, unknown> = {}) => {
  useView.setState({ uid });
  return renderWithNode(ui, {
    debug: { ...idleDebugger, ...debug },
    events,
    results: {
      setBreakpoints: { breakpoints: [] },
      pause: { threads: [uid] },
      continue: { threads: [uid] },
      ...results,
    },
  });
};

const breakpoint = (id: number, spec: BreakpointState['spec']): BreakpointState => ({
  id,
  group: '',
  spec,
  verified: true,
  hits: 0,
});

const stopped = (thread: string): StoppedThread => ({
  thread,
  reason: 'breakpoint',
  text: 'Breakpoint 1: before Start containers',
  point,
  title: 'Start containers',
  phase: 'before',
  span: 1,
  breakpoints: [1],
  since: 0,
  stop: 1,
});

beforeEach(() => useInterface.setState({ dialog: undefined, editedBreakpoint: undefined }));

describe('the dot of a step', () => {
  const dot = <StepBreakpoint point={point} title="Start containers" />;
  const name = 'Breakpoint before Start containers';

  it('sets a breakpoint for the selected pod only', async () => {
    const { screen, commands, session } = await renderFor(dot);
    const pod = session.run.pod(uid);
    await userEvent.click(screen.getByRole('button', { name }));
    await vi.waitFor(
      () =>
        expect(commands).toContainEqual({
          command: 'setBreakpoints',
          group: '',
          breakpoints: [{ point, namespace: pod?.namespace, pod: pod?.name }],
        }),
      { timeout: 120_000 },
    );
  });

  it('removes a breakpoint for all pods and keeps that of another pod', async () => {
    const other = { point, namespace: 'default', pod: 'another' };
    const { screen, commands } = await renderFor(dot, {
      breakpoints: [breakpoint(1, { point }), breakpoint(2, other)],
    });
    const button = screen.getByRole('button', { name, pressed: true });
    expect(button.title).toContain('Stops all pods here.');
    await userEvent.click(button);
    await vi.waitFor(
      () => expect(commands).toContainEqual({ command: 'setBreakpoints', group: '', breakpoints: [other] }),
      { timeout: 120_000 },
    );
  });

  it('is off while only another pod has a breakpoint there', async () => {
    const { screen } = await renderFor(dot, {
      breakpoints: [breakpoint(1, { point, namespace: 'default', pod: 'another' })],
    });
    expect(screen.getByRole('button', { name, pressed: false })).toBeTruthy();
  });

  it('widens the breakpoint to all pods from its menu', async () => {
    const { screen, commands } = await renderFor(dot);
    await userEvent.pointer({ keys: '[MouseRight]', target: screen.getByRole('button', { name }) });
    await userEvent.click(await screen.findByRole('menuitemradio', { name: 'All pods' }, { timeout: 120_000 }));
    await vi.waitFor(
      () => expect(commands).toContainEqual({ command: 'setBreakpoints', group: '', breakpoints: [{ point }] }),
      { timeout: 120_000 },
    );
  });

  it('opens the form of a conditional breakpoint from its menu', async () => {
    const { screen, session } = await renderFor(dot);
    const pod = session.run.pod(uid);
    await userEvent.pointer({ keys: '[MouseRight]', target: screen.getByRole('button', { name }) });
    await userEvent.click(
      await screen.findByRole('menuitem', { name: 'Add conditional breakpoint…' }, { timeout: 120_000 }),
    );
    expect(useInterface.getState()).toMatchObject({
      dialog: 'breakpoints',
      editedBreakpoint: { spec: { point, namespace: pod?.namespace, pod: pod?.name } },
    });
  });
});

describe('the debugger bar', () => {
  it('shows a pause that waits for the next step and cancels it', async () => {
    const { screen, commands } = await renderFor(<Bar />, { pausing: [uid] });
    expect(screen.getByRole('status').textContent).toBe('Pausing at the next step…');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel pause' }));
    await vi.waitFor(() => expect(commands).toContainEqual({ command: 'continue', thread: uid }), { timeout: 120_000 });
  });

  it('shows at once a pause that another page requested', async () => {
    const results = { debugState: { ...idleDebugger, version: 2, pausing: [uid] } };
    const { screen, happen } = await renderFor(<Bar />, {}, results);
    expect(screen.queryByText('Pausing at the next step…')).toBeNull();
    const last = events.at(-1);
    happen({
      type: 'breakpointsChanged',
      seq: (last?.seq ?? 0) + 1,
      time: last?.time ?? 0,
      thread: 'debugger',
      breakpoints: [],
      filters: [],
      faults: [],
      plans: [],
    });
    await vi.waitFor(() => expect(screen.getByRole('status').textContent).toBe('Pausing at the next step…'), {
      timeout: 120_000,
    });
    expect(screen.getByRole('button', { name: 'Cancel pause' })).toBeTruthy();
  });

  it('requests the new state after a pause', async () => {
    const { screen, commands } = await renderFor(<Bar />);
    await userEvent.click(screen.getByRole('button', { name: 'Pause at the next step' }));
    await vi.waitFor(() => expect(commands).toEqual([{ command: 'pause', thread: uid }, { command: 'debugState' }]), {
      timeout: 120_000,
    });
  });

  it('continues all pods with one click while another pod is stopped', async () => {
    const { screen, commands } = await renderFor(<Bar />, { stopped: [stopped(uid), stopped('another')] });
    await userEvent.click(screen.getByRole('button', { name: 'Continue all 2 pods' }));
    await vi.waitFor(() => expect(commands).toContainEqual({ command: 'continue' }), { timeout: 120_000 });
  });

  it('offers no button for all pods while only the shown pod is stopped', async () => {
    const { screen } = await renderFor(<Bar />, { stopped: [stopped(uid)] });
    expect(screen.queryByRole('button', { name: /^Continue all/ })).toBeNull();
    expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy();
  });
});
