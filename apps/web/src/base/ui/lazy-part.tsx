/** Loads a component when it is first rendered, or earlier on request. */
import { type ComponentType, createElement, type ReactNode, useDeferredValue, useEffect, useState } from 'react';

/** A component, with a function that loads it before it is first rendered. */
export type LazyPart<Props> = ComponentType<Props & { readonly fallback?: ReactNode }> & {
  readonly load: () => Promise<unknown>;
};

/**
 * Returns a component that loads when it is first rendered and shows `fallback` until then. React's `lazy` would show
 * the component only 300 ms after the last fallback. This component appears as soon as it is loaded, and at once if it
 * was loaded before. An error of `load` goes to the nearest error boundary.
 * @param isDeferred true for a component that takes long to render: a page that opens paints `fallback` first
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  { isDeferred = false }: { readonly isDeferred?: boolean } = {},
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async (): Promise<ComponentType<Props>> => (loaded = (await load()).default);
  function Part({ fallback, ...props }: Props & { readonly fallback?: ReactNode }) {
    const [component, setComponent] = useState(() => loaded);
    const isDue = useDeferredValue(true, !isDeferred);
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
    return component && isDue ? createElement(component, props as unknown as Props) : fallback;
  }
  return Object.assign(Part, { load: loadOnce });
}
