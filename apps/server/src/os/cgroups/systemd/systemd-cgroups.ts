/**
 * Manages pod cgroups as systemd slices in the unified hierarchy. Upstream: libcontainer cgroups/systemd unifiedManager
 * (v2.go), as pkg/kubelet/cm uses it with the driver systemd.
 */
import type { PodCgroupConfig } from '@podscope/kuberuntime';
import { isDirectory, removeCgroup } from '../cgroup-files.ts';
import { type CgroupsV2, weightOf } from '../cgroups-v2.ts';
import type { CgroupHierarchy } from '../hierarchy.ts';
import type { Variant } from './dbus-codec.ts';
import type { SystemdUnits, UnitProperties } from './systemd-units.ts';

/** The value that stands for "no limit" in systemd. */
const infinity = 2n ** 64n - 1n;
const microsecondsPerSecond = 1_000_000;
/**
 * Quotas are rounded up to this step, in microseconds per second. It is the step of 10 ms per second to which systemd
 * would round them.
 */
const quotaStep = 10_000;
const defaultPeriod = 100_000;

const uint64 = (value: number | bigint): Variant => ({ signature: 't', value: BigInt(value) });
const yes: Variant = { signature: 'b', value: true };
const no: Variant = { signature: 'b', value: false };

const unitOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns the name of a slice's parent: `kubepods-burstable.slice` for `kubepods-burstable-podab_cd.slice`. */
function parentOf(unit: string): string {
  const name = unit.slice(0, -'.slice'.length);
  const dash = name.lastIndexOf('-');
  return dash < 0 ? '-.slice' : `${name.slice(0, dash)}.slice`;
}

/** Returns the unit properties that set the values. Upstream: genV2ResourcesProperties. */
function resourceProperties({ cpuShares, cpuQuota, cpuPeriod, memory }: PodCgroupConfig): UnitProperties {
  const period = cpuPeriod || defaultPeriod;
  const perSecond = ((cpuQuota ?? 0) * microsecondsPerSecond) / period;
  return {
    ...(memory === undefined ? {} : { MemoryMax: uint64(memory > 0 ? memory : infinity) }),
    ...(cpuShares === undefined ? {} : { CPUWeight: uint64(weightOf(cpuShares)) }),
    ...(cpuQuota === undefined
      ? {}
      : {
          CPUQuotaPeriodUSec: uint64(period),
          CPUQuotaPerSecUSec: uint64(cpuQuota > 0 ? Math.ceil(perSecond / quotaStep) * quotaStep : infinity),
        }),
  };
}

export class SystemdCgroups implements CgroupHierarchy {
  readonly #files: CgroupsV2;
  readonly #units: SystemdUnits;

  constructor(files: CgroupsV2, units: SystemdUnits) {
    this.#files = files;
    this.#units = units;
  }

  directories(path: string): readonly string[] {
    return this.#files.directories(path);
  }

  exists(path: string): Promise<boolean> {
    return this.#files.exists(path);
  }

  /**
   * Starts the slice. systemd also starts the parents of the slice.
   * @throws Error if the slice has no cgroup afterwards
   */
  async create(path: string): Promise<void> {
    if (await this.exists(path)) return;
    const unit = unitOf(path);
    await this.#units.startTransientUnit(unit, {
      Description: { signature: 's', value: `cgroup of pods ${unit}` },
      Wants: { signature: 'as', value: [parentOf(unit)] },
      MemoryAccounting: yes,
      CPUAccounting: yes,
      IOAccounting: yes,
      TasksAccounting: yes,
      DefaultDependencies: no,
    });
    if (!(await this.exists(path))) throw new Error(`systemd started ${unit} without the cgroup ${path}`);
  }

  /**
   * Writes the values through systemd and directly to the files, as upstream does. systemd would reset values that were
   * written only to the files.
   */
  async write(path: string, config: PodCgroupConfig): Promise<void> {
    const properties = resourceProperties(config);
    if (Object.keys(properties).length > 0) await this.#units.setUnitProperties(unitOf(path), properties);
    await this.#files.write(path, config);
  }

  read(path: string, resource: 'cpu' | 'memory'): Promise<PodCgroupConfig> {
    return this.#files.read(path, resource);
  }

  memoryUsage(path: string): Promise<number | undefined> {
    return this.#files.memoryUsage(path);
  }

  children(path: string): Promise<readonly string[]> {
    return this.#files.children(path);
  }

  /** Stops the slice, then removes its cgroup if it still exists. */
  async remove(path: string): Promise<void> {
    await this.#units.stopUnit(unitOf(path));
    for (const directory of this.directories(path)) if (await isDirectory(directory)) await removeCgroup(directory);
  }
}
