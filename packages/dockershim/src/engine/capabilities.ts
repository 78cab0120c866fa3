/**
 * Capabilities. An engine in a container or without full root may lack some, and then refuses to start whatever asks for all: `ALL`, and
 * privileged containers. Throw-away containers find out; then `ALL` becomes what the engine has, as containerd does it.
 */
import { readFile } from 'node:fs/promises';
import { type Context, withoutCancel } from '@podscope/trace';
import type { Deviations } from '../deviations.ts';
import type { DockerClient } from '../docker/port.ts';
import { probeCapabilitiesPoint } from '../points.ts';
import { tryStart } from './try-start.ts';

/** By their number in the kernel. */
const names =
  'CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE'.split(
    ' ',
  );

/** How runc says that it may not give what was asked for. */
const refusal = /unable to apply caps|operation not permitted/i;

/** The capabilities that are not in a mask as /proc has it (hexadecimal, `CapBnd:` of a status file). */
export function missingFromMask(status: string): readonly string[] {
  const [, mask] = /^CapBnd:\s*([0-9a-f]+)$/m.exec(status) ?? [];
  if (mask === undefined) return [];
  const bits = BigInt(`0x${mask}`);
  return names.filter((_, number) => (bits & (1n << BigInt(number))) === 0n);
}

/** Knows what one engine lacks. */
export class Capabilities {
  readonly #docker: DockerClient;
  readonly #deviations: Deviations;
  readonly #instance: string;
  readonly #readStatus: () => Promise<string>;
  #missing: Promise<readonly string[] | undefined> | undefined;

  /** @param readStatus reads the status file of a process that has what the engine has. */
  constructor(docker: DockerClient, deviations: Deviations, instance: string, readStatus: () => Promise<string> = () => readFile('/proc/self/status', 'utf8')) {
    this.#docker = docker;
    this.#deviations = deviations;
    this.#instance = instance;
    this.#readStatus = readStatus;
  }

  /**
   * What has to be left out of "all capabilities"; nothing on an ordinary engine.
   * @param image an image to try with: its pause program harms nobody.
   */
  async missing(ctx: Context, image: string): Promise<readonly string[]> {
    // A probe that could not be made, or failed for another reason, says nothing: the next caller tries again.
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

  /** @returns undefined when starts fail anyhow: the engine may just be going down or coming up */
  #probe(ctx: Context, image: string): Promise<readonly string[] | undefined> {
    return ctx.tracer.span(ctx, probeCapabilitiesPoint, { image }, async (inner) => {
      const failure = await this.#tryStart(inner, image, []);
      if (failure === undefined) return [];
      if (!refusal.test(failure.message)) return undefined;
      // What restricts the engine mostly restricts us too; in containers that is SYS_RESOURCE first of all.
      const ours = missingFromMask(await this.#readStatus().catch(() => ''));
      const missing = [...new Set([...ours, 'SYS_RESOURCE'])];
      const isEnough = (await this.#tryStart(inner, image, missing)) === undefined;
      inner.span.set({ failure: failure.message, missing, isEnough });
      if (!isEnough) return undefined;
      const list = missing.join(', ');
      this.#deviations.record(
        inner,
        `"All capabilities" are all but ${list}, which this engine lacks. Privileged containers get those, all devices, no seccomp or AppArmor profile and no masked paths; /sys and the control groups stay read-only there.`,
      );
      return missing;
    });
  }

  #tryStart(ctx: Context, image: string, drop: readonly string[]): Promise<Error | undefined> {
    const hostConfig = { CapAdd: ['ALL'], ...(drop.length > 0 ? { CapDrop: drop } : {}) };
    return tryStart(this.#docker, ctx, { probe: 'capabilities', instance: this.#instance, image, hostConfig });
  }
}
