/** Containers that ran and ended: crash loops, memory, exit codes, failed init containers. */
import type { Attributes } from '../event.ts';
import { numberAt, objectAt, textAt, timeAt } from '../folds/attribute-values.ts';
import { exitCodeMeaning } from './exit-codes.ts';
import { type ContainerPatient, type Diagnosis, factsOf, lengthInWords, type NextCommand, type Patient } from './patient.ts';
import { type ExplainText, nest, say } from './text.ts';

/** How it ended, with what the exit code means. */
function exitText(code: number, terminated: Attributes | undefined): ExplainText {
  const started = timeAt(terminated, 'startedAt');
  const finished = timeAt(terminated, 'finishedAt');
  const meaning = exitCodeMeaning(code);
  if (started === undefined || finished === undefined || started <= 0) return nest(say('lastExitUntimed', { code }), { meaning });
  return nest(say('lastExit', { code, seconds: lengthInWords(finished - started) }), { meaning });
}

/** The text of a nested meaning, for the exit code alone. */
export const withMeaning = (id: 'sandboxExit', code: number): ExplainText => nest(say(id, { code }), { meaning: exitCodeMeaning(code) });

interface End {
  readonly terminated: Attributes;
  /** Where in the status it stands. */
  readonly field: 'state' | 'lastState';
  readonly code: number;
  readonly reason: string;
}

/** The newest end that the status knows. */
function endOf({ status }: ContainerPatient): End | undefined {
  for (const field of ['state', 'lastState'] as const) {
    const terminated = objectAt(status, field, 'terminated');
    if (!terminated) continue;
    return { terminated, field, code: numberAt(terminated, 'exitCode') ?? 0, reason: textAt(terminated, 'reason') ?? '' };
  }
  return undefined;
}

const restartPolicyOf = ({ object }: Patient, { spec }: ContainerPatient): readonly [path: string, value: string] => {
  const own = textAt(spec, 'restartPolicy');
  return own === undefined ? ['spec.restartPolicy', textAt(object, 'spec', 'restartPolicy') ?? 'Always'] : ['restartPolicy', own];
};

const logCommands = (patient: Patient, container: ContainerPatient, isPrevious: boolean): NextCommand[] => [
  { why: say('tryPrevious'), command: patient.kubectl(`logs ${patient.track.name} -c ${container.name}${isPrevious ? ' --previous' : ''}`) },
];

function memoryTexts({ spec }: ContainerPatient): readonly ExplainText[] {
  const limit = textAt(spec, 'resources', 'limits', 'memory');
  return limit === undefined ? [say('oomNoLimit')] : [say('oom', { limit }), say('oomAdvice')];
}

/** Why a container is not running any more, or again and again not. */
export function endDiagnosis(patient: Patient, container: ContainerPatient): Diagnosis | undefined {
  const { name, status, statusPath, specPath, spec, type } = container;
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  const isLooping = waiting === 'CrashLoopBackOff';
  const end = endOf(container);
  const isOver = end?.field === 'state';
  if (!isLooping && !isOver) return undefined;
  const [policyField, policy] = restartPolicyOf(patient, container);
  const isGood = end !== undefined && end.code === 0;
  // An end without a failure is what init containers and jobs are for.
  if (!isLooping && isGood && (type === 'init' || policy !== 'Always')) return undefined;
  const isMemory = end?.reason === 'OOMKilled';
  const restarts = numberAt(status, 'restartCount') ?? 0;
  const memory = isMemory ? memoryTexts(container) : [];
  const exit = end ? [exitText(end.code, end.terminated)] : [];
  const restartsAgain = policy === 'Always' || (policy === 'OnFailure' && !isGood);
  const isInit = type === 'init';
  const after = isInit
    ? [say(restartsAgain ? 'initRetries' : 'initForGood')]
    : isLooping
      ? []
      : [say(restartsAgain ? 'endedRestarts' : 'endedForGood', { policy })];
  const cause = [...(isLooping ? [say('crashLoop', { restarts })] : []), ...memory, ...exit, ...after];
  const title = isMemory ? 'oomTitle' : isInit ? 'initFailedTitle' : isLooping ? 'crashLoopTitle' : 'endedTitle';
  const terminated = end && `${statusPath}.${end.field}.terminated`;
  return {
    reason: isMemory ? 'OOMKilled' : (waiting ?? (end?.reason || 'Error')),
    severity: isLooping ? 'waiting' : isGood ? 'info' : 'error',
    container: name,
    title: say(title, { container: name }),
    cause,
    ...(end && textAt(end.terminated, 'message') ? { said: textAt(end.terminated, 'message') ?? '' } : {}),
    facts: factsOf(
      [`${terminated}.exitCode`, end?.code],
      [`${terminated}.reason`, end?.reason],
      [`${statusPath}.restartCount`, restarts > 0 ? restarts : undefined],
      [`${specPath}.resources.limits.memory`, isMemory ? textAt(spec, 'resources', 'limits', 'memory') : undefined],
      [policyField === 'restartPolicy' ? `${specPath}.restartPolicy` : policyField, policy],
    ),
    next: [
      ...(isMemory
        ? [
            {
              why: say('tryMemory'),
              command: patient.kubectl(
                `patch pod ${patient.track.name} --subresource resize -p '{"spec":{"containers":[{"name":"${name}","resources":{"limits":{"memory":"256Mi"}}}]}}'`,
              ),
            },
          ]
        : []),
      ...logCommands(patient, container, end?.field === 'lastState'),
    ],
  };
}
