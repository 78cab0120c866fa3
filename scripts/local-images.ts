/**
 * Builds `busybox:1.36` and a pause image from this machine's static busybox, and loads them into the Docker engine.
 * They are for tests, and for machines that can't pull. A machine without that busybox pulls the image instead. Run it
 * as `pnpm local-images`; existing images are kept unless `--force` is given.
 */

import { existsSync } from 'node:fs';
import { chmod, link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '../packages/base/src/index.ts';
import { must, run } from './lib/run.ts';

/** The images that this script builds. */
export const localImages = { busybox: 'busybox:1.36', pause: 'podscope/pause:local' } as const;

const busybox = '/bin/busybox';

/**
 * The pause program. The kernel gives PID 1 no default signal actions, so the shell traps TERM, which ends `wait`.
 * `wait` also reaps orphaned processes of a shared process namespace. The shell waits for a `cat` that reads from a
 * pipe without a writer. It doesn't wait for a `sleep`, because a user who searches a shared namespace for `sleep` must
 * find only the pod's own processes.
 */
const pauseScript = `#!/bin/sh
trap 'exit 0' TERM INT
exec 3<>/forever
while :; do cat <&3 & wait $!; done
`;

async function addPause(root: string): Promise<void> {
  await writeFile(join(root, 'pause'), pauseScript, { mode: 0o755 });
  await must('mkfifo', ['-m', '0666', join(root, 'forever')]);
}

const environment = 'ENV PATH=/bin:/sbin:/usr/bin:/usr/sbin';

async function present(image: string): Promise<boolean> {
  return (await run('docker', ['image', 'inspect', image])).code === 0;
}

async function applets(): Promise<string[]> {
  return (await must(busybox, ['--list'])).trim().split('\n');
}

/**
 * Imports an image whose file system contains busybox, hard-linked under the given names, and the files that programs
 * expect next to it.
 */
async function importImage(
  image: string,
  names: readonly string[],
  changes: readonly string[],
  add: (root: string) => Promise<void> = async () => {},
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'podscope-image-'));
  try {
    // Set the mode, because mkdtemp makes the directory private and some storage drivers use the mode of the root
    // directory.
    await chmod(root, 0o755);
    for (const folder of ['bin', 'etc', 'dev', 'proc', 'sys', 'tmp', 'root', 'var/tmp', 'home'])
      await mkdir(join(root, folder), { recursive: true });
    await chmod(join(root, 'tmp'), 0o1777);
    await chmod(join(root, 'var/tmp'), 0o1777);
    await writeFile(
      join(root, 'etc/passwd'),
      'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/home:/bin/false\n',
    );
    await writeFile(join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n');
    await must('cp', [busybox, join(root, 'bin/busybox')]);
    for (const name of names) if (name !== 'busybox') await link(join(root, 'bin/busybox'), join(root, 'bin', name));
    await add(root);
    const archive = join(root, '..', `${root.split('/').at(-1)}.tar`);
    await must('tar', ['--numeric-owner', '--owner=0', '--group=0', '-C', root, '-cf', archive, '.']);
    await must('docker', ['import', ...changes.flatMap((change) => ['--change', change]), archive, image]);
    await rm(archive, { force: true });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Pulls busybox. @throws Error that names the remedy */
async function pullBusybox(): Promise<void> {
  const { code, stderr } = await run('docker', ['pull', '--quiet', localImages.busybox]);
  if (code !== 0)
    throw new Error(
      `${localImages.busybox} can't be pulled: ${stderr.trim()}\nWithout a registry, the image is built from ` +
        `${busybox} (Debian: apt-get install busybox-static)`,
    );
}

/** Creates the pause image in a container of the pulled image. */
async function derivePause(): Promise<void> {
  const script = 'cat >/pause && chmod 755 /pause && mkfifo -m 0666 /forever';
  const [container] = (
    await must('docker', ['create', '--interactive', localImages.busybox, 'sh', '-c', script])
  ).split('\n');
  if (!container) throw new Error('docker create printed no id');
  try {
    await must('docker', ['start', '--attach', '--interactive', container], { input: pauseScript });
    const changes = [environment, 'ENTRYPOINT ["/pause"]', 'CMD []'].flatMap((change) => ['--change', change]);
    await must('docker', ['commit', ...changes, container, localImages.pause]);
  } finally {
    await must('docker', ['rm', '--force', container]);
  }
}

/**
 * Builds or pulls the local images that the engine lacks. Returns their names.
 * @throws Error without an engine, or if the images can be neither built nor pulled; the message names the remedy
 */
export async function buildLocalImages(force = false): Promise<readonly string[]> {
  const built: string[] = [];
  const fromThisMachine: readonly (readonly [string, () => Promise<void>])[] = [
    [localImages.busybox, async () => importImage(localImages.busybox, await applets(), [environment, 'CMD ["sh"]'])],
    [
      localImages.pause,
      () => importImage(localImages.pause, ['sh', 'cat'], [environment, 'ENTRYPOINT ["/pause"]'], addPause),
    ],
  ];
  const wanted = existsSync(busybox)
    ? fromThisMachine
    : ([
        [localImages.busybox, pullBusybox],
        [localImages.pause, derivePause],
      ] as const);
  for (const [image, build] of wanted) {
    if (!force && (await present(image))) continue;
    await build();
    built.push(image);
  }
  return built;
}

if (import.meta.main) {
  try {
    const built = await buildLocalImages(process.argv.includes('--force'));
    console.log(
      built.length > 0
        ? `Built ${built.join(' and ')}.`
        : `${Object.values(localImages).join(' and ')} are there already.`,
    );
  } catch (error) {
    console.error(errorMessage(error));
    process.exitCode = 1;
  }
}
