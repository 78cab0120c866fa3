import type { BreakpointSpec, DebugState } from '@podscope/protocol';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LinkedBreakpoints as Linked } from '../../../node/address/breakpoint-link.ts';
import { idleDebugger } from '../../../node/run/testing/render-with-node.tsx';

/** Tests must not reach a server, so the page's own connection never opens. */
vi.stubGlobal(
  'WebSocket',
  class {
    addEventListener(): void {}
    close(): void {}
  },
);

const spec: BreakpointSpec = { point: 'cri.CreateContainer', pod: 'web' };
const own: BreakpointSpec = { point: 'cri.StopContainer' };
const linked: Linked = { breakpoints: [spec], filters: [{ filter: 'anyError' }] };

/** Import the module again in each test, because it handles a link only once per page. */
async function open(debug: Partial<DebugState> = {}) {
  vi.resetModules();
  const { default: LinkedBreakpoints } = await import('./LinkedBreakpoints.tsx');
  const { renderWithNode: render } = await import('../../../node/run/testing/render-with-node.tsx');
  return render(<LinkedBreakpoints linked={linked} />, {
    debug: { ...idleDebugger, ...debug },
    results: {
      points: { points: [], decisions: [], variables: [] },
      setBreakpoints: { breakpoints: [] },
      setExceptionBreakpoints: {},
    },
  });
}

const changes = (commands: readonly unknown[]): readonly unknown[] =>
  commands.filter((command) => (command as { readonly command: string }).command.startsWith('set'));

beforeEach(() => document.body.replaceChildren());

describe('LinkedBreakpoints', () => {
  it('asks before it adds breakpoints to a server, and keeps those that are set', async () => {
    const { screen, commands } = await open({
      breakpoints: [{ id: 1, group: '', spec: own, verified: true, hits: 0 }],
    });
    const dialog = await screen.findByRole('dialog', { name: 'This link contains 2 breakpoints' });
    expect(dialog.textContent).toContain('pod web');
    expect(dialog.textContent).toContain('Any error');
    expect(changes(commands)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    await vi.waitFor(
      () =>
        expect(changes(commands)).toEqual([
          { command: 'setBreakpoints', group: '', breakpoints: [own, spec] },
          { command: 'setExceptionBreakpoints', filters: [{ filter: 'anyError' }] },
        ]),
      { timeout: 120_000 },
    );
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('adds nothing when the user ignores the link', async () => {
    const { screen, commands } = await open();
    await userEvent.click(await screen.findByRole('button', { name: 'Ignore' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(changes(commands)).toEqual([]);
  });

  it('asks nothing when all breakpoints of the link are set', async () => {
    const { screen, commands } = await open({
      breakpoints: [{ id: 1, group: '', spec, verified: true, hits: 0 }],
      filters: [{ filter: 'anyError' }],
    });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(changes(commands)).toEqual([]);
  });
});
