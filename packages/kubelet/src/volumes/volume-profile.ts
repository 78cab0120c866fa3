/** What differs between releases in volumes. Upstream: volumemanager.WaitForAttachAndMount (v1.36 and v1.20). */

export interface VolumeProfile {
  /** Why the wait for volumes ended without them. `names`: as Go prints a list. */
  readonly timedOut: (names: string) => string;
}

export const volumesV136: VolumeProfile = {
  timedOut: (names) => `unmounted volumes=${names}, unattached volumes=[], failed to process volumes=[]: context deadline exceeded`,
};

export const volumesV120: VolumeProfile = {
  timedOut: (names) => `unmounted volumes=${names}, unattached volumes=${names}: timed out waiting for the condition`,
};
