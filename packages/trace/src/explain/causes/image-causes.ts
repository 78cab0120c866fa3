/** Diagnoses images that can't be pulled or used. */
import { listAt, textAt } from '../../folds/attribute-values.ts';
import { type ContainerFacts, type Diagnosis, factsOf, type NextCommand, type PodFacts } from '../pod-facts.ts';
import { type ExplainMessageId, textOf } from '../text.ts';

/** Messages of registries and runtimes with their causes. The first match counts. */
const pullTroubles: readonly (readonly [RegExp, ExplainMessageId])[] = [
  [/no matching manifest|no match for platform|exec format/i, 'pullPlatform'],
  [/signature/i, 'pullSignature'],
  [/toomanyrequests|too many requests|rate limit|\b429\b/i, 'pullLimit'],
  [/no space left/i, 'pullSpace'],
  [/no such host|server misbehaving|name resolution|lookup .* on /i, 'pullNoHost'],
  [/x509|certificate|tls:/i, 'pullCertificate'],
  [
    /unauthorized|authentication required|access denied|\bdenied\b|forbidden|no basic auth|\b401\b|\b403\b/i,
    'pullDenied',
  ],
  [/not found|manifest unknown|does not exist|no such image|name unknown|\b404\b/i, 'pullNotFound'],
  [
    /connection refused|timeout|timed out|unreachable|deadline exceeded|no route|connection reset|proxyconnect|registry is unavailable|\bEOF\b/i,
    'pullNoConnection',
  ],
];

/** Returns the cause of a failed pull, if its message is known. */
export const pullTrouble = (message: string): ExplainMessageId | undefined =>
  pullTroubles.find(([pattern]) => pattern.test(message))?.[1];

const pullReasons: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/** Returns the error of the last pull, without the text that Kubernetes adds during a back-off. */
const lastPullError = (podFacts: PodFacts, { name }: ContainerFacts, message: string): string => {
  const stripped = message.replace(/^Back-off pulling image "[^"]*"(?:: )?/, '');
  if (stripped !== '') return stripped;
  return (
    podFacts.track.events.findLast(
      (event) => event.container === name && event.message.startsWith('Failed to pull image'),
    )?.message ?? message
  );
};

function pullDiagnosis(podFacts: PodFacts, container: ContainerFacts, reason: string, message: string): Diagnosis {
  const { name, image, specPath, statusPath } = container;
  const waits = reason === 'ImagePullBackOff';
  const said = lastPullError(podFacts, container, message);
  const trouble = pullTrouble(`${reason} ${said}`);
  const secrets = listAt(podFacts.object, 'spec', 'imagePullSecrets').flatMap((each) => textAt(each, 'name') ?? []);
  const next: NextCommand[] = [];
  if (trouble === 'pullDenied' && secrets[0])
    next.push({ why: textOf('trySecret'), command: podFacts.kubectl(`get secret ${secrets[0]}`) });
  if (trouble === 'pullNotFound')
    next.push({
      why: textOf('tryImage'),
      command: podFacts.kubectl(`set image pod/${podFacts.track.name} ${name}=IMAGE`),
    });
  next.push({ why: textOf('tryPull'), command: podFacts.onNode.pull(image) });
  return {
    reason,
    severity: waits ? 'waiting' : 'error',
    container: name,
    title: textOf(waits ? 'pullWaitsTitle' : 'pullFailedTitle', { container: name }),
    cause: [textOf('pullFailed', { image }), ...(trouble ? [textOf(trouble)] : []), textOf('pullRetries')],
    said,
    facts: factsOf(
      [`${specPath}.image`, image],
      [`${specPath}.imagePullPolicy`, textAt(container.spec, 'imagePullPolicy')],
      ['spec.imagePullSecrets', secrets.length > 0 ? secrets.join(', ') : undefined],
      [`${statusPath}.state.waiting.reason`, reason],
    ),
    next,
  };
}

/** Diagnoses a missing image. */
export function imageDiagnosis(podFacts: PodFacts, container: ContainerFacts): Diagnosis | undefined {
  const { name, image, specPath, statusPath, status, spec } = container;
  const reason = textAt(status, 'state', 'waiting', 'reason') ?? '';
  const message = textAt(status, 'state', 'waiting', 'message') ?? '';
  if (pullReasons.has(reason)) return pullDiagnosis(podFacts, container, reason, message);
  const facts = factsOf(
    [`${specPath}.image`, image],
    [`${specPath}.imagePullPolicy`, textAt(spec, 'imagePullPolicy')],
    [`${statusPath}.state.waiting.reason`, reason],
  );
  const common = { reason, severity: 'error', container: name, said: message, facts } as const;
  const another: NextCommand = {
    why: textOf('tryImage'),
    command: podFacts.kubectl(`set image pod/${podFacts.track.name} ${name}=IMAGE`),
  };
  switch (reason) {
    case 'InvalidImageName':
      return {
        ...common,
        title: textOf('invalidImageTitle', { container: name }),
        cause: [textOf('invalidImage', { image })],
        next: [another],
      };
    case 'ErrImageNeverPull':
      return {
        ...common,
        title: textOf('neverPullTitle', { container: name }),
        cause: [textOf('neverPull', { image })],
        next: [
          { why: textOf('tryPull'), command: podFacts.onNode.pull(image) },
          { why: textOf('tryImages'), command: podFacts.onNode.images },
        ],
      };
    case 'ImageInspectError':
      return {
        ...common,
        title: textOf('inspectTitle', { container: name }),
        cause: [textOf('inspect', { image })],
        next: [{ why: textOf('tryRuntime'), command: podFacts.onNode.info }],
      };
    default:
      return undefined;
  }
}
