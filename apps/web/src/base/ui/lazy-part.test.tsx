import { render, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { lazyPart } from './lazy-part.tsx';

const module = { default: ({ name }: { readonly name: string }) => <p>hello {name}</p> };

class Boundary extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};
  static getDerivedStateFromError = (error: Error) => ({ error });
  override render(): ReactNode {
    return this.state.error ? <p>failed: {this.state.error.message}</p> : this.props.children;
  }
}

afterEach(() => vi.restoreAllMocks());

it('shows the fallback until the component is loaded', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof module>();
  const Part = lazyPart(() => promise);
  render(<Part name="Ada" fallback={<p>Loading…</p>} />);
  expect(screen.getByText('Loading…')).toBeDefined();
  resolve(module);
  expect(await screen.findByText('hello Ada')).toBeDefined();
  expect(screen.queryByText('Loading…')).toBeNull();
});

it('shows a component that was loaded before in its first frame', async () => {
  const Part = lazyPart(async () => module);
  await Part.load();
  render(<Part name="Grace" />);
  expect(screen.getByText('hello Grace')).toBeDefined();
});

it('gives the error of a failed load to the error boundary', async () => {
  // React also logs the error to the console.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const Part = lazyPart((): Promise<typeof module> => Promise.reject(new Error('no such file')));
  render(
    <Boundary>
      <Part name="Alan" />
    </Boundary>,
  );
  expect(await screen.findByText('failed: no such file')).toBeDefined();
});
