/** Facts of the node that containers are configured with. */
export interface RuntimeNode {
  readonly memoryBytes: number;
  /** As CRI names them: `2MB`, `1GB`. */
  readonly hugePageSizes: readonly string[];
  /** Whether CPU limits are enforced. */
  readonly cpuCFSQuota: boolean;
  readonly cgroupVersion: 1 | 2;
  /** Containers without a seccomp profile get the runtime's own (v1.36). */
  readonly seccompDefault: boolean;
  /** Where `Localhost` seccomp profiles lie. */
  readonly seccompProfileRoot: string;
  /** Out of memory, only the process that asked is killed, not the whole container (v1.36). Default false. */
  readonly singleProcessOOMKill?: boolean;
  /** The kernel counts swap; containers then get none of it (v1.36). Default false. */
  readonly swapController?: boolean;
}
