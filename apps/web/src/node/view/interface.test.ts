/** Checks which columns are open after their buttons are pressed, in a wide and in a narrow window. */
import { afterEach, expect, it, vi } from 'vitest';
import { toggleInspector, togglePods, useInterface } from './interface.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['both columns', 1440, { isPodsOpen: true, isInspectorOpen: true }, { isPodsOpen: true, isInspectorOpen: true }],
  ['only the last', 360, { isPodsOpen: false, isInspectorOpen: true }, { isPodsOpen: true, isInspectorOpen: false }],
])('pods and inspector, opened one after the other, leave %s open at a width of %i', (_, width, then, last) => {
  vi.stubGlobal('innerWidth', width);
  useInterface.setState({ isPodsOpen: false, isInspectorOpen: false });
  togglePods();
  toggleInspector();
  expect(useInterface.getState()).toMatchObject(then);
  if (!then.isPodsOpen) togglePods();
  expect(useInterface.getState()).toMatchObject(last);
});
