/**
 * Presentation mode: what a wall or a projector needs. Everything is measured in rem, so that the root's font size enlarges the page, and the
 * timeline's `--tl-scale` with it; what has `data-noise` goes away. The address says whether it is on.
 */
import { useInterface } from './interface.ts';
import { announceLook } from './theme.ts';
import { useView } from './view-store.ts';

/** What presenting multiplies sizes with; `tokens.css` says the same. */
const presentScale = 1.25;

/** Below this width only the middle of the page is shown. */
const roomForInspector = 1_280;

const isPresenting = (): boolean => useView.getState().present;
export const togglePresentation = (): void => useView.getState().show({ present: !isPresenting() });

/** Factor on sizes that are reckoned in pixels. */
export const useScale = (): number => useView(({ present }) => (present ? presentScale : 1));

/** Keeps the page as the address says. */
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
    announceLook();
  };
  apply(isPresenting());
  return useView.subscribe(({ present }) => apply(present));
}
