var e=`/** CPU as the kernel is told: weights and quotas. Upstream: pkg/kubelet/cm/helpers_linux.go, kuberuntime milliCPUToQuota (v1.36). */

const minShares = 2;
const maxShares = 262_144;
const sharesPerCPU = 1024;
const milliPerCPU = 1000;
const minQuota = 1000;

/** Length of a CFS period in microseconds. */
export const cfsPeriod = 100_000;

/** Upstream: MilliCPUToShares (v1.36). */
export const milliCPUToShares = (milliCPU: number): number =>
  milliCPU === 0 ? minShares : Math.min(Math.max(Math.floor((milliCPU * sharesPerCPU) / milliPerCPU), minShares), maxShares);

/** Without an upper end. Upstream: milliCPUToShares (v1.20). */
export const milliCPUToSharesV120 = (milliCPU: number): number =>
  milliCPU === 0 ? minShares : Math.max(Math.floor((milliCPU * sharesPerCPU) / milliPerCPU), minShares);

/** Microseconds in each period; 0 for no limit. Upstream: milliCPUToQuota. */
export const milliCPUToQuota = (milliCPU: number): number => (milliCPU === 0 ? 0 : Math.max(Math.floor((milliCPU * cfsPeriod) / milliPerCPU), minQuota));
`;export{e as default};
//# sourceMappingURL=cpu-CDZqc_Qa.js.map