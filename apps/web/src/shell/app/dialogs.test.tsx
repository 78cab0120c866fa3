import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { usePreferences } from '../../base/preferences/preferences.ts';
import { renderWithNode } from '../../node/run/testing/render-with-node.tsx';
import { closeDialog, type DialogName, openDialog, openEditor, useInterface } from '../../node/view/interface.ts';
import { Dialogs } from './Dialogs.tsx';

/** Tests must not reach a server, so the page's own connection never opens. */
vi.stubGlobal(
  'WebSocket',
  class {
    addEventListener(): void {}
    close(): void {}
  },
);

// The editor calls this function if it detects Safari. jsdom doesn't implement it.
Object.assign(document, { execCommand: () => false });

beforeEach(() => {
  closeDialog();
  useInterface.setState({ editor: undefined });
});

const open = async (name: DialogName, title: string, results?: Readonly<Record<string, unknown>>) => {
  openDialog(name);
  const page = await renderWithNode(<Dialogs />, results === undefined ? {} : { results });
  return { ...page, dialog: await page.screen.findByRole('dialog', { name: title }, { timeout: 120_000 }) };
};

describe('each dialog', () => {
  it.each([
    ['help', 'Keyboard shortcuts'],
    ['guide', 'How to read this page'],
    ['sources', 'Go to file or function'],
    ['settings', 'Settings'],
    ['scenarios', 'Scenarios'],
    ['lessons', 'Lessons'],
    ['lessonEditor', 'Lesson editor'],
    ['class', 'Start a class'],
    ['node', 'Node'],
    ['runs', 'Saved runs'],
    ['snapshot', 'Explain a pod from another cluster'],
    ['breakpoints', 'Breakpoints'],
    ['faults', 'Faults'],
  ] as const)('%s opens with its title and closes with Escape', async (name, title) => {
    const { dialog } = await open(name, title);
    // Before the dialog has the focus, the key goes to the page.
    await expect.poll(() => dialog.contains(document.activeElement), { timeout: 120_000 }).toBe(true);
    await userEvent.keyboard('{Escape}');
    expect(useInterface.getState().dialog).toBeUndefined();
  });

  it('settings stores the chosen theme', async () => {
    const { screen } = await open('settings', 'Settings');
    await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
    expect(usePreferences.getState().theme).toBe('dark');
  });

  it('scenarios lists only those that match the search', async () => {
    const { screen } = await open('scenarios', 'Scenarios');
    const all = screen.getAllByRole('link').length;
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search scenarios' }), 'crash');
    const found = screen.getAllByRole('link').length;
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(all);
  });

  it('breakpoints sends the exception filter that is switched on', async () => {
    const { screen, commands } = await open('breakpoints', 'Breakpoints', {
      setExceptionBreakpoints: { filters: ['error'] },
      points: { points: [], decisions: [], variables: [] },
    });
    await userEvent.click(screen.getByRole('checkbox', { name: /Any error/ }));
    await vi.waitFor(
      () => expect(commands).toContainEqual(expect.objectContaining({ command: 'setExceptionBreakpoints' })),
      { timeout: 120_000 },
    );
  });

  it('palette runs the found command with Enter', async () => {
    openDialog('palette');
    const { screen } = await renderWithNode(<Dialogs />);
    await userEvent.type(await screen.findByRole('combobox', {}, { timeout: 120_000 }), 'settings{Enter}');
    expect(useInterface.getState().dialog).toBe('settings');
  });

  it('the editor opens with the given manifest and closes with Escape', async () => {
    openEditor('apiVersion: v1\nkind: Pod\n');
    const { screen } = await renderWithNode(<Dialogs />);
    await screen.findByRole('dialog', { name: 'New pod' }, { timeout: 120_000 });
    await userEvent.keyboard('{Escape}');
    expect(useInterface.getState().editor).toBeUndefined();
  });
});
