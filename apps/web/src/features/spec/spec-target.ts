/** Stores the field that the Spec tab shows. */
import { create } from 'zustand';
import { useView } from '../../node/address/view-store.ts';

interface SpecTarget {
  /**
   * Path of the field, such as `spec.containers[0].image`. Each request is a new object, so that the same field can be
   * requested again.
   */
  readonly field: { readonly path: string } | undefined;
}

export const useSpecTarget = create<SpecTarget>()(() => ({ field: undefined }));

/** Opens the Spec tab at a field. */
export function showField(path: string): void {
  useSpecTarget.setState({ field: { path } });
  useView.getState().show({ tab: 'spec' });
}
