import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { Section } from './Section.tsx';

describe('Section', () => {
  it('hides its content and action when it is folded', async () => {
    render(
      <Section title="Conditions" count={2} action={<button type="button">Copy</button>}>
        Ready
      </Section>,
    );
    const heading = screen.getByRole('button', { name: /Conditions/ });
    expect(heading.getAttribute('aria-expanded')).toBe('true');
    await userEvent.click(heading);
    expect(heading.getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByText('Ready')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull();
  });
});
