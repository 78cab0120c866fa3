/** Defines the state of an image that a pod mounts as a volume. Upstream: kuberuntime imageVolumePulls (v1.36). */
import { ActionError } from './action-error.ts';

/** An image on the node, or the error that prevents its use. */
export type ImageVolume =
  | { readonly image: string; readonly userSpecifiedImage: string }
  | { readonly failure: ActionError };
