/** Implements the checks' access to the machine on which this process runs. */
import { constants } from 'node:fs';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { describeEngine } from '@podscope/dockershim';
import type { Machine } from './checks.ts';

/** Time limit for the engine's answer, in milliseconds. */
const engineTimeout = 5000;

/**
 * The root directories of the cgroup hierarchies in which cgroups of pods are created: the memory controller's in
 * cgroup v1, and the only one in v2.
 */
const cgroupRoots = ['/sys/fs/cgroup/memory', '/sys/fs/cgroup'];

const can = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );

/** This machine. */
export const thisMachine: Machine = {
  nodeVersion: process.version,
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  engine: () => describeEngine(process.env, engineTimeout),
  listen: (port) =>
    new Promise((resolve, reject) => {
      const server = createServer();
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
    }),
  async writeTo(directory) {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, `.doctor-${process.pid}`);
    await writeFile(file, '');
    await rm(file);
  },
  async hasProgram(name) {
    const directories = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
    const found = await Promise.all(directories.map((directory) => can(join(directory, name), constants.X_OK)));
    return found.includes(true);
  },
  async canCreateCgroups() {
    const found = await Promise.all(cgroupRoots.map((root) => can(root, constants.W_OK)));
    return found.includes(true);
  },
};
