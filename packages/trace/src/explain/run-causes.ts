/**
 * Diagnoses problems that only the events of a run show: a pod that the debugger has stopped, and the decision to
 * replace a sandbox.
 */
import { numberAt, textAt } from '../folds/attribute-values.ts';
import type { RunFold } from '../folds/run-fold.ts';
import type { DecisionRecord, PodTrack, SpanRecord } from '../folds/tracks.ts';
import type { Diagnosis } from './diagnosis.ts';
import { exitCodeMeaning } from './exit-codes.ts';
import { type ExplainText, nest, textOf } from './text.ts';

/** Diagnoses a pod whose worker is stopped at a breakpoint; undefined for any other pod. */
export function stoppedDiagnosis({ stoppedAt }: PodTrack): Diagnosis | undefined {
  if (!stoppedAt) return undefined;
  return {
    reason: 'Stopped',
    severity: 'waiting',
    title: textOf('heldTitle'),
    cause: [textOf('held', { point: stoppedAt.point })],
    facts: [],
    next: [],
  };
}

/** Returns the newest decision to replace the sandbox. */
function changeDecision(fold: RunFold, { syncs }: PodTrack): DecisionRecord | undefined {
  const inside = (span: SpanRecord | undefined): DecisionRecord | undefined => {
    if (!span) return undefined;
    const own = span.decisions.findLast(
      ({ rule, decisive }) =>
        decisive && rule.startsWith('podSandboxChanged.') && !/\.(unchanged|noSandbox)$/.test(rule),
    );
    return own ?? span.children.map((id) => inside(fold.span(id))).findLast((each) => each !== undefined);
  };
  // Only the last 20 syncs are searched, to limit the cost.
  for (const { span } of syncs.slice(-20).toReversed()) {
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

/** How long a replaced sandbox is reported, in ms. */
const newsFor = 10 * 60_000;

/**
 * Explains a SandboxChanged event with the rule that decided it and with the end of the old sandbox. Returns undefined
 * if no sandbox was replaced in the last ten minutes. Upstream: podSandboxChanged.
 */
export function sandboxChangeDiagnosis(fold: RunFold, track: PodTrack, now: number): Diagnosis | undefined {
  const event = track.events.findLast(({ reason }) => reason === 'SandboxChanged');
  if (!event || now - event.time > newsFor) return undefined;
  const decision = changeDecision(fold, track);
  const id = textAt(decision?.facts, 'sandbox');
  const old = track.sandbox.attempts.find((attempt) => attempt.id === id) ?? track.sandbox.attempts.at(-2);
  const attempt = track.sandbox.attempts.at(-1)?.attempt ?? (numberAt(decision?.facts, 'attempt') ?? 0) + 1;
  const failed = track.sandbox.activities.findLast(({ outcome }) => outcome === 'error');
  const failure = failed && fold.span(failed.span)?.error?.message;
  const said = [old?.reason, old?.message, failure].filter((each) => each !== undefined && each !== '').join('; ');
  const address = textAt(track.status, 'podIP');
  return {
    reason: 'SandboxChanged',
    severity: 'info',
    title: textOf('sandboxChangedTitle'),
    cause: [
      textOf('sandboxChanged', { attempt }),
      ...(decision ? [changeText(decision)] : []),
      ...(old?.exitCode === undefined
        ? []
        : [nest(textOf('sandboxExit', { code: old.exitCode }), { meaning: exitCodeMeaning(old.exitCode) })]),
    ],
    ...(said === '' ? {} : { said }),
    facts: address === undefined ? [] : [{ path: 'status.podIP', value: address }],
    next: [
      {
        why: textOf('tryEvents'),
        command:
          `kubectl ${track.namespace === 'default' || track.namespace === '' ? '' : `-n ${track.namespace} `}events ` +
          `--for pod/${track.name}`,
      },
    ],
  };
}
