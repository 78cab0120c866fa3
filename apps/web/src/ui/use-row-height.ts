/** Rows of a virtual list are as high as the page's scale says. */
import { useEffect, useRef } from 'react';
import { useScale } from '../state/presentation.ts';

/** @param usual height in pixels, at a scale of 1 */
export const useRowHeight = (usual: number): number => usual * useScale();

/** Has the list reckon again once its rows are of another height. */
export function useRemeasure(list: { measure(): void }, rowHeight: number): void {
  const known = useRef(rowHeight);
  useEffect(() => {
    if (known.current === rowHeight) return;
    known.current = rowHeight;
    list.measure();
  }, [list, rowHeight]);
}
