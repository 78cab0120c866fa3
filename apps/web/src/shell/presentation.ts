/**
 * Applies presentation mode, for projectors. Sizes are in rem, so the root's font size enlarges the page;
 * `--tl-scale` enlarges the timeline, and elements with `data-noise` are hidden.
 */

import { setScale } from '../base/theme/scale.ts';
import { useView } from '../node/address/view-store.ts';
import { useInterface } from '../node/view/interface.ts';

/** Scale of presentation mode; `tokens.css` repeats it. */
const presentScale = 1.25;

/** Window width below which only the middle of the page is shown, in pixels. */
const roomForInspector = 1_280;

const isPresenting = (): boolean => useView.getState().present;
export const togglePresentation = (): void => useView.getState().show({ present: !isPresenting() });

/**
 * Applies presentation mode as the address requests, now and after each change. Returns a function that stops following
 * it.
 */
export function followPresentation(): () => void {
  let panels: { readonly isPodsOpen: boolean; readonly isInspectorOpen: boolean } | undefined;
  const apply = (present: boolean): void => {
    const { dataset } = document.documentElement;
    if (present === 'present' in dataset) return;
    if (present) {
      dataset['present'] = '';
      const { isPodsOpen, isInspectorOpen } = useInterface.getState();
      panels = { isPodsOpen, isInspectorOpen };
      useInterface.setState({ isPodsOpen: false, isInspectorOpen: isInspectorOpen && innerWidth >= roomForInspector });
    } else {
      delete dataset['present'];
      if (panels) useInterface.setState(panels);
    }
    setScale(present ? presentScale : 1);
  };
  apply(isPresenting());
  return useView.subscribe(({ present }) => apply(present));
}
