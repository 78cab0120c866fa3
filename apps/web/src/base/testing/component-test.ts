/**
 * Prepares component tests: unmounts after each test, adds the browser APIs that jsdom lacks, and restores the globals
 * that a file replaces, because the next file has the same ones.
 */
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

/** jsdom has no layout, so sizes never change. */
class FixedSizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

globalThis.ResizeObserver ??= FixedSizeObserver;
// jsdom has no layout, so this method is missing there.
// oxlint-disable-next-line typescript/unbound-method
Element.prototype.scrollIntoView ??= () => undefined;
// jsdom also lacks the rectangles of a selection, which CodeMirror draws.
// oxlint-disable-next-line typescript/unbound-method
Range.prototype.getClientRects ??= () => Object.assign([], { item: () => null });

// Allow more time than the default of one second, because queries take longer on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

afterEach(() => cleanup());
afterAll(() => vi.unstubAllGlobals());
