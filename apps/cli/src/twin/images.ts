/** The images that recordings name, as this engine has them. */
import type { Recording } from './recording.ts';
import type { DockerEngine } from './run/docker-engine.ts';

const busybox = 'busybox:1.36';
const present = /^Container image "(.+)" already present on machine$/;

const has = (engine: DockerEngine, image: string): Promise<boolean> =>
  engine.call('GET', `/images/${encodeURIComponent(image)}/json`).then(
    () => true,
    () => false,
  );

/**
 * Gives busybox the other names under which the recordings' machine had it. What needs another image that is not there will differ.
 * @param onMissing told of each such image
 * @returns removes those names again.
 * @throws Error when busybox itself is missing, with the remedy.
 */
export async function provideImages(
  engine: DockerEngine,
  recordings: readonly Recording[],
  onMissing: (image: string) => void = () => undefined,
): Promise<() => Promise<void>> {
  const named = recordings.flatMap(({ events }) => events.map(({ message }) => present.exec(message)?.[1]));
  const wanted = [...new Set(named.filter((image): image is string => image !== undefined))];
  const tagged: string[] = [];
  if (!(await has(engine, busybox))) throw new Error(`the engine has no image ${busybox}: run \`npx -y pnpm@12 local-images\` first`);
  for (const image of wanted) {
    if (await has(engine, image)) continue;
    const [repo = '', tag = 'latest'] = image.split(':');
    if (repo !== 'busybox') {
      onMissing(image);
      continue;
    }
    await engine.call('POST', `/images/${encodeURIComponent(busybox)}/tag?repo=${encodeURIComponent(repo)}&tag=${encodeURIComponent(tag)}`);
    tagged.push(image);
  }
  return async () => {
    for (const image of tagged) await engine.call('DELETE', `/images/${encodeURIComponent(image)}?noprune=1`).catch(() => undefined);
  };
}
