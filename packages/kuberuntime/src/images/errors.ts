/**
 * Defines the errors of images. The name of an error is also its text. Upstream: pkg/kubelet/images/types.go,
 * cri-api/pkg/errors (v1.36).
 */
import { ActionError } from '../sync/action-error.ts';
import { SyncError } from '../sync/sync-result.ts';

export type ImageErrorName =
  | 'ErrImagePull'
  | 'ErrImageNeverPull'
  | 'ImageInspectError'
  | 'ImagePullBackOff'
  | 'InvalidImageName'
  | 'RegistryUnavailable'
  | 'SignatureValidationFailed';

export const imageError = (name: ImageErrorName, message: string): ActionError =>
  new ActionError(new SyncError(name), message);
