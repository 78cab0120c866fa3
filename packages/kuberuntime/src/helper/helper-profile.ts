/** Defines how releases differ in what the kubelet prepares for the runtime manager. */
import { type DNSProfile, dnsProfileV136 } from './dns.ts';
import { type EnvironmentProfile, environmentProfileV136 } from './environment.ts';

export interface HelperProfile {
  readonly dns: DNSProfile;
  readonly environment: EnvironmentProfile;
  /** True if host-network pods get /etc/hosts mounted before they have an address. */
  readonly hostsFileForHostNetwork: boolean;
  /** True if `spec.hostnameOverride` is supported. */
  readonly hostnameOverride: boolean;
}

export const helperProfileV136: HelperProfile = {
  dns: dnsProfileV136,
  environment: environmentProfileV136,
  hostsFileForHostNetwork: true,
  hostnameOverride: true,
};
