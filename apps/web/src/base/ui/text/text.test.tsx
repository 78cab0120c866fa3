import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { CopyButton, CopyText } from './CopyText.tsx';
import { MiddleText } from './MiddleText.tsx';
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

describe('CopyButton', () => {
  it('copies its text with the keyboard and keeps the focus', async () => {
    const user = userEvent.setup();
    render(<CopyButton text="docker://4f1c" label="Copy container ID" />);
    await user.tab();
    const button = screen.getByRole('button', { name: 'Copy container ID' });
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('button', { name: 'Copied' })).toBe(button);
    expect(await navigator.clipboard.readText()).toBe('docker://4f1c');
    expect(document.activeElement).toBe(button);
  });
});

describe('MiddleText', () => {
  it.each([
    ['web-6d8f7b9c45-x2k4f-and-more', ['web-6d8f7b9c45-x2k', '4f-and-more']],
    ['a-name-of-22-character', ['a-name-of-22-character']],
    ['', ['']],
  ])('splits %j into %j', (name, parts) => {
    const { container } = render(<MiddleText>{name}</MiddleText>);
    const text = container.firstElementChild;
    expect([...(text?.children ?? [])].map(({ textContent }) => textContent)).toEqual(parts);
    expect(text?.getAttribute('title')).toBe(name);
    expect(text?.textContent).toBe(name);
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
