/**
 * Installs the relay in front of the kubelet's runtime and verifies that the node works. If it doesn't, restores the
 * host. Removing the relay also restores all files. The changes are recorded before they are made.
 */
import { dirname } from 'node:path';
import { controlOf, listenFor } from '../sockets.ts';
import type { Host } from './host.ts';
import { endpointChanges, type FileChange, findKubelet, pathOfEndpoint, withEndpointsOf } from './kubelet-files.ts';
import type { KubeletSetup } from './kubelet-setup.ts';
import { type InstallationRecord, readRecord, recordFile } from './record.ts';
import { exportUnit, serviceUnit, socketUnit, type UnitOptions, unitFiles } from './units.ts';
import type { VerifiedNode } from './verify.ts';

export interface InstallOptions extends Pick<UnitOptions, 'node' | 'program' | 'version' | 'exporter'> {
  readonly host: Host;
  readonly print: (text: string) => void;
  readonly dryRun: boolean;
  /** Path of the relay's socket. By default, {@link listenFor} the runtime's. */
  readonly listen?: string | undefined;
  /**
   * Resolves when the node works.
   * @throws Error that names the problem, or the reason of the signal
   */
  readonly verify: (node: VerifiedNode, signal?: AbortSignal) => Promise<void>;
  /** Aborted when the user interrupts the installation, which then restores the host. */
  readonly interrupted?: AbortSignal;
}

/** Returns the directories that don't exist and that the new files and the record need, parents first. */
async function missingDirectories(host: Host, changes: readonly FileChange[]): Promise<string[]> {
  const missing = new Set<string>();
  for (const path of [recordFile, ...changes.map((change) => change.path)])
    for (let directory = dirname(path); directory !== '/'; directory = dirname(directory))
      if (!(await host.access(directory))) missing.add(directory);
  return [...missing].toSorted();
}

/** Returns the changed lines of a file in the format of a diff. */
function diffOf({ path, before, after }: FileChange): string {
  const old = before === undefined ? [] : before.split('\n');
  const next = after.split('\n');
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < next.length - start && old.at(-1 - end) === next.at(-1 - end)) end += 1;
  const removed = old.slice(start, old.length - end).map((line) => `-${line}`);
  const added = next.slice(start, next.length - end).map((line) => `+${line}`);
  const head = [`--- ${before === undefined ? '/dev/null' : path}`, `+++ ${path}`];
  return [...head, `@@ line ${start + 1} @@`, ...removed, ...added].join('\n');
}

/**
 * Removes the files that the installation created, and restores the others. In a file that has changed since the
 * installation, restores only the endpoints.
 */
async function restore(host: Host, record: InstallationRecord, print: (text: string) => void): Promise<void> {
  for (const { path, before, after } of record.files) {
    const now = await host.read(path);
    if (now === undefined) continue;
    if (before === undefined) await host.remove(path);
    else if (now === after) await host.write(path, before);
    else {
      await host.write(path, withEndpointsOf(now, before, record));
      print(`${path} was changed since the installation: only the endpoints were put back.`);
    }
  }
}

async function changesOf(options: InstallOptions, setup: KubeletSetup, listen: string): Promise<readonly FileChange[]> {
  const { host } = options;
  const runtime = pathOfEndpoint(setup.endpoint);
  const image = setup.imageEndpoint === undefined ? undefined : pathOfEndpoint(setup.imageEndpoint);
  if (runtime === listen) throw new Error(`the kubelet uses ${listen} already, and ${recordFile} is missing`);
  const access = await host.access(runtime);
  if (!access) throw new Error(`the runtime's socket ${runtime} doesn't exist: start the runtime first`);
  const units = unitFiles({
    ...options,
    listen,
    control: controlOf(listen),
    runtime,
    imageRuntime: image === runtime ? undefined : image,
    kubeletUnit: setup.unit,
    access,
  });
  return [...units, ...(await endpointChanges(host, setup, listen))];
}

/**
 * Installs the relay. If this fails, restores the host.
 * @throws Error with the reason
 */
export async function install(options: InstallOptions): Promise<void> {
  const { host, print, dryRun, verify, interrupted } = options;
  if (await readRecord(host)) throw new Error('the relay is installed already: uninstall it first');
  const setup = await findKubelet(host);
  const listen = listenFor(setup.endpoint, options.listen);
  const changes = await changesOf(options, setup, listen);
  print(`Kubelet: ${setup.unit} (${setup.kind}), runtime ${setup.endpoint}`);
  for (const change of changes) print(`\n${diffOf(change)}`);
  const commands: readonly (readonly string[])[] = [
    ['daemon-reload'],
    ['enable', '--now', socketUnit],
    ['restart', serviceUnit],
    ['restart', setup.unit],
    ...(options.exporter ? [['enable', '--now', exportUnit]] : []),
  ];
  if (dryRun) {
    print(`\nWould run: ${commands.map((command) => `systemctl ${command.join(' ')}`).join('; ')}`);
    print('Nothing was changed (--dry-run).');
    return;
  }
  const record: InstallationRecord = {
    version: 1,
    unit: setup.unit,
    listen,
    endpoint: setup.endpoint,
    ...(setup.imageEndpoint === undefined ? {} : { imageEndpoint: setup.imageEndpoint }),
    ...(setup.healthz === undefined ? {} : { healthz: setup.healthz }),
    directories: await missingDirectories(host, changes),
    files: changes.map(({ path, before, after }) => ({ path, before, after })),
  };
  await host.write(recordFile, JSON.stringify(record), 0o600);
  try {
    for (const { path, after, mode } of changes) await host.write(path, after, mode);
    for (const command of commands) {
      interrupted?.throwIfAborted();
      await host.run('systemctl', ...command);
    }
    await verify({ unit: setup.unit, healthz: setup.healthz, control: controlOf(listen) }, interrupted);
  } catch (error) {
    const { message } = error as Error;
    print(`\nThe node does not work with the relay; restoring it. ${message}`);
    await takeBack(host, record, print);
    const after = await verify(record).catch((problem: Error) => problem);
    const rest = after ? `. The files are restored, but: ${after.message}` : '';
    throw new Error(`not installed: ${message}${rest}`, { cause: error });
  }
  print('\nThe kubelet uses the relay. Serve the page with: podscope observe');
}

/** Restores the files, restarts the kubelet without the relay, and then stops the relay. */
async function takeBack(host: Host, record: InstallationRecord, print: (text: string) => void): Promise<void> {
  await restore(host, record, print);
  const run = (...command: readonly string[]): Promise<unknown> =>
    host.run('systemctl', ...command).catch((error: Error) => print(error.message));
  await run('daemon-reload');
  await run('restart', record.unit);
  const exported = record.files.some(({ path }) => path.endsWith(`/${exportUnit}`)) ? [exportUnit] : [];
  await run('stop', ...exported, serviceUnit, socketUnit);
  // The unit files are already removed. Also remove the links that `systemctl enable` created.
  await host.remove(`/etc/systemd/system/sockets.target.wants/${socketUnit}`);
  await host.remove(`/etc/systemd/system/multi-user.target.wants/${exportUnit}`);
  await run('daemon-reload');
  await host.remove(recordFile);
  for (const directory of record.directories.toReversed()) await host.removeDirectory(directory);
}

/**
 * Removes the relay and restores all files.
 * @throws Error if the relay isn't installed
 */
export async function uninstall({
  host,
  print,
  dryRun,
  verify,
}: Pick<InstallOptions, 'host' | 'print' | 'dryRun' | 'verify'>): Promise<void> {
  const record = await readRecord(host);
  if (!record) throw new Error(`the relay is not installed: there is no ${recordFile}`);
  if (dryRun) {
    for (const { path, before } of record.files) print(`${before === undefined ? 'remove' : 'restore'} ${path}`);
    print('Nothing was changed (--dry-run).');
    return;
  }
  await takeBack(host, record, print);
  await verify(record);
  print('The kubelet uses its runtime directly again.');
}
