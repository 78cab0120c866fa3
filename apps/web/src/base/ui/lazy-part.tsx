/** Loads components with their first use or ahead of it. */
import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';

/** A component, with a function that loads it before its first use. */
export type LazyPart<Props> = ComponentType<Props & { readonly fallback?: ReactNode }> & {
  readonly load: () => Promise<unknown>;
};

/**
 * Returns a component that loads with its first use and shows `fallback` until then. Unlike a component of React's
 * `lazy`, it appears at once if it was loaded before, and otherwise as soon as it is loaded: React shows what suspended
 * only 300 ms after the last fallback. An error of `load` goes to the nearest error boundary.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async (): Promise<ComponentType<Props>> => (loaded = (await load()).default);
  function Part({ fallback, ...props }: Props & { readonly fallback?: ReactNode }) {
    const [component, setComponent] = useState(() => loaded);
    const [failure, setFailure] = useState<{ readonly error: unknown }>();
    const isLoaded = component !== undefined;
    useEffect(() => {
      if (isLoaded) return;
      loadOnce().then(
        (module) => setComponent(() => module),
        (error: unknown) => setFailure({ error }),
      );
    }, [isLoaded]);
    if (failure) throw failure.error;
    return component ? createElement(component, props as unknown as Props) : fallback;
  }
  return Object.assign(Part, { load: loadOnce });
}
