/** Handles dragging of the minimap's window and its edges. */
import { type MinimapPart, minimapPartAt } from '../draw/minimap.ts';
import { type TimeScale } from '../scale/time-scale.ts';
import { lengthOf, type Viewport } from '../scale/viewport.ts';

export interface MinimapTarget {
  scale(): TimeScale;
  viewport(): Viewport;
  set(viewport: Viewport): void;
  fit(): void;
  setActive(isActive: boolean): void;
}

const cursors: Readonly<Record<MinimapPart, string>> = {
  start: 'ew-resize',
  end: 'ew-resize',
  window: 'grab',
  outside: 'pointer',
};

/** Returns the window after one of its parts was dragged from the time `from` to the time `to`. */
export function dragged(part: MinimapPart, before: Viewport, from: number, to: number, least: number): Viewport {
  if (part === 'start') return { start: Math.min(to, before.end - least), end: before.end };
  if (part === 'end') return { start: before.start, end: Math.max(to, before.start + least) };
  return { start: before.start + to - from, end: before.end + to - from };
}

/**
 * Handles dragging on the minimap until `signal` aborts.
 * @param element the minimap's canvas
 * @param left returns where the time axis begins, in CSS pixels from the left edge of the canvas
 */
export function listenToMinimap(
  element: HTMLElement,
  signal: AbortSignal,
  left: () => number,
  target: MinimapTarget,
): void {
  let drag: { readonly part: MinimapPart; readonly from: number; readonly before: Viewport } | undefined;
  const x = (event: MouseEvent): number => event.clientX - element.getBoundingClientRect().left - left();
  const listen = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    handle: (event: HTMLElementEventMap[Type]) => void,
  ): void => element.addEventListener(type, handle, { signal });

  listen('pointerdown', (event) => {
    if (event.button !== 0 || x(event) < 0) return;
    const scale = target.scale();
    const part = minimapPartAt(scale, target.viewport(), x(event));
    const from = scale.time(x(event));
    let before = target.viewport();
    if (part === 'outside') {
      const half = lengthOf(before) / 2;
      before = { start: from - half, end: from + half };
      target.set(before);
    }
    drag = { part, from, before };
    element.setPointerCapture(event.pointerId);
    target.setActive(true);
  });
  listen('pointermove', (event) => {
    const scale = target.scale();
    if (!drag) {
      element.style.cursor = x(event) < 0 ? '' : cursors[minimapPartAt(scale, target.viewport(), x(event))];
      return;
    }
    element.style.cursor = drag.part === 'window' || drag.part === 'outside' ? 'grabbing' : 'ew-resize';
    target.set(dragged(drag.part, drag.before, drag.from, scale.time(x(event)), scale.msPerPixel * 2));
  });
  const end = (): void => {
    drag = undefined;
    target.setActive(false);
  };
  listen('pointerup', end);
  listen('pointercancel', end);
  listen('dblclick', () => target.fit());
}
