/** Facts about the node that container configurations depend on. */
export interface RuntimeNode {
  readonly memoryBytes: number;
  /** The supported page sizes in CRI's notation: `2MB`, `1GB`. */
  readonly hugePageSizes: readonly string[];
  /** True if CPU limits are enforced. */
  readonly cpuCFSQuota: boolean;
  readonly cgroupVersion: 1 | 2;
  /** True if containers without a seccomp profile get the runtime's default profile (v1.36). */
  readonly seccompDefault: boolean;
  /** The directory of `Localhost` seccomp profiles. */
  readonly seccompProfileRoot: string;
  /** True if the OOM killer kills a single process instead of the whole container (v1.36). Default: false. */
  readonly singleProcessOOMKill?: boolean;
  /** True if the kernel accounts for swap; containers then get none (v1.36). Default: false. */
  readonly swapController?: boolean;
}
