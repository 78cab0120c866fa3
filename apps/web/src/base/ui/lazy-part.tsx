/** Loads components with their first use or ahead of it. */
import { type ComponentType, createElement, lazy, useState } from 'react';

/** A component, with a function that loads it before its first use. */
export type LazyPart<Props> = ComponentType<Props> & { readonly load: () => Promise<unknown> };

/**
 * Like React's `lazy`, but shows a component at once if it was loaded before. React's `lazy` suspends even if the
 * module is already loaded, and then shows the component only after the delay for fallbacks (300 ms).
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async (): Promise<{ default: ComponentType<Props> }> => {
    const module = await load();
    loaded = module.default;
    return module;
  };
  const Suspending = lazy(loadOnce) as unknown as ComponentType<Props>;
  function Part(props: Props) {
    // Keep the choice while the part is mounted: another component would mount again and lose its state.
    const [component] = useState(() => loaded ?? Suspending);
    return createElement(component, props);
  }
  return Object.assign(Part, { load: loadOnce });
}
