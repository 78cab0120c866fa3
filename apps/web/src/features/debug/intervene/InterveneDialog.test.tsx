import type { StoppedThread } from '@podscope/protocol';
import { crashLoop } from '@podscope/trace/testing';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useView } from '../../../node/address/view-store.ts';
import { idleDebugger, renderWithNode } from '../../../node/run/testing/render-with-node.tsx';
import { openDialog, useInterface } from '../../../node/view/interface.ts';
import InterveneDialog from './InterveneDialog.tsx';

/** Tests must not reach a server, so the page's own connection never opens. */
vi.stubGlobal(
  'WebSocket',
  class {
    addEventListener(): void {}
    close(): void {}
  },
);

const { events, pod: uid } = crashLoop(1);

const stopAt = (point: string): StoppedThread => ({
  thread: uid,
  reason: 'breakpoint',
  text: `Breakpoint 1: before ${point}`,
  point,
  title: point,
  phase: 'before',
  span: 1,
  breakpoints: [1],
  since: 0,
  stop: 1,
});

const open = (stop: StoppedThread | undefined, results: Readonly<Record<string, unknown>> = { intervene: {} }) =>
  renderWithNode(<InterveneDialog />, { debug: { ...idleDebugger, stopped: stop ? [stop] : [] }, events, results });

beforeEach(() => {
  useView.setState({ uid });
  openDialog('intervene');
});

describe('InterveneDialog', () => {
  it.each([
    ['cri.StartContainer', 'Internal', { fail: { grpc: 'Internal', message: 'no space left' } }],
    ['docker.StartContainer', '500', { fail: { docker: 500, message: 'no space left' } }],
    ['cni.ADD', '11', { fail: { cni: 11, message: 'no space left' } }],
  ])('fails %s with the error of its kind, %s by default', async (point, code, action) => {
    const { screen, commands } = await open(stopAt(point));
    expect(screen.getByDisplayValue(code)).toBeTruthy();
    const message = screen.getByRole('textbox', { name: 'Message' });
    await userEvent.clear(message);
    await userEvent.type(message, 'no space left');
    await userEvent.click(screen.getByRole('button', { name: 'Apply and continue' }));
    await vi.waitFor(() => expect(commands).toContainEqual({ command: 'intervene', thread: uid, action }), {
      timeout: 120_000,
    });
    await vi.waitFor(() => expect(useInterface.getState().dialog).toBeUndefined(), { timeout: 120_000 });
  });

  it('delays the step by the entered duration', async () => {
    const { screen, commands } = await open(stopAt('cri.StartContainer'));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Action' }), 'Delay');
    const duration = screen.getByRole('textbox', { name: 'Duration' });
    await userEvent.clear(duration);
    await userEvent.type(duration, '250ms{Enter}');
    await vi.waitFor(
      () => expect(commands).toContainEqual({ command: 'intervene', thread: uid, action: { delay: '250ms' } }),
      { timeout: 120_000 },
    );
  });

  it('sends nothing for an invalid duration', async () => {
    const { screen, commands } = await open(stopAt('cri.StartContainer'));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Action' }), 'Delay');
    const duration = screen.getByRole('textbox', { name: 'Duration' });
    await userEvent.clear(duration);
    await userEvent.type(duration, 'soon{Enter}');
    expect(duration).toHaveProperty('validity.valid', false);
    expect(commands).toEqual([]);
  });

  it('offers to start now at the back-off, and a result at a probe', async () => {
    const { screen, commands } = await open(stopAt('kuberuntime.doBackOff'));
    await userEvent.click(screen.getByRole('button', { name: 'Apply and continue' }));
    await vi.waitFor(
      () => expect(commands).toContainEqual({ command: 'intervene', thread: uid, action: { skipWait: true } }),
      { timeout: 120_000 },
    );
  });

  it('returns the chosen result of a probe instead of running it', async () => {
    const { screen, commands } = await open(stopAt('kubelet.probe'));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Result' }), 'success');
    await userEvent.click(screen.getByRole('button', { name: 'Apply and continue' }));
    await vi.waitFor(
      () =>
        expect(commands).toContainEqual({
          command: 'intervene',
          thread: uid,
          action: { answer: { result: 'success', output: 'injected failure' } },
        }),
      { timeout: 120_000 },
    );
  });

  it('stays open when the node refuses the action', async () => {
    const { screen } = await open(stopAt('cri.StartContainer'), {});
    await userEvent.click(screen.getByRole('button', { name: 'Apply and continue' }));
    await vi.waitFor(() => expect(useInterface.getState().dialog).toBe('intervene'), { timeout: 120_000 });
    expect(screen.getByRole('button', { name: 'Apply and continue' })).toBeTruthy();
  });

  it('says that the pod is no longer stopped', async () => {
    const { screen } = await open(undefined);
    expect(screen.getByText('The pod is no longer stopped.')).toBeTruthy();
  });
});
