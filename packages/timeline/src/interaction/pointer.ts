/** Handles mouse, pen and touch: hover, click, drag to pan, shift-drag to measure, pinch and wheel to zoom. */

/** Positions are CSS pixels from the left edge of the lanes (negative over the names) and from the top of the axis. */
export interface PointerTarget {
  readonly axisHeight: () => number;
  hover(x: number, y: number, event: PointerEvent): void;
  leave(): void;
  click(x: number, y: number): void;
  doubleClick(x: number, y: number): void;
  /** Moves the visible range by pixels. */
  drag(dx: number, dy: number): void;
  scroll(dy: number): void;
  /** Zooms in if `factor` is above 1. `isSmooth` animates the zoom. */
  zoom(factor: number, x: number, isSmooth: boolean): void;
  pan(dx: number): void;
  measure(from: number, to: number): void;
  endMeasure(): void;
}

/** How far a press may move and still count as a click, in pixels. */
const slack = 3;

interface Press {
  readonly x: number;
  readonly y: number;
  readonly kind: 'pan' | 'measure';
  hasMoved: boolean;
}

/** Converts wheel deltas, which are in pixels, lines or pages. */
const pixelsOf = (event: WheelEvent, delta: number): number =>
  event.deltaMode === 1 ? delta * 16 : event.deltaMode === 2 ? delta * 400 : delta;

/** Listens on `element` until `signal` aborts. `origin` returns where the axis begins inside it. */
export function listenToPointer(
  element: HTMLElement,
  signal: AbortSignal,
  origin: () => { readonly x: number; readonly y: number },
  target: PointerTarget,
): void {
  const pointers = new Map<number, { x: number; y: number }>();
  let press: Press | undefined;
  let pinch: number | undefined;

  const place = (event: MouseEvent): { readonly x: number; readonly y: number } => {
    const box = element.getBoundingClientRect();
    const { x, y } = origin();
    return { x: event.clientX - box.left - x, y: event.clientY - box.top - y };
  };
  const listen = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    handle: (event: HTMLElementEventMap[Type]) => void,
  ): void => element.addEventListener(type, handle, { signal, passive: false });

  const pinchMove = (): void => {
    const [first, second] = [...pointers.values()];
    if (!first || !second) return;
    const distance = Math.max(10, Math.abs(first.x - second.x));
    if (pinch !== undefined) target.zoom(distance / pinch, (first.x + second.x) / 2, false);
    pinch = distance;
  };

  listen('pointerdown', (event) => {
    const at = place(event);
    if (at.y < 0 || event.button > 1) return;
    pointers.set(event.pointerId, at);
    element.setPointerCapture(event.pointerId);
    pinch = undefined;
    const isMeasure = event.shiftKey || (at.y < target.axisHeight() && at.x >= 0);
    press = pointers.size === 1 ? { ...at, kind: isMeasure ? 'measure' : 'pan', hasMoved: false } : undefined;
    if (event.button === 1) event.preventDefault();
  });

  listen('pointermove', (event) => {
    const at = place(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      if (at.y < 0) target.leave();
      else target.hover(at.x, at.y, event);
      return;
    }
    pointers.set(event.pointerId, at);
    if (pointers.size > 1) {
      pinchMove();
      return;
    }
    if (!press) return;
    if (!press.hasMoved && Math.hypot(at.x - press.x, at.y - press.y) <= slack) return;
    if (press.kind === 'measure') target.measure(press.x, at.x);
    // The first pixels of a drag are ignored. Adding them later would make the view jump.
    else if (press.hasMoved) target.drag(at.x - before.x, at.y - before.y);
    press.hasMoved = true;
    element.style.cursor = press.kind === 'pan' ? 'grabbing' : 'col-resize';
  });

  const release = (event: PointerEvent): void => {
    const isKnown = pointers.delete(event.pointerId);
    pinch = undefined;
    element.style.cursor = '';
    const ended = press;
    press = undefined;
    if (!isKnown || !ended || event.type === 'pointercancel') return;
    if (ended.hasMoved && ended.kind === 'measure') target.endMeasure();
    else if (!ended.hasMoved) target.click(ended.x, ended.y);
  };
  listen('pointerup', release);
  listen('pointercancel', release);
  listen('pointerleave', () => {
    if (pointers.size === 0) target.leave();
  });
  listen('dblclick', (event) => {
    const at = place(event);
    if (at.y >= 0 && at.x >= 0) target.doubleClick(at.x, at.y);
  });

  listen('wheel', (event) => {
    const at = place(event);
    const dx = pixelsOf(event, event.deltaX);
    const dy = pixelsOf(event, event.deltaY);
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      // Browsers report a pinch on a touchpad as a wheel event with Ctrl and small deltas.
      const isPinch = event.deltaMode === 0 && Math.abs(dy) < 40;
      target.zoom(Math.exp(-dy * (isPinch ? 0.012 : 0.0025)), at.x, !isPinch);
    } else if (at.x < 0 || event.altKey) target.scroll(dy);
    else if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) target.pan(Math.abs(dx) > Math.abs(dy) ? dx : dy);
    else target.zoom(Math.exp(-Math.max(-240, Math.min(240, dy)) * 0.0025), at.x, true);
  });
}
