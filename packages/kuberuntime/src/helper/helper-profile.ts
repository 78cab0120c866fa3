/** Declares how releases differ in the values that the kubelet prepares for the runtime manager. */
import { type DNSProfile, dnsProfileV136 } from './dns.ts';
import { type EnvironmentProfile, environmentProfileV136 } from './environment.ts';

export interface HelperProfile {
  readonly dns: DNSProfile;
  readonly environment: EnvironmentProfile;
  /** Whether /etc/hosts is mounted into pods on the host network before they have an address. */
  readonly hostsFileForHostNetwork: boolean;
  /** Whether `spec.hostnameOverride` is supported. */
  readonly hostnameOverride: boolean;
  /** Whether `recursiveReadOnly` of volume mounts is supported. */
  readonly recursiveReadOnly: boolean;
}

export const helperProfileV136: HelperProfile = {
  dns: dnsProfileV136,
  environment: environmentProfileV136,
  hostsFileForHostNetwork: true,
  hostnameOverride: true,
  recursiveReadOnly: true,
};
