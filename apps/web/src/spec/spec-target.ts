/** Which field of the pod the spec shows. */
import { create } from 'zustand';
import { useView } from '../state/view-store.ts';

interface SpecTarget {
  /** `spec.containers[0].image`; each request is another object, so that the same field can be asked for again. */
  readonly field: { readonly path: string } | undefined;
}

export const useSpecTarget = create<SpecTarget>()(() => ({ field: undefined }));

/** Opens the spec at a field. */
export function showField(path: string): void {
  useSpecTarget.setState({ field: { path } });
  useView.getState().show({ tab: 'spec' });
}
