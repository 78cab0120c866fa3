import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Chip } from './Chip.tsx';
import { Icon } from './Icon.tsx';
import { Keys } from './Keys.tsx';
import { SpokenText } from './SpokenText.tsx';
import { StateMark } from './StateMark.tsx';
import { Twist } from './Twist.tsx';

describe('marks', () => {
  it('hides icons and state marks from screen readers', () => {
    const { container } = render(
      <>
        <Icon name="close" />
        <StateMark tone="error" />
      </>,
    );
    expect([...container.querySelectorAll('svg')].map((svg) => svg.getAttribute('aria-hidden'))).toEqual([
      'true',
      'true',
    ]);
  });

  it('draws a chip with its mark, or without when the mark is off', () => {
    const { container, rerender } = render(<Chip tone="error">failed</Chip>);
    expect(container.querySelectorAll('svg')).toHaveLength(1);
    rerender(
      <Chip tone="error" mark={false}>
        failed
      </Chip>,
    );
    expect(container.querySelectorAll('svg')).toHaveLength(0);
    expect(container.textContent).toBe('failed');
  });

  it('renders each key of a shortcut, and nothing without a shortcut', () => {
    const { container, rerender } = render(<Keys keys={['Ctrl', 'K']} />);
    expect([...container.querySelectorAll('kbd')].map(({ textContent }) => textContent)).toEqual(['Ctrl', 'K']);
    rerender(<Keys keys={[]} />);
    expect(container.childElementCount).toBe(0);
  });

  it('keeps spoken text in the document', () => {
    render(<SpokenText>failed</SpokenText>);
    expect(screen.getByText('failed')).toBeDefined();
  });

  it('draws an arrow for a row with children that turns when the row opens, and none for a row without', () => {
    const { container, rerender } = render(<Twist isOpen={false} />);
    const arrow = container.querySelector('svg');
    const closed = container.firstElementChild?.className;
    expect(arrow?.getAttribute('aria-hidden')).toBe('true');
    rerender(<Twist isOpen />);
    expect(container.querySelector('svg')).toBe(arrow);
    expect(container.firstElementChild?.className).not.toBe(closed);
    rerender(<Twist />);
    expect(container.querySelector('svg')).toBeNull();
    expect(container.firstElementChild?.tagName).toBe('SPAN');
  });
});
