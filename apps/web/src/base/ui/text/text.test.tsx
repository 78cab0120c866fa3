import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { CopyText } from './CopyText.tsx';
import { ValueTree } from './ValueTree.tsx';

describe('CopyText', () => {
  it('copies its text and confirms it', async () => {
    const user = userEvent.setup();
    render(<CopyText text="kubectl get pods" label="Copy command" />);
    await user.click(screen.getByRole('button', { name: 'Copy command' }));
    expect(await navigator.clipboard.readText()).toBe('kubectl get pods');
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeDefined();
  });
});

describe('ValueTree', () => {
  it('opens a folded member with a click', async () => {
    render(<ValueTree value={{ status: { phase: 'Running' } }} openTo={0} />);
    expect(screen.queryByText('Running')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /status/ }));
    expect(screen.getByText('Running')).toBeDefined();
  });

  it('truncates a long text until the user expands it', async () => {
    const text = 'x'.repeat(300);
    render(<ValueTree value={{ log: text }} />);
    expect(screen.queryByText(text)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'all 300 characters' }));
    expect(screen.getByText(text)).toBeDefined();
  });
});
