/** Ensures that a container's image is present. Upstream: imageManager.EnsureImageExists (v1.20). */
import { errorText, formatGoDuration, parseImageReference } from '@podscope/base';
import { goQuote } from '@podscope/k8s';
import { isInterrupted } from '@podscope/trace';
import { Keyring } from '../credentials.ts';
import {
  arm,
  backOffKey,
  collect,
  decide,
  defaultTag,
  type EnsureImage,
  eventEmitterFor,
  inspect,
  isBackingOff,
  neverPull,
} from '../ensure-image.ts';
import { imageError } from '../errors.ts';

/** Ensures that an image is present. Upstream: EnsureImageExists (v1.20). */
export const ensureImageExistsV120: EnsureImage = async (ctx, manager, request) => {
  const { image: requested, pullPolicy, pullSecrets, sandboxConfig } = request;
  const emitEvent = eventEmitterFor(ctx, manager, request);
  const image = defaultTag(emitEvent, requested, 'v1.20');
  const imageRef = await inspect(ctx, manager, emitEvent, image, requested);
  const present = imageRef !== '';
  const pulls = pullPolicy === 'Always' || (pullPolicy === 'IfNotPresent' && !present);
  decide(
    ctx,
    request,
    present,
    pulls ? 'pull it' : present ? 'use it: it is present' : 'fail: absent, and it must not be pulled',
  );
  if (!pulls) {
    if (!present) throw neverPull(emitEvent, requested);
    emitEvent('Normal', 'Pulled', `Container image ${goQuote(requested)} already present on machine`);
    return imageRef;
  }
  const key = backOffKey(request);
  if (isBackingOff(ctx, manager, request, key)) {
    const text = `Back-off pulling image ${goQuote(requested)}`;
    emitEvent('Normal', 'BackOff', text);
    throw imageError('ImagePullBackOff', text);
  }
  emitEvent('Normal', 'Pulling', `Pulling image ${goQuote(requested)}`);
  const start = ctx.clock.now();
  try {
    const credentials = new Keyring(pullSecrets).lookup(parseImageReference(image, 'v1.20').name);
    const result = await manager.pull(ctx, { image, credentials, sandboxConfig, wantsSize: false });
    emitEvent(
      'Normal',
      'Pulled',
      `Successfully pulled image ${goQuote(requested)} in ${formatGoDuration(ctx.clock.now() - start)}`,
    );
    collect(ctx, manager, request, key);
    return result.imageRef;
  } catch (error) {
    // A debugger restarted the sync. The pull itself didn't fail, so no back-off starts.
    if (isInterrupted(error)) throw error;
    const text = errorText(error);
    emitEvent('Warning', 'Failed', `Failed to pull image ${goQuote(requested)}: ${text}`);
    arm(ctx, manager, request, key);
    throw imageError('ErrImagePull', text);
  }
};
