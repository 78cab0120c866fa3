/** Diagnoses problems of the pod's sandbox, network and volumes. */
import { numberAt, textAt } from '../../folds/attribute-values.ts';
import type { DecisionRecord, KubernetesEventRecord, SpanRecord } from '../../folds/tracks.ts';
import { type Diagnosis, factsOf, newestEvent, type PodFacts } from '../pod-facts.ts';
import { type ExplainMessageId, type ExplainText, textOf } from '../text.ts';
import { withMeaning } from './end-causes.ts';
import { pullTrouble } from './image-causes.ts';

const sandboxTroubles: readonly (readonly [RegExp, ExplainMessageId])[] = [
  [/sandbox image|pull.*pause|pause.*pull/i, 'sandboxImage'],
  [/is already in use by container|Conflict\. The container name|name .* is reserved/i, 'sandboxName'],
  [/cni|network plugin|networkplugin|failed to set ?up (?:pod )?network|no networks found/i, 'sandboxNetwork'],
  [/deadline exceeded|timed? ?out/i, 'sandboxSlow'],
];

/** Diagnoses a sandbox that can't be created. A failure before a successful attempt doesn't count. */
export function sandboxFailure(podFacts: PodFacts): Diagnosis | undefined {
  const { track, kubectl } = podFacts;
  const failed = newestEvent(podFacts, ['FailedCreatePodSandBox']);
  const isRunning = track.sandbox.attempts.at(-1)?.state === 'running';
  if (!failed || isRunning || track.deletionRequestedAt !== undefined) return undefined;
  const trouble = sandboxTroubles.find(([pattern]) => pattern.test(failed.message))?.[1];
  const deeper = trouble === 'sandboxImage' ? pullTrouble(failed.message) : undefined;
  return {
    reason: 'FailedCreatePodSandBox',
    severity: 'error',
    title: textOf('sandboxTitle'),
    cause: [textOf('sandbox'), ...(trouble ? [textOf(trouble)] : []), ...(deeper ? [textOf(deeper)] : [])],
    said: failed.message,
    facts: factsOf(
      ['spec.hostNetwork', podFacts.object['spec'] && textAt(podFacts.object, 'spec', 'hostNetwork')],
      ['status.phase', textAt(podFacts.status, 'phase')],
    ),
    next: [
      trouble === 'sandboxNetwork'
        ? { why: textOf('tryCni'), command: 'ls /etc/cni/net.d /opt/cni/bin' }
        : { why: textOf('tryRuntime'), command: podFacts.onNode.info },
      { why: textOf('tryEvents'), command: kubectl(`events --for pod/${track.name}`) },
    ],
  };
}

/** Returns the newest decision that a sandbox must be replaced. */
function changeDecision({ fold, track }: PodFacts): DecisionRecord | undefined {
  const inside = (span: SpanRecord | undefined): DecisionRecord | undefined => {
    if (!span) return undefined;
    const own = span.decisions.findLast(
      ({ rule, decisive }) =>
        decisive && rule.startsWith('podSandboxChanged.') && !/\.(unchanged|noSandbox)$/.test(rule),
    );
    return own ?? span.children.map((id) => inside(fold.span(id))).findLast((each) => each !== undefined);
  };
  // Searching more syncs would cost more than it is worth.
  for (const { span } of track.syncs.slice(-20).toReversed()) {
    const found = inside(fold.span(span));
    if (found) return found;
  }
  return undefined;
}

function changeText({ rule, facts }: DecisionRecord): ExplainText {
  switch (rule) {
    case 'podSandboxChanged.moreThanOneReady':
      return textOf('sandboxTwo');
    case 'podSandboxChanged.networkNamespaceChanged':
      return textOf('sandboxNetworkMode', {
        network: textAt(facts, 'network') ?? '',
        wanted: textAt(facts, 'networkWanted') ?? '',
      });
    case 'podSandboxChanged.noAddress':
      return textOf('sandboxNoAddress');
    default:
      return textOf('sandboxNotReady', { sandbox: (textAt(facts, 'sandbox') ?? '').slice(0, 12) });
  }
}

/** Time for which a replaced sandbox is reported, in milliseconds. */
const newsFor = 10 * 60_000;

/** Explains a SandboxChanged event: the rule behind it, and how the old sandbox ended. */
export function sandboxChange(podFacts: PodFacts): Diagnosis | undefined {
  const { track, now, kubectl } = podFacts;
  const event = newestEvent(podFacts, ['SandboxChanged']);
  if (!event || now - event.time > newsFor) return undefined;
  const decision = changeDecision(podFacts);
  const id = textAt(decision?.facts, 'sandbox');
  const old = track.sandbox.attempts.find((attempt) => attempt.id === id) ?? track.sandbox.attempts.at(-2);
  const attempt = track.sandbox.attempts.at(-1)?.attempt ?? (numberAt(decision?.facts, 'attempt') ?? 0) + 1;
  const failed = track.sandbox.activities.findLast(({ outcome }) => outcome === 'error');
  const failure = failed && podFacts.fold.span(failed.span)?.error?.message;
  const said = [old?.reason, old?.message, failure].filter((each) => each !== undefined && each !== '').join('; ');
  return {
    reason: 'SandboxChanged',
    severity: 'info',
    title: textOf('sandboxChangedTitle'),
    cause: [
      textOf('sandboxChanged', { attempt }),
      ...(decision ? [changeText(decision)] : []),
      ...(old?.exitCode === undefined ? [] : [withMeaning('sandboxExit', old.exitCode)]),
    ],
    ...(said === '' ? {} : { said }),
    facts: factsOf(['status.podIP', textAt(podFacts.status, 'podIP')]),
    next: [
      ...(id ? [{ why: textOf('tryRuntime'), command: podFacts.onNode.inspectSandbox(id) }] : []),
      { why: textOf('tryEvents'), command: kubectl(`events --for pod/${track.name}`) },
    ],
  };
}

const hasRun = ({ containers }: PodFacts): boolean =>
  containers.some(({ track }) => track !== undefined && track.attempts.length > 0);

/** Diagnoses network and volume problems that prevent the sandbox or the containers. */
export function surroundingDiagnosis(podFacts: PodFacts): Diagnosis | undefined {
  const { fold, track, kubectl } = podFacts;
  if (hasRun(podFacts) || track.deletionRequestedAt !== undefined) return undefined;
  const network = newestEvent(podFacts, ['NetworkNotReady']);
  const mount = newestEvent(podFacts, ['FailedMount', 'FailedAttachVolume']);
  const newest = [network, mount].filter((each) => each !== undefined).toSorted((a, b) => b.seq - a.seq)[0];
  // A sync that reached the runtime manager has passed the steps that wait for network and volumes.
  const hasPassed = ({ time }: KubernetesEventRecord): boolean =>
    track.syncs.some(({ runtime }) => runtime !== undefined && (fold.span(runtime)?.start ?? 0) > time);
  if (!newest || hasPassed(newest)) return undefined;
  const events = { why: textOf('tryEvents'), command: kubectl(`events --for pod/${track.name}`) };
  if (newest === network)
    return {
      reason: 'NetworkNotReady',
      severity: 'waiting',
      title: textOf('networkTitle'),
      cause: [textOf('network')],
      said: newest.message,
      facts: factsOf(['spec.hostNetwork', 'false']),
      next: [{ why: textOf('tryCni'), command: 'ls /etc/cni/net.d /opt/cni/bin' }, events],
    };
  const missing = /(secret|configmap)s? "([^"]+)" not found/i.exec(newest.message);
  return {
    reason: newest.reason,
    severity: 'error',
    title: textOf('mountTitle'),
    cause: [
      textOf('mount'),
      ...(missing?.[2]
        ? [
            textOf(missing[1]?.toLowerCase() === 'secret' ? 'configNoSecret' : 'configNoConfigMap', {
              name: missing[2],
              namespace: track.namespace || 'default',
            }),
          ]
        : []),
    ],
    said: newest.message,
    facts: factsOf([
      'spec.volumes',
      podFacts.object['spec'] ? (podFacts.object['spec'] as { readonly volumes?: unknown }).volumes : undefined,
    ]),
    next: missing ? [{ why: textOf('tryObjects'), command: kubectl('get secrets,configmaps') }, events] : [events],
  };
}
