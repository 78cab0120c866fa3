/** Declares the facts about the node that configurations of containers depend on. */
export interface RuntimeNode {
  readonly memoryBytes: number;
  /** The supported page sizes in CRI's notation, for example `2MB` and `1GB`. */
  readonly hugePageSizes: readonly string[];
  /** Whether CPU limits are enforced. */
  readonly cpuCFSQuota: boolean;
  readonly cgroupVersion: 1 | 2;
  /** Whether containers without a seccomp profile get the runtime's default profile (v1.36). */
  readonly seccompDefault: boolean;
  /** The directory of `Localhost` seccomp profiles. */
  readonly seccompProfileRoot: string;
  /** Whether the OOM killer kills a single process; if false, it kills the whole container (v1.36). Default: false. */
  readonly singleProcessOOMKill?: boolean;
  /** Whether the kernel accounts for swap. If so, containers get no swap (v1.36). Default: false. */
  readonly swapController?: boolean;
}
