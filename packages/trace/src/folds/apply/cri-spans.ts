/**
 * Derives sandboxes and containers from CRI calls. An attempt exists as soon as its Create call returns, even before
 * the next relist. Operations that take time (pulling, creating, starting, hooks, stopping) become activities.
 */
import type { Attributes, TraceEventOf } from '../../events/event.ts';
import { listAt, numberAt, objectAt, textAt } from '../attribute-values.ts';
import { sourceOf } from '../fact-source.ts';
import type { FoldState, LocatedActivity } from '../state/fold-state.ts';
import {
  containerOf,
  type MutableContainer,
  type MutablePod,
  type MutableSpan,
  newActivity,
  touch,
} from '../state/mutable-tracks.ts';
import type { ActivityRecord, SpanRecord } from '../tracks.ts';
import { endBackOffs } from './back-offs.ts';
import { advance, applyContainerStatus, applySandboxStatus, inferExit } from './runtime-observations.ts';

type Begun = { readonly pod: MutablePod; readonly track: MutableContainer; readonly detail: string } | undefined;

const podNamed = (
  state: FoldState,
  pod: MutablePod | undefined,
  metadata: Attributes | undefined,
  time: number,
): MutablePod | undefined => {
  const uid = textAt(metadata, 'uid');
  return pod ?? (uid ? state.podOf(uid, time) : undefined);
};

function attemptTrack(state: FoldState, request: unknown, field: 'containerId' | 'podSandboxId'): Begun {
  const located = state.attempt(textAt(request, field) ?? '');
  return located && { pod: located.pod, track: located.track, detail: '' };
}

/** Returns the track of a hook: the track of the container that an enclosing span names. */
function hookTrack(state: FoldState, pod: MutablePod | undefined, span: MutableSpan): Begun {
  const name = state.containerNameAround(span.id);
  return pod && name
    ? { pod, track: containerOf(pod, name), detail: textAt(span.attributes, 'handler') ?? '' }
    : undefined;
}

/**
 * Returns the track of a pull. It is that of the container that an enclosing span names. Without one, it is that of a
 * container with the pulled image: the first one without an attempt; if all have attempts, the first one.
 */
function pullTrack(state: FoldState, pod: MutablePod | undefined, span: MutableSpan, request: unknown): Begun {
  const owner = podNamed(state, pod, objectAt(request, 'sandboxConfig', 'metadata'), span.start);
  const image =
    textAt(request, 'image', 'userSpecifiedImage') ??
    textAt(request, 'image', 'image') ??
    textAt(span.attributes, 'image') ??
    '';
  if (!owner) return undefined;
  const named = state.containerNameAround(span.id);
  if (named) return { pod: owner, track: containerOf(owner, named), detail: image };
  const specs = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
    listAt(owner.object, 'spec', field),
  );
  const users = specs
    .filter((container) => container['image'] === image)
    .map((container) => containerOf(owner, textAt(container, 'name') ?? ''));
  const track = users.find(({ attempts }) => attempts.length === 0) ?? users[0];
  return track && { pod: owner, track, detail: image };
}

const kinds: Readonly<Record<string, ActivityRecord['kind']>> = {
  'cri.RunPodSandbox': 'create',
  'cri.StopPodSandbox': 'stop',
  'cri.RemovePodSandbox': 'remove',
  'cri.CreateContainer': 'create',
  'cri.StartContainer': 'start',
  'cri.StopContainer': 'stop',
  'cri.RemoveContainer': 'remove',
  'cri.PullImage': 'pull',
  'lifecycle.postStart': 'postStart',
  'lifecycle.preStop': 'preStop',
};

/**
 * Returns the track of a span's activity; undefined if it is unknown, because the log begins after the container's
 * creation.
 */
function placeOf(state: FoldState, pod: MutablePod | undefined, span: MutableSpan): Begun {
  const request = span.attributes['request'];
  switch (span.point) {
    case 'cri.RunPodSandbox': {
      const metadata = objectAt(request, 'config', 'metadata');
      const owner = podNamed(state, pod, metadata, span.start);
      if (!owner) return undefined;
      if (!owner.object) {
        owner.name = textAt(metadata, 'name') ?? owner.name;
        owner.namespace = textAt(metadata, 'namespace') ?? owner.namespace;
      }
      return { pod: owner, track: owner.sandbox, detail: String(numberAt(metadata, 'attempt') ?? 0) };
    }
    case 'cri.StopPodSandbox':
    case 'cri.RemovePodSandbox':
      return attemptTrack(state, request, 'podSandboxId');
    case 'cri.CreateContainer': {
      const owner = podNamed(state, pod, objectAt(request, 'sandboxConfig', 'metadata'), span.start);
      const metadata = objectAt(request, 'config', 'metadata');
      const name = textAt(metadata, 'name');
      return owner && name
        ? { pod: owner, track: containerOf(owner, name), detail: String(numberAt(metadata, 'attempt') ?? 0) }
        : undefined;
    }
    case 'cri.StartContainer':
    case 'cri.StopContainer':
    case 'cri.RemoveContainer':
      return attemptTrack(state, request, 'containerId');
    case 'cri.PullImage':
      return pullTrack(state, pod, span, request);
    default:
      return hookTrack(state, pod, span);
  }
}

/** Adds the activity of a span that has begun. */
export function beginActivity(state: FoldState, pod: MutablePod | undefined, span: MutableSpan): void {
  const kind = kinds[span.point];
  const place = kind && placeOf(state, pod, span);
  if (!kind || !place) return;
  const activity = newActivity(kind, span.id, span.start, place.detail);
  state.addActivity({ pod: place.pod, track: place.track, activity });
  if (kind === 'create' || kind === 'pull') endBackOffs(place.track, span.start, ['container', 'image']);
  touch(place.track);
}

function settle(state: FoldState, located: LocatedActivity, span: MutableSpan, time: number): void {
  const request = span.attributes['request'];
  const response = span.endAttributes?.['response'];
  const { pod, track } = located;
  switch (span.point) {
    case 'cri.RunPodSandbox': {
      const id = textAt(response, 'podSandboxId');
      if (!id) return;
      const attempt = state.attemptOf(pod, track, id, numberAt(request, 'config', 'metadata', 'attempt') ?? 0);
      Object.assign(attempt, sourceOf(span));
      attempt.createdAt ??= time;
      // A sandbox runs from its creation on.
      if (advance(attempt, 'running')) attempt.startedAt ??= time;
      return;
    }
    case 'cri.CreateContainer': {
      const id = textAt(response, 'containerId');
      if (!id) return;
      const attempt = state.attemptOf(pod, track, id, numberAt(request, 'config', 'metadata', 'attempt') ?? 0);
      Object.assign(attempt, sourceOf(span));
      attempt.createdAt ??= time;
      attempt.sandbox = textAt(request, 'podSandboxId');
      attempt.image ??=
        textAt(request, 'config', 'image', 'userSpecifiedImage') ?? textAt(request, 'config', 'image', 'image');
      advance(attempt, 'created');
      return;
    }
    default: {
      const attempt = state.attempt(textAt(request, 'containerId') ?? textAt(request, 'podSandboxId') ?? '')?.attempt;
      if (!attempt) return;
      if (span.point === 'cri.StartContainer' && advance(attempt, 'running')) attempt.startedAt ??= time;
      if (span.point === 'cri.StopContainer' || span.point === 'cri.StopPodSandbox') {
        if (attempt.startedAt !== undefined && advance(attempt, 'exited')) inferExit(attempt, time, span);
      }
      if (span.point === 'cri.RemoveContainer' || span.point === 'cri.RemovePodSandbox') {
        inferExit(attempt, time, span);
        if (advance(attempt, 'removed')) attempt.removedAt ??= time;
      }
      Object.assign(attempt, sourceOf(span));
    }
  }
}

/** The errors of starts and pulls that were not attempted. The track shows the back-off and no failure. */
const postponed: ReadonlySet<string> = new Set(['CrashLoopBackOff', 'ImagePullBackOff']);

/**
 * Returns true if the shadow engine computed a call in this span that the genuine kubelet did not make. An error that
 * follows from the missing answer isn't a failure of the kubelet.
 */
function hasUnmadeCall(state: FoldState, { point, outcome, attributes, children }: SpanRecord): boolean {
  if (point.startsWith('shadow.') && outcome === 'error' && attributes['followedBy'] === undefined) return true;
  return children.some((id) => {
    const child = state.spans.get(id);
    return child !== undefined && hasUnmadeCall(state, child);
  });
}

/**
 * Adds a failed activity for a start that failed before it reached the runtime, for example because of a missing config
 * map or an image that must not be pulled. No CRI call shows this failure, so the span of the function becomes the
 * activity.
 */
function failedWithoutCall(
  state: FoldState,
  pod: MutablePod | undefined,
  span: MutableSpan,
  event: TraceEventOf<'spanEnded'>,
): void {
  const isPull = span.point === 'images.EnsureImageExists';
  if (
    !pod ||
    event.outcome === 'ok' ||
    (!isPull && span.point !== 'kuberuntime.startContainer') ||
    postponed.has(event.error?.reason ?? '') ||
    (event.source === 'shadow' && hasUnmadeCall(state, span))
  )
    return;
  const name = state.containerNameAround(span.id);
  const track = name ? containerOf(pod, name) : undefined;
  // The shadow engine computes a sync after the calls of the genuine kubelet. If one of these calls failed, it already
  // shows the failure.
  const since = event.source === 'shadow' ? (state.syncAround(span.id)?.start ?? span.start) : span.start;
  if (
    !track ||
    track.activities.some(({ start, outcome }) => start >= since && outcome !== 'ok' && outcome !== undefined)
  )
    return;
  const image = textAt(span.attributes, 'image');
  const activity = newActivity(isPull ? 'pull' : 'create', span.id, span.start, image ?? event.error?.reason ?? '');
  activity.end = event.time;
  activity.outcome = event.outcome;
  track.activities.push(activity);
  touch(track);
}

/** Closes the activity of a span that has ended, and applies the effect of its call on the sandbox or container. */
export function endActivity(
  state: FoldState,
  pod: MutablePod | undefined,
  span: MutableSpan,
  event: TraceEventOf<'spanEnded'>,
): void {
  const located = state.activity(span.id);
  if (located) {
    state.forgetActivity(span.id);
    located.activity.end = event.time;
    located.activity.outcome = event.outcome;
    if (event.outcome === 'ok') {
      if (located.activity.kind === 'pull') located.activity.progress = 1;
      settle(state, located, span, event.time);
    }
    touch(located.track);
    if (located.pod !== pod) located.pod.version++;
    return;
  }
  const { time, attributes } = event;
  if (event.outcome === 'ok' && pod && span.point === 'cri.ContainerStatus')
    applyContainerStatus(state, pod, attributes?.['response'], { time, ...sourceOf(span) });
  else if (event.outcome === 'ok' && pod && span.point === 'cri.PodSandboxStatus')
    applySandboxStatus(state, pod, attributes?.['response'], { asked: span.start, time, ...sourceOf(span) });
  else failedWithoutCall(state, pod, span, event);
}
