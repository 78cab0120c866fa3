/** Checks which columns are open after their buttons are pressed, in a wide and in a narrow window. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setColumn, setNarrow, toggleInspector, togglePods, useInterface } from './interface.ts';

const both = { isPodsOpen: true, isInspectorOpen: true };
const inspectorOnly = { isPodsOpen: false, isInspectorOpen: true };
const podsOnly = { isPodsOpen: true, isInspectorOpen: false };

describe('the columns of', () => {
  beforeEach(() => useInterface.setState({ isPodsOpen: false, isInspectorOpen: false, isNarrow: false }));

  afterEach(() => vi.unstubAllGlobals());

  it('a wide window are both open after both buttons are pressed', () => {
    togglePods();
    toggleInspector();
    expect(useInterface.getState()).toMatchObject(both);
  });

  it('a narrow window close each other', () => {
    setNarrow(true);
    togglePods();
    toggleInspector();
    expect(useInterface.getState()).toMatchObject(inspectorOnly);
    setColumn('pods', true);
    expect(useInterface.getState()).toMatchObject(podsOnly);
    togglePods();
    expect(useInterface.getState()).toMatchObject({ isPodsOpen: false, isInspectorOpen: false });
  });

  it('a window that becomes narrow are closed', () => {
    useInterface.setState(both);
    setNarrow(true);
    expect(useInterface.getState()).toMatchObject({ isPodsOpen: false, isInspectorOpen: false });
  });

  it('a window that has space for one column beside the run close each other', () => {
    vi.stubGlobal('innerWidth', 720);
    togglePods();
    toggleInspector();
    expect(useInterface.getState()).toMatchObject(inspectorOnly);
  });
});
