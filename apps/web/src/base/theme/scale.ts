/** Stores the factor by which presentation mode enlarges the page. */
import { create } from 'zustand';
import { announceLook } from './theme.ts';

const useScaleStore = create<{ readonly scale: number }>()(() => ({ scale: 1 }));

/** Returns the factor by which sizes in pixels have to be multiplied. */
export const useScale = (): number => useScaleStore(({ scale }) => scale);

/** Sets the factor, and notifies views that don't draw with CSS. */
export function setScale(scale: number): void {
  useScaleStore.setState({ scale });
  announceLook();
}
