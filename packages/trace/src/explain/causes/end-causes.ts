/** Diagnoses containers that ran and exited: crash loops, out-of-memory kills, exit codes, failed init containers. */
import type { Attributes } from '../../event.ts';
import { numberAt, objectAt, textAt, timeAt } from '../../folds/attribute-values.ts';
import { exitCodeMeaning } from '../exit-codes.ts';
import {
  type ContainerFacts,
  type Diagnosis,
  factsOf,
  lengthInWords,
  type NextCommand,
  type PodFacts,
} from '../pod-facts.ts';
import { type ExplainText, nest, textOf } from '../text.ts';

/** Describes how a container exited, with the meaning of the exit code. */
function exitText(code: number, terminated: Attributes | undefined): ExplainText {
  const started = timeAt(terminated, 'startedAt');
  const finished = timeAt(terminated, 'finishedAt');
  const meaning = exitCodeMeaning(code, textAt(terminated, 'reason'));
  if (started === undefined || finished === undefined || started <= 0)
    return nest(textOf('lastExitUntimed', { code }), { meaning });
  return nest(textOf('lastExit', { code, seconds: lengthInWords(finished - started) }), { meaning });
}

/** Returns a text with an exit code and its meaning. */
export const withMeaning = (id: 'sandboxExit', code: number): ExplainText =>
  nest(textOf(id, { code }), { meaning: exitCodeMeaning(code) });

interface End {
  readonly terminated: Attributes;
  /** The status field that contains it. */
  readonly field: 'state' | 'lastState';
  readonly code: number;
  readonly reason: string;
}

/** Returns the newest termination in the status. */
function endOf({ status }: ContainerFacts): End | undefined {
  for (const field of ['state', 'lastState'] as const) {
    const terminated = objectAt(status, field, 'terminated');
    if (!terminated) continue;
    return {
      terminated,
      field,
      code: numberAt(terminated, 'exitCode') ?? 0,
      reason: textAt(terminated, 'reason') ?? '',
    };
  }
  return undefined;
}

const restartPolicyOf = ({ object }: PodFacts, { spec }: ContainerFacts): readonly [path: string, value: string] => {
  const own = textAt(spec, 'restartPolicy');
  return own === undefined
    ? ['spec.restartPolicy', textAt(object, 'spec', 'restartPolicy') ?? 'Always']
    : ['restartPolicy', own];
};

const logCommands = (podFacts: PodFacts, container: ContainerFacts, isPrevious: boolean): NextCommand[] => [
  {
    why: textOf('tryPrevious'),
    command: podFacts.kubectl(`logs ${podFacts.track.name} -c ${container.name}${isPrevious ? ' --previous' : ''}`),
  },
];

function memoryTexts({ spec }: ContainerFacts): readonly ExplainText[] {
  const limit = textAt(spec, 'resources', 'limits', 'memory');
  return limit === undefined ? [textOf('oomNoLimit')] : [textOf('oom', { limit }), textOf('oomAdvice')];
}

/** Returns twice a memory quantity in its own unit (`4Gi` → `8Gi`); undefined for a notation without a plain number. */
function doubled(quantity: string | undefined): string | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([EPTGMKk]i?)?$/.exec(quantity ?? '') ?? [];
  return number === undefined ? undefined : `${Number(number) * 2}${unit}`;
}

/** Returns a command that raises the memory limit; without a limit, one that shows the node's memory. */
function memoryCommand({ kubectl, track }: PodFacts, { name, spec }: ContainerFacts): NextCommand {
  const memory = doubled(textAt(spec, 'resources', 'limits', 'memory'));
  if (memory === undefined) return { why: textOf('tryNode'), command: 'kubectl describe nodes' };
  const patch = { spec: { containers: [{ name, resources: { limits: { memory } } }] } };
  return {
    why: textOf('tryMemory'),
    command: kubectl(`patch pod ${track.name} --subresource resize -p '${JSON.stringify(patch)}'`),
  };
}

/** Diagnoses a container that has exited, or exits repeatedly. */
export function endDiagnosis(podFacts: PodFacts, container: ContainerFacts): Diagnosis | undefined {
  const { name, status, statusPath, specPath, spec, type } = container;
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  const isLooping = waiting === 'CrashLoopBackOff';
  const end = endOf(container);
  const isOver = end?.field === 'state';
  if (!isLooping && !isOver) return undefined;
  const [policyField, policy] = restartPolicyOf(podFacts, container);
  const isGood = end !== undefined && end.code === 0;
  // Init containers, and containers that aren't always restarted, are expected to exit with code 0.
  if (!isLooping && isGood && (type === 'init' || policy !== 'Always')) return undefined;
  const isMemory = end?.reason === 'OOMKilled';
  const restarts = numberAt(status, 'restartCount') ?? 0;
  const memory = isMemory ? memoryTexts(container) : [];
  const exit = end ? [exitText(end.code, end.terminated)] : [];
  const restartsAgain = policy === 'Always' || (policy === 'OnFailure' && !isGood);
  const isInit = type === 'init';
  const after = isInit
    ? [textOf(restartsAgain ? 'initRetries' : 'initForGood')]
    : isLooping
      ? []
      : [textOf(restartsAgain ? 'endedRestarts' : 'endedForGood', { policy })];
  const cause = [...(isLooping ? [textOf('crashLoop', { restarts })] : []), ...memory, ...exit, ...after];
  const title = isMemory ? 'oomTitle' : isInit ? 'initFailedTitle' : isLooping ? 'crashLoopTitle' : 'endedTitle';
  const terminated = end && `${statusPath}.${end.field}.terminated`;
  return {
    reason: isMemory ? 'OOMKilled' : (waiting ?? (end?.reason || 'Error')),
    severity: isLooping ? 'waiting' : isGood ? 'info' : 'error',
    container: name,
    title: textOf(title, { container: name }),
    cause,
    ...(end && textAt(end.terminated, 'message') ? { said: textAt(end.terminated, 'message') ?? '' } : {}),
    ...(end && !(isGood && !isLooping) ? { log: end.field === 'lastState' ? 'previous' : 'current' } : {}),
    facts: factsOf(
      [`${terminated}.exitCode`, end?.code],
      [`${terminated}.reason`, end?.reason],
      [`${statusPath}.restartCount`, restarts > 0 ? restarts : undefined],
      [`${specPath}.resources.limits.memory`, isMemory ? textAt(spec, 'resources', 'limits', 'memory') : undefined],
      [policyField === 'restartPolicy' ? `${specPath}.restartPolicy` : policyField, policy],
    ),
    next: [
      ...(isMemory ? [memoryCommand(podFacts, container)] : []),
      ...logCommands(podFacts, container, end?.field === 'lastState'),
    ],
  };
}
