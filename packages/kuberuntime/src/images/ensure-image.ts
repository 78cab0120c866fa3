/**
 * Ensures that a container's image is present, according to its pull policy. Upstream: imageManager.EnsureImageExists
 * (v1.36 and v1.20).
 */
import {
  applyDefaultImageTag,
  errorText,
  formatGoDuration,
  parseImageReference,
  type ReferenceDialect,
} from '@podscope/base';
import type { PodSandboxConfig } from '@podscope/cri';
import { type Container, goQuote, type Pod, type PullPolicy, type Secret } from '@podscope/k8s';
import { type Context, isInterrupted, type Milliseconds } from '@podscope/trace';
import { type Credential, Keyring } from './credentials.ts';
import { imageError } from './errors.ts';
import type { ImageManager, PullResult } from './image-manager.ts';

export interface EnsureImageRequest {
  readonly pod: Pod;
  /** The container to which events refer; undefined for an image volume. */
  readonly container: Container | undefined;
  /** The image as written in the spec. */
  readonly image: string;
  readonly pullPolicy: PullPolicy | undefined;
  readonly pullSecrets: readonly Secret[];
  readonly sandboxConfig: PodSandboxConfig;
}

/**
 * Returns the image reference.
 * @throws ActionError; its name is the container's waiting reason
 */
export type EnsureImage = (ctx: Context, manager: ImageManager, request: EnsureImageRequest) => Promise<string>;

type EmitEvent = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

export const eventEmitterFor =
  (ctx: Context, manager: ImageManager, { pod, container }: EnsureImageRequest): EmitEvent =>
  (type, reason, message) =>
    manager.event(ctx, pod, container, type, reason, message);

export function defaultTag(emitEvent: EmitEvent, image: string, dialect: ReferenceDialect): string {
  try {
    return applyDefaultImageTag(image, dialect);
  } catch (error) {
    const message = `Failed to apply default image tag ${goQuote(image)}: ${errorText(error)}`;
    emitEvent('Warning', 'InspectFailed', message);
    throw imageError('InvalidImageName', message);
  }
}

/**
 * Returns the reference of a present image; an empty string if the image is absent.
 * @param shown the image's name in the error message
 */
export async function inspect(
  ctx: Context,
  manager: ImageManager,
  emitEvent: EmitEvent,
  image: string,
  shown: string,
): Promise<string> {
  try {
    return await manager.getImageRef(ctx, image);
  } catch (error) {
    const message = `Failed to inspect image ${goQuote(shown)}: ${errorText(error)}`;
    emitEvent('Warning', 'InspectFailed', message);
    throw imageError('ImageInspectError', message);
  }
}

export function neverPull(emitEvent: EmitEvent, image: string): Error {
  const message = `Container image ${goQuote(image)} is not present with pull policy of Never`;
  emitEvent('Warning', 'ErrImageNeverPull', message);
  return imageError('ErrImageNeverPull', message);
}

const millisecondsOf = (duration: Milliseconds): string => formatGoDuration(Math.trunc(duration));

/** Emits the decision about the pull, with its facts. */
export function decide(
  ctx: Context,
  request: EnsureImageRequest,
  present: boolean | undefined,
  outcome: string,
  more: Record<string, unknown> = {},
): void {
  const { image, pullPolicy, container } = request;
  ctx.tracer.decide(
    ctx,
    'ensureImageExists.pullPolicy',
    () => ({
      container: container?.name,
      image,
      pullPolicy: pullPolicy ?? 'none',
      present: present ?? 'not looked at',
      ...more,
    }),
    outcome,
  );
}

/** Ensures that an image is present and that the pod may use it. Upstream: EnsureImageExists (v1.36). */
export const ensureImageExistsV136: EnsureImage = async (ctx, manager, request) => {
  const { image: requested, pullPolicy, pullSecrets } = request;
  const emitEvent = eventEmitterFor(ctx, manager, request);
  const image = defaultTag(emitEvent, requested, 'v1.36');
  // In v1.36, the message contains an empty name in quotes: upstream prints the image reference, which is unset after
  // an error.
  const imageRef = pullPolicy === 'Always' ? '' : await inspect(ctx, manager, emitEvent, image, '');
  const present = pullPolicy === 'Always' ? undefined : imageRef !== '';
  if (imageRef === '' && pullPolicy === 'Never') {
    decide(ctx, request, present, 'fail: absent, and it must not be pulled');
    throw neverPull(emitEvent, requested);
  }
  const verifies = manager.gates.KubeletEnsureSecretPulledImages;
  if (imageRef !== '' && !verifies) {
    decide(ctx, request, present, 'use it: it is present');
    emitEvent('Normal', 'Pulled', `Container image ${goQuote(requested)} already present on machine`);
    return imageRef;
  }
  // The secrets are parsed only if the credentials matter, so that an invalid secret doesn't block other images.
  let found: readonly Credential[] | undefined;
  const credentials = (): readonly Credential[] =>
    (found ??= new Keyring(pullSecrets).lookup(parseImageReference(image).name));
  const looked = (): { readonly credentials: number | string } => ({ credentials: found?.length ?? 'not looked at' });
  if (imageRef !== '' && !manager.records.mustAttemptPull(requested, imageRef, credentials)) {
    decide(ctx, request, present, 'use it: it is present, and this pod may have it', looked());
    emitEvent(
      'Normal',
      'Pulled',
      `Container image ${goQuote(requested)} already present on machine and can be accessed by the pod`,
    );
    return imageRef;
  }
  if (pullPolicy === 'Never') {
    decide(ctx, request, present, 'fail: present, but not for this pod, and it must not be pulled', looked());
    throw neverPull(emitEvent, requested);
  }
  const own = credentials();
  const outcome = imageRef === '' ? 'pull it' : 'pull it: this pod has not shown that it may have it';
  decide(ctx, request, present, outcome, looked());
  return pullRecorded(ctx, manager, request, emitEvent, image, own);
};

/** Pulls the image and updates the pull records. */
async function pullRecorded(
  ctx: Context,
  manager: ImageManager,
  request: EnsureImageRequest,
  emitEvent: EmitEvent,
  image: string,
  credentials: readonly Credential[],
): Promise<string> {
  const { records, gates } = manager;
  const { image: requested } = request;
  const keeps = gates.KubeletEnsureSecretPulledImages;
  if (keeps) records.intend(requested);
  try {
    const result = await pullV136(ctx, manager, request, emitEvent, image, credentials);
    if (keeps) records.pulled(requested, result.imageRef, result.credential);
    return result.imageRef;
  } catch (error) {
    if (keeps) records.failed(requested);
    throw error;
  }
}

async function pullV136(
  ctx: Context,
  manager: ImageManager,
  request: EnsureImageRequest,
  emitEvent: EmitEvent,
  image: string,
  credentials: readonly Credential[],
): Promise<PullResult> {
  const { image: requested } = request;
  const key = backOffKey(request);
  if (isBackingOff(ctx, manager, request, key)) {
    const text = `Back-off pulling image ${goQuote(requested)}`;
    emitEvent('Normal', 'BackOff', text);
    const previous = manager.previousErrors.get(key);
    throw imageError('ImagePullBackOff', previous === undefined ? text : `${text}: ${previous}`);
  }
  manager.previousErrors.delete(key);
  emitEvent('Normal', 'Pulling', `Pulling image ${goQuote(requested)}`);
  const start = ctx.clock.now();
  try {
    const result = await manager.pull(ctx, {
      image,
      credentials,
      sandboxConfig: request.sandboxConfig,
      wantsSize: true,
    });
    const total = millisecondsOf(ctx.clock.now() - start);
    const took = `${millisecondsOf(result.duration)} (${total} including waiting)`;
    emitEvent(
      'Normal',
      'Pulled',
      `Successfully pulled image ${goQuote(requested)} in ${took}. Image size: ${result.size} bytes.`,
    );
    collect(ctx, manager, request, key);
    return result;
  } catch (error) {
    // A debugger restarted the sync. The pull itself didn't fail, so no back-off starts.
    if (isInterrupted(error)) throw error;
    const text = errorText(error);
    emitEvent('Warning', 'Failed', `Failed to pull image ${goQuote(requested)}: ${text}`);
    arm(ctx, manager, request, key);
    const failure = evalCRIPullErr(requested, text);
    manager.previousErrors.set(key, `${failure.reason}: ${failure.message}`);
    throw failure;
  }
}

/** Returns the image error for the text of a CRI pull error. Upstream: evalCRIPullErr. */
function evalCRIPullErr(image: string, text: string): ReturnType<typeof imageError> {
  for (const [name, why] of [
    ['RegistryUnavailable', 'the registry is unavailable'],
    ['SignatureValidationFailed', 'the signature validation failed'],
  ] as const) {
    if (text.startsWith(name))
      return imageError(name, `image pull failed for ${image} because ${why}${text.slice(name.length)}`);
  }
  return imageError('ErrImagePull', text);
}

export const backOffKey = ({ pod, image }: EnsureImageRequest): string => `${pod.metadata.uid}_${image}`;

function emitBackOff(
  ctx: Context,
  manager: ImageManager,
  { container, image }: EnsureImageRequest,
  key: string,
  state: 'armed' | 'waiting' | 'reset',
): void {
  if (!ctx.tracer.enabled) return;
  const backOff = manager.backOff(ctx.clock);
  const ms = backOff.get(key);
  const since = backOff.entries().get(key)?.lastUpdate ?? ctx.clock.now();
  ctx.tracer.emit(ctx, {
    type: 'backOff',
    kind: 'image',
    key,
    container: container?.name ?? '',
    image,
    seconds: ms / 1000,
    since,
    until: since + ms,
    state,
  });
}

export function isBackingOff(ctx: Context, manager: ImageManager, request: EnsureImageRequest, key: string): boolean {
  const backOff = manager.backOff(ctx.clock);
  const now = ctx.clock.now();
  const waits = backOff.isInBackOffSinceUpdate(key, now);
  ctx.tracer.decide(
    ctx,
    'ensureImageExists.backOff',
    () => ({ key, backOffSeconds: backOff.get(key) / 1000, lastUpdate: backOff.entries().get(key)?.lastUpdate, now }),
    waits ? 'wait: the last pull failed not long ago' : 'pull now',
    waits,
  );
  if (waits) emitBackOff(ctx, manager, request, key, 'waiting');
  return waits;
}

export function arm(ctx: Context, manager: ImageManager, request: EnsureImageRequest, key: string): void {
  manager.backOff(ctx.clock).next(key, ctx.clock.now());
  emitBackOff(ctx, manager, request, key, 'armed');
}

/** Removes expired back-off entries after a successful pull. */
export function collect(ctx: Context, manager: ImageManager, request: EnsureImageRequest, key: string): void {
  if (manager.backOff(ctx.clock).gc().includes(key)) emitBackOff(ctx, manager, request, key, 'reset');
}
