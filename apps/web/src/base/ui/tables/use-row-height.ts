/** Scales the row height of virtual lists with presentation mode. */
import { useScale } from '../../theme/scale.ts';

/** Returns the row height in pixels. @param usual height at a scale of 1 */
export const useRowHeight = (usual: number): number => usual * useScale();
