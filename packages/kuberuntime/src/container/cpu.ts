/**
 * Converts CPU quantities to the kernel's shares and quotas. Upstream: pkg/kubelet/cm/helpers_linux.go, kuberuntime
 * milliCPUToQuota (v1.36).
 */

export const minShares = 2;
const maxShares = 262_144;
export const sharesPerCPU = 1024;
export const milliPerCPU = 1000;
const minQuota = 1000;

/** The length of a CFS period in microseconds. */
export const cfsPeriod = 100_000;

/** Returns CPU shares, between the kernel's minimum and maximum. Upstream: MilliCPUToShares (v1.36). */
export const milliCPUToShares = (milliCPU: number): number =>
  milliCPU === 0
    ? minShares
    : Math.min(Math.max(Math.floor((milliCPU * sharesPerCPU) / milliPerCPU), minShares), maxShares);

/** Returns the quota in microseconds per period, or 0 for no limit. Upstream: milliCPUToQuota. */
export const milliCPUToQuota = (milliCPU: number): number =>
  milliCPU === 0 ? 0 : Math.max(Math.floor((milliCPU * cfsPeriod) / milliPerCPU), minQuota);
