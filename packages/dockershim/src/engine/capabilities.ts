/**
 * Determines which capabilities the engine lacks, for example because it runs in a container or without root. With
 * missing capabilities, an engine can't start containers that are privileged or request `ALL`. For these containers,
 * `ALL` is replaced with the capabilities that the engine has, as containerd does.
 */
import { readFile } from 'node:fs/promises';
import { engineProbePoints } from '@podscope/flow';
import { type Context, withoutCancel } from '@podscope/trace';
import type { DockerClient } from '../docker/port.ts';
import type { Deviations } from './deviations.ts';
import { tryStart } from './try-start.ts';

/** The capabilities; the index of each is its number in the kernel. */
const names = (
  'CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE ' +
  'NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT ' +
  'SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL ' +
  'SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE'
).split(' ');

/** Matches runc's error for a capability that the engine lacks. */
const refusal = /unable to apply caps|operation not permitted/i;

/** Returns the capabilities that are missing in the mask `CapBnd:` of a `/proc/PID/status` text. */
export function missingFromMask(status: string): readonly string[] {
  const [, mask] = /^CapBnd:\s*([0-9a-f]+)$/m.exec(status) ?? [];
  if (mask === undefined) return [];
  const bits = BigInt(`0x${mask}`);
  return names.filter((_, number) => (bits & (1n << BigInt(number))) === 0n);
}

/** Determines the missing capabilities of an engine, once. */
export class Capabilities {
  readonly #docker: DockerClient;
  readonly #deviations: Deviations;
  readonly #instance: string;
  readonly #readStatus: () => Promise<string>;
  #missing: Promise<readonly string[] | undefined> | undefined;

  /** @param readStatus reads the status file of a process that has the engine's capabilities */
  constructor(
    docker: DockerClient,
    deviations: Deviations,
    instance: string,
    readStatus: () => Promise<string> = () => readFile('/proc/self/status', 'utf8'),
  ) {
    this.#docker = docker;
    this.#deviations = deviations;
    this.#instance = instance;
    this.#readStatus = readStatus;
  }

  /**
   * Returns the capabilities to drop from "all"; an empty list if the engine has all capabilities.
   * @param image the image of the probe container; its pause program has no effects
   */
  async missing(ctx: Context, image: string): Promise<readonly string[]> {
    // If the probe fails for another reason, its result is unknown and the next caller probes again.
    const forget = (): void => {
      this.#missing = undefined;
    };
    this.#missing ??= this.#probe(withoutCancel(ctx), image).catch((error: unknown) => {
      forget();
      throw error;
    });
    const missing = await this.#missing;
    if (missing === undefined) forget();
    return missing ?? [];
  }

  /**
   * Starts probe containers and returns the missing capabilities.
   * @returns undefined if no container can be started, for example while the engine shuts down
   */
  #probe(ctx: Context, image: string): Promise<readonly string[] | undefined> {
    return ctx.tracer.span(ctx, engineProbePoints.probeCapabilities, { image }, async (inner) => {
      const failure = await this.#tryStart(inner, image, []);
      if (failure === undefined) return [];
      if (!refusal.test(failure.message)) return undefined;
      // Drops the capabilities that this process lacks, because the engine usually lacks the same ones, and
      // SYS_RESOURCE, which an engine in a container most often lacks.
      const ours = missingFromMask(await this.#readStatus().catch(() => ''));
      const missing = [...new Set([...ours, 'SYS_RESOURCE'])];
      const isEnough = (await this.#tryStart(inner, image, missing)) === undefined;
      inner.span.set({ failure: failure.message, missing, isEnough });
      if (!isEnough) return undefined;
      const list = missing.join(', ');
      this.#deviations.record(
        inner,
        `"All capabilities" are all but ${list}, which this engine lacks. Privileged containers get those, all ` +
          'devices, no seccomp or AppArmor profile and no masked paths; /sys and the control groups stay ' +
          'read-only there.',
      );
      return missing;
    });
  }

  #tryStart(ctx: Context, image: string, drop: readonly string[]): Promise<Error | undefined> {
    const hostConfig = { CapAdd: ['ALL'], ...(drop.length > 0 ? { CapDrop: drop } : {}) };
    return tryStart(ctx, this.#docker, { probe: 'capabilities', instance: this.#instance, image, hostConfig });
  }
}
