/** The pod's sandbox, its network and its volumes. */
import { numberAt, textAt } from '../folds/attribute-values.ts';
import type { DecisionRecord, SpanRecord } from '../folds/tracks.ts';
import { withMeaning } from './end-causes.ts';
import { pullTrouble } from './image-causes.ts';
import { type Diagnosis, factsOf, newestEvent, type Patient } from './patient.ts';
import { type ExplainMessageId, type ExplainText, say } from './text.ts';

const sandboxTroubles: readonly (readonly [RegExp, ExplainMessageId])[] = [
  [/sandbox image|pull.*pause|pause.*pull/i, 'sandboxImage'],
  [/is already in use by container|Conflict\. The container name|name .* is reserved/i, 'sandboxName'],
  [/cni|network plugin|networkplugin|failed to set ?up (?:pod )?network|no networks found/i, 'sandboxNetwork'],
  [/deadline exceeded|timed? ?out/i, 'sandboxSlow'],
];

/** Sandbox attempts come and go: only a failure with nothing good after it counts. */
export function sandboxFailure(patient: Patient): Diagnosis | undefined {
  const { track, kubectl } = patient;
  const failed = newestEvent(patient, ['FailedCreatePodSandBox']);
  const isRunning = track.sandbox.attempts.at(-1)?.state === 'running';
  if (!failed || isRunning || track.deletionRequestedAt !== undefined) return undefined;
  const trouble = sandboxTroubles.find(([pattern]) => pattern.test(failed.message))?.[1];
  const deeper = trouble === 'sandboxImage' ? pullTrouble(failed.message) : undefined;
  return {
    reason: 'FailedCreatePodSandBox',
    severity: 'error',
    title: say('sandboxTitle'),
    cause: [say('sandbox'), ...(trouble ? [say(trouble)] : []), ...(deeper ? [say(deeper)] : [])],
    said: failed.message,
    facts: factsOf(
      ['spec.hostNetwork', patient.object['spec'] && textAt(patient.object, 'spec', 'hostNetwork')],
      ['status.phase', textAt(patient.status, 'phase')],
    ),
    next: [
      trouble === 'sandboxNetwork' ? { why: say('tryCni'), command: 'ls /etc/cni/net.d /opt/cni/bin' } : { why: say('tryRuntime'), command: 'docker info' },
      { why: say('tryEvents'), command: kubectl(`events --for pod/${track.name}`) },
    ],
  };
}

/** The rule that found the sandbox wanting, newest first. */
function changeDecision({ fold, track }: Patient): DecisionRecord | undefined {
  const inside = (span: SpanRecord | undefined): DecisionRecord | undefined => {
    if (!span) return undefined;
    const own = span.decisions.findLast(({ rule, decisive }) => decisive && rule.startsWith('podSandboxChanged.') && !/\.(unchanged|noSandbox)$/.test(rule));
    return own ?? span.children.map((id) => inside(fold.span(id))).findLast((each) => each !== undefined);
  };
  // Looking further back costs more than it tells.
  for (const { span } of track.syncs.slice(-20).toReversed()) {
    const found = inside(fold.span(span));
    if (found) return found;
  }
  return undefined;
}

function changeText({ rule, facts }: DecisionRecord): ExplainText {
  switch (rule) {
    case 'podSandboxChanged.moreThanOneReady':
      return say('sandboxTwo');
    case 'podSandboxChanged.networkNamespaceChanged':
      return say('sandboxNetworkMode', { network: textAt(facts, 'network') ?? '', wanted: textAt(facts, 'networkWanted') ?? '' });
    case 'podSandboxChanged.noAddress':
      return say('sandboxNoAddress');
    default:
      return say('sandboxNotReady', { sandbox: (textAt(facts, 'sandbox') ?? '').slice(0, 12) });
  }
}

/** How long a replaced sandbox is news, ms. */
const newsFor = 10 * 60_000;

/** What SandboxChanged does not tell: which rule, and what became of the old sandbox. */
export function sandboxChange(patient: Patient): Diagnosis | undefined {
  const { track, now, kubectl } = patient;
  const event = newestEvent(patient, ['SandboxChanged']);
  if (!event || now - event.time > newsFor) return undefined;
  const decision = changeDecision(patient);
  const id = textAt(decision?.facts, 'sandbox');
  const old = track.sandbox.attempts.find((attempt) => attempt.id === id) ?? track.sandbox.attempts.at(-2);
  const attempt = track.sandbox.attempts.at(-1)?.attempt ?? (numberAt(decision?.facts, 'attempt') ?? 0) + 1;
  const failed = track.sandbox.activities.findLast(({ outcome }) => outcome === 'error');
  const failure = failed && patient.fold.span(failed.span)?.error?.message;
  const said = [old?.reason, old?.message, failure].filter((each) => each !== undefined && each !== '').join('; ');
  return {
    reason: 'SandboxChanged',
    severity: 'info',
    title: say('sandboxChangedTitle'),
    cause: [
      say('sandboxChanged', { attempt }),
      ...(decision ? [changeText(decision)] : []),
      ...(old?.exitCode === undefined ? [] : [withMeaning('sandboxExit', old.exitCode)]),
    ],
    ...(said === '' ? {} : { said }),
    facts: factsOf(['status.podIP', textAt(patient.status, 'podIP')]),
    next: [
      ...(id ? [{ why: say('tryRuntime'), command: `docker inspect ${id.slice(0, 12)}` }] : []),
      { why: say('tryEvents'), command: kubectl(`events --for pod/${track.name}`) },
    ],
  };
}

const hasRun = ({ containers }: Patient): boolean => containers.some(({ track }) => track !== undefined && track.attempts.length > 0);

/** What keeps the pod from getting a sandbox, or its containers from being created: network and volumes. */
export function surroundingDiagnosis(patient: Patient): Diagnosis | undefined {
  const { track, kubectl } = patient;
  if (hasRun(patient) || track.deletionRequestedAt !== undefined) return undefined;
  const network = newestEvent(patient, ['NetworkNotReady']);
  const mount = newestEvent(patient, ['FailedMount', 'FailedAttachVolume']);
  const newest = [network, mount].filter((each) => each !== undefined).toSorted((a, b) => b.seq - a.seq)[0];
  if (!newest || track.syncs.some(({ start }) => start > newest.time)) return undefined;
  const events = { why: say('tryEvents'), command: kubectl(`events --for pod/${track.name}`) };
  if (newest === network)
    return {
      reason: 'NetworkNotReady',
      severity: 'waiting',
      title: say('networkTitle'),
      cause: [say('network')],
      said: newest.message,
      facts: factsOf(['spec.hostNetwork', 'false']),
      next: [{ why: say('tryCni'), command: 'ls /etc/cni/net.d /opt/cni/bin' }, events],
    };
  const missing = /(secret|configmap)s? "([^"]+)" not found/i.exec(newest.message);
  return {
    reason: newest.reason,
    severity: 'error',
    title: say('mountTitle'),
    cause: [
      say('mount'),
      ...(missing?.[2]
        ? [say(missing[1]?.toLowerCase() === 'secret' ? 'configNoSecret' : 'configNoConfigMap', { name: missing[2], namespace: track.namespace || 'default' })]
        : []),
    ],
    said: newest.message,
    facts: factsOf(['spec.volumes', patient.object['spec'] ? (patient.object['spec'] as { readonly volumes?: unknown }).volumes : undefined]),
    next: missing ? [{ why: say('tryObjects'), command: kubectl('get secrets,configmaps') }, events] : [events],
  };
}
