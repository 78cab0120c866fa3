import type { BreakpointSpec } from '@podscope/protocol';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderWithNode } from '../../../node/run/testing/render-with-node.tsx';
import { BreakpointForm } from './BreakpointForm.tsx';

/** Tests must not reach a server, so the page's own connection never opens. */
vi.stubGlobal(
  'WebSocket',
  class {
    addEventListener(): void {}
    close(): void {}
  },
);

async function open(check: unknown, spec?: BreakpointSpec) {
  const onDone = vi.fn();
  const { screen, commands } = await renderWithNode(<BreakpointForm id={undefined} spec={spec} onDone={onDone} />, {
    results: {
      points: { points: [], decisions: [], variables: [] },
      checkBreakpoint: check,
      setBreakpoints: { breakpoints: [] },
    },
  });
  const set = () =>
    commands.filter((command) => (command as { readonly command: string }).command === 'setBreakpoints');
  return { screen, set, onDone };
}

describe('BreakpointForm', () => {
  it('adds a breakpoint at the entered place, for the chosen outcome and type of container', async () => {
    const { screen, set, onDone } = await open({ verified: true });
    // The form opens with the focus in its first field.
    await userEvent.keyboard('cri.StartContainer');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Stop' }), 'error');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'sidecar');
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce(), { timeout: 120_000 });
    const breakpoint = { point: 'cri.StartContainer', when: 'error', containerType: 'sidecar' };
    expect(set()).toEqual([{ command: 'setBreakpoints', group: '', breakpoints: [breakpoint] }]);
  });

  it('omits the type of container after it is reset to any', async () => {
    const { screen, set, onDone } = await open(
      { verified: true },
      { point: 'cri.StopContainer', containerType: 'init' },
    );
    const type = screen.getByRole('combobox', { name: 'Type' });
    expect(type).toHaveProperty('value', 'init');
    await userEvent.selectOptions(type, '');
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce(), { timeout: 120_000 });
    expect(set()).toMatchObject([{ breakpoints: [{ point: 'cri.StopContainer', when: 'before' }] }]);
    expect(set()).not.toMatchObject([{ breakpoints: [{ containerType: expect.anything() as unknown }] }]);
  });

  it('shows why the node refuses the breakpoint, and saves nothing', async () => {
    const { screen, set, onDone } = await open(
      { verified: false, message: 'No point matches.' },
      { point: 'cri.Nope' },
    );
    expect(await screen.findByText('No point matches.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Add' })).toHaveProperty('disabled', true);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onDone).toHaveBeenCalledOnce();
    expect(set()).toEqual([]);
  });
});
