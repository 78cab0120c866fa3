import { fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderWithNode } from '../../../node/run/testing/render-with-node.tsx';
import { LogLines } from './LogLines.tsx';
import type { ShownLine } from './log-buffer.ts';

const lines = Array.from(
  { length: 1_000 },
  (_, number): ShownLine => ({ number, time: 0, stream: 'stdout', text: `line ${number}` }),
);

const view = async (props: { readonly follow: boolean; readonly wrap?: boolean }, onFollow = vi.fn()) => {
  await renderWithNode(
    <LogLines
      label="Log of app"
      lines={lines}
      search=""
      wrap={false}
      timestamps={false}
      onFollow={onFollow}
      earlier={0}
      onEarlier={() => undefined}
      momentAt={undefined}
      {...props}
    />,
  );
  return onFollow;
};

// jsdom doesn't scroll.
Element.prototype.scrollBy = () => undefined;

/** Gives elements a height, because jsdom has no layout. */
const layOut = (height: 'clientHeight' | 'offsetHeight', pixels: number): void => {
  vi.spyOn(HTMLElement.prototype, height, 'get').mockReturnValue(pixels);
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe('LogLines', () => {
  it('renders only the first lines of a long log that is not followed', async () => {
    layOut('clientHeight', 200);
    await view({ follow: false });
    expect(screen.getByText('line 0')).toBeDefined();
    expect(screen.getAllByText(/^line /).length).toBeLessThan(40);
  });

  it('renders the last lines while it follows, and stops when the wheel turns up', async () => {
    layOut('clientHeight', 200);
    const onFollow = await view({ follow: true });
    expect(screen.getByText('line 999')).toBeDefined();
    fireEvent.wheel(screen.getByRole('log', { name: 'Log of app' }), { deltaY: -10 });
    expect(onFollow.mock.calls).toEqual([[false]]);
  });

  it('places wrapped lines by their measured heights', async () => {
    layOut('clientHeight', 200);
    layOut('offsetHeight', 60);
    await view({ follow: false, wrap: true });
    const second = screen.getByText('line 1').closest<HTMLElement>('[data-key]');
    expect(second?.style.transform).toBe('translateY(60px)');
  });
});
