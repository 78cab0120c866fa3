/**
 * Determines the capabilities that the engine lacks, as it may in a container or without root. It then can't start
 * containers with `ALL` or privileged ones, so `ALL` is replaced with what it has, as containerd does.
 */
import { readFile } from 'node:fs/promises';
import { engineProbePoints } from '@podscope/flow';
import { type Context, withoutCancel } from '@podscope/trace';
import type { DockerClient } from '../docker/port.ts';
import type { Deviations } from './deviations.ts';
import { tryStart } from './try-start.ts';

/** Indexed by the kernel's number. */
const names = (
  'CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE ' +
  'NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT ' +
  'SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL ' +
  'SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE'
).split(' ');

/** The error of runc for a capability that it doesn't have. */
const refusal = /unable to apply caps|operation not permitted/i;

/** Returns the capabilities missing from the `CapBnd:` mask of a `/proc/PID/status` text. */
export function missingFromMask(status: string): readonly string[] {
  const [, mask] = /^CapBnd:\s*([0-9a-f]+)$/m.exec(status) ?? [];
  if (mask === undefined) return [];
  const bits = BigInt(`0x${mask}`);
  return names.filter((_, number) => (bits & (1n << BigInt(number))) === 0n);
}

/** Determines the missing capabilities of one engine, once. */
export class Capabilities {
  readonly #docker: DockerClient;
  readonly #deviations: Deviations;
  readonly #instance: string;
  readonly #readStatus: () => Promise<string>;
  #missing: Promise<readonly string[] | undefined> | undefined;

  /** @param readStatus reads the status file of a process with the engine's capabilities */
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
   * Returns the capabilities to drop from "all"; none on an ordinary engine.
   * @param image the image to probe with; its pause program has no effects
   */
  async missing(ctx: Context, image: string): Promise<readonly string[]> {
    // A probe that fails for another reason is inconclusive; the next caller repeats it.
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

  /** @returns undefined if containers don't start at all, for example while the engine shuts down */
  #probe(ctx: Context, image: string): Promise<readonly string[] | undefined> {
    return ctx.tracer.span(ctx, engineProbePoints.probeCapabilities, { image }, async (inner) => {
      const failure = await this.#tryStart(inner, image, []);
      if (failure === undefined) return [];
      if (!refusal.test(failure.message)) return undefined;
      // The engine is usually restricted like this process; in containers SYS_RESOURCE is missing first.
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
