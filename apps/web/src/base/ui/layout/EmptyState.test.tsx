import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { EmptyState } from './EmptyState.tsx';

describe('EmptyState', () => {
  it('is a status while busy and an alert after a failure', () => {
    const { rerender } = render(<EmptyState busy title="Loading…" />);
    expect(screen.getByRole('status').textContent).toBe('Loading…');
    rerender(
      <EmptyState alert title="Connection lost">
        Retry
      </EmptyState>,
    );
    expect(screen.getByRole('alert').textContent).toBe('Connection lostRetry');
  });

  it('titles a whole page with a heading', () => {
    render(<EmptyState heading="h1" title="No pods yet" />);
    expect(screen.getByRole('heading', { level: 1, name: 'No pods yet' })).toBeDefined();
  });
});
