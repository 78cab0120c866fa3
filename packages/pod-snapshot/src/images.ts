/** Which images the node had, and how the registries answer that the kubelet could not pull from. */
import type { Pod } from '@podscope/k8s';
import { parseReference, type RegistryOptions, unknownImage } from '@podscope/simulator';
import { knownContainers } from './past-lives.ts';
import type { PodSnapshot } from './read-snapshots.ts';
import { partsOf, type Repository, ranAnotherTag } from './references.ts';

const never = /^$/;

/** An image that anyone may pull. */
const open: Omit<RegistryOptions, 'host'> = { otherRepositories: unknownImage, missingTags: never, missingRepositories: never };

const exactly = (text: string): RegExp => new RegExp(`^(?:library/)?${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);

/** How a registry behaves that led to this message, in the order in which they are tried. */
const behaviours: readonly (readonly [RegExp, (image: Repository) => Omit<RegistryOptions, 'host'>])[] = [
  [/toomanyrequests|rate limit/i, () => ({ ...open, rateLimit: { pulls: 0, period: 21_600_000 } })],
  [/no basic auth|unauthorized|authentication required|401/i, () => ({ ...open, credentials: [{ username: '', password: '' }] })],
  [/no such host/i, () => ({ ...open, failure: 'no such host' })],
  [/connection refused/i, () => ({ ...open, failure: 'connection refused' })],
  [/timeout|deadline exceeded|canceled while waiting/i, () => ({ ...open, failure: 'timeout' })],
  [/\b50[0-4]\b|unavailable/i, () => ({ ...open, failure: 'unavailable' })],
  [/denied|does not exist|insufficient_scope|403/i, ({ path }) => ({ ...open, missingRepositories: exactly(path) })],
];

/** Whatever else was said: that tag is not there. */
const missingTag = ({ tag }: Repository): Omit<RegistryOptions, 'host'> => ({ ...open, missingTags: exactly(tag) });

/** What was said of a pull that failed; undefined when the image is not what the container waits for. */
function pullFailure({ pod, events }: PodSnapshot, name: string): string | undefined {
  const waiting = knownContainers(pod).find(({ container }) => container.name === name)?.status.state?.waiting;
  if (!['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable'].includes(waiting?.reason ?? '')) return undefined;
  const failed = events.findLast(({ reason, message, container }) => reason === 'Failed' && container === name && message.startsWith('Failed to pull image'));
  return `${waiting?.message ?? ''} ${failed?.message ?? ''}`;
}

const containersOf = ({ spec }: Pod) => [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];

/** What comes after the image: a container that waits for this had it. */
const wasPastItsImage = (reason = ''): boolean =>
  ['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError', 'CrashLoopBackOff'].includes(reason);

/** The kubelet said that it has it. */
const wasPulled = ({ events }: PodSnapshot, image: string): boolean =>
  events.some(({ reason, message }) => reason === 'Pulled' && message.includes(`"${image}"`));

export interface SnapshotImages {
  /** References that the node had. */
  readonly present: readonly string[];
  readonly registries: readonly RegistryOptions[];
}

/** Reads both from the statuses and events of the pod. */
export function readImages(snapshot: PodSnapshot): SnapshotImages {
  const registries = new Map<string, Omit<RegistryOptions, 'host'>>();
  for (const { name, image = '' } of containersOf(snapshot.pod)) {
    const failure = pullFailure(snapshot, name);
    if (failure === undefined) continue;
    const parts = partsOf(image);
    const behaviour = behaviours.find(([pattern]) => pattern.test(failure))?.[1] ?? missingTag;
    registries.set(parts.host, behaviour(parts));
  }
  const present = knownContainers(snapshot.pod)
    .filter(
      ({ container, status }) =>
        (status.imageID !== '' && pullFailure(snapshot, container.name) === undefined && !ranAnotherTag(snapshot.pod, container, status)) ||
        wasPastItsImage(status.state?.waiting?.reason) ||
        ((status.state?.waiting?.reason === 'ContainerCreating' || status.state?.waiting?.reason === 'PodInitializing') &&
          wasPulled(snapshot, container.image ?? '')),
    )
    .map(({ container }) => container.image ?? '')
    // The spec may have been edited since, to something that is no image.
    .filter((image) => parseReference(image) !== undefined);
  return { present, registries: [...[...registries].map(([host, behaviour]) => ({ host, ...behaviour })), { host: '*', ...open }] };
}
