import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Button, IconButton, IconToggle, Toggle } from './Button.tsx';

describe('Button', () => {
  it('calls onPress for a click, Enter and Space', async () => {
    const onPress = vi.fn();
    render(<Button onPress={onPress}>Apply</Button>);
    const button = screen.getByRole('button', { name: 'Apply' });
    await userEvent.click(button);
    await userEvent.keyboard('{Enter} ');
    expect(onPress).toHaveBeenCalledTimes(3);
  });

  it('is disabled and described by the reason when the action is refused', async () => {
    const onPress = vi.fn();
    render(
      <Button onPress={onPress} refusal="Not connected to the node.">
        Apply
      </Button>,
    );
    const button = screen.getByRole('button', { name: 'Apply', description: 'Not connected to the node.' });
    await userEvent.click(button);
    expect(button).toHaveProperty('disabled', true);
    expect(onPress).not.toHaveBeenCalled();
  });
});

describe('IconButton', () => {
  it('shows its name and shortcut as a tooltip on focus', async () => {
    const onPress = vi.fn();
    render(<IconButton icon="close" label="Close" shortcut="Esc" onPress={onPress} />);
    await userEvent.tab();
    expect((await screen.findByRole('tooltip')).textContent).toBe('CloseEsc');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(onPress).toHaveBeenCalledOnce();
  });
});

describe('IconToggle and Toggle', () => {
  it('report the new state and expose it as pressed', async () => {
    const onChange = vi.fn();
    render(
      <>
        <IconToggle icon="panelLeft" label="Pods panel" isSelected onChange={onChange} />
        <Toggle onChange={onChange}>Follow</Toggle>
      </>,
    );
    const panel = screen.getByRole('button', { name: 'Pods panel' });
    expect(panel.getAttribute('aria-pressed')).toBe('true');
    await userEvent.click(panel);
    await userEvent.click(screen.getByRole('button', { name: 'Follow' }));
    expect(onChange.mock.calls).toEqual([[false], [true]]);
  });
});
