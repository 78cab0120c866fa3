/** Rows of a virtual list are as high as the page's scale says. */
import { useScale } from '../state/presentation.ts';

/** @param usual height in pixels, at a scale of 1 */
export const useRowHeight = (usual: number): number => usual * useScale();
