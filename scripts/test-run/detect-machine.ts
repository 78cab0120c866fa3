/** Detects the facts about this machine on which tests depend. */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { run, which } from '../lib/run.ts';
import { type Machine, programs } from './capabilities.ts';

const infoSchema = z.object({
  ServerVersion: z.string(),
  Name: z.string(),
  SecurityOptions: z.array(z.string()).nullish(),
});

async function detectDocker(): Promise<Machine['docker']> {
  const { code, stdout } = await run('docker', ['info', '--format', '{{json .}}']).catch(() => ({
    code: 1,
    stdout: '',
  }));
  const parsed = code === 0 ? infoSchema.safeParse(JSON.parse(stdout)) : undefined;
  // If no engine answers, the client prints only information about itself.
  if (!parsed?.success || parsed.data.ServerVersion === '') return undefined;
  const { ServerVersion, Name, SecurityOptions } = parsed.data;
  return {
    version: ServerVersion,
    isRootless: SecurityOptions?.some((option) => option.includes('rootless')) ?? false,
    isLocal: process.platform === 'linux' && Name === hostname(),
  };
}

async function detectPrograms(): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const program of Object.values(programs).flat())
    if (isAbsolute(program) ? existsSync(program) : (await which(program)) !== undefined) found.add(program);
  return found;
}

const canUnshare = async (): Promise<boolean> =>
  (await run('unshare', ['--net', '--mount', 'true']).catch(() => ({ code: 1 }))).code === 0;

function cgroupVersion(): Machine['cgroupVersion'] {
  if (existsSync('/sys/fs/cgroup/cgroup.controllers')) return 2;
  return existsSync('/sys/fs/cgroup/memory') ? 1 : undefined;
}

/**
 * Returns the facts about this machine. `PODSCOPE_TEST_NO_DOCKER`, set by the test command, says why the tests can't
 * use an engine.
 */
export async function detectMachine(): Promise<Machine> {
  const whyNoDocker = process.env['PODSCOPE_TEST_NO_DOCKER'];
  const [engine, installed, mayUnshare] = await Promise.all([detectDocker(), detectPrograms(), canUnshare()]);
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    canUnshare: mayUnshare,
    cgroupVersion: cgroupVersion(),
    docker: whyNoDocker === undefined ? engine : undefined,
    whyNoDocker,
    programs: installed,
  };
}
