import { render, screen } from '@testing-library/react';
import { Component, type ReactNode, useLayoutEffect, useRef } from 'react';
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

it('shows the fallback in the first frame of a deferred component, even if it was loaded before', async () => {
  const Part = lazyPart(async () => module, { isDeferred: true });
  await Part.load();
  const frames: (string | null)[] = [];
  const Frame = ({ children }: { readonly children: ReactNode }): ReactNode => {
    const element = useRef<HTMLElement>(null);
    useLayoutEffect(() => void frames.push(element.current?.textContent ?? null));
    return <main ref={element}>{children}</main>;
  };
  render(
    <Frame>
      <Part name="Ada" fallback="Loading…" />
    </Frame>,
  );
  expect(frames).toEqual(['Loading…']);
  expect(await screen.findByText('hello Ada')).toBeDefined();
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
