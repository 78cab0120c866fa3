/** Images that do not come. */
import { listAt, textAt } from '../folds/attribute-values.ts';
import { type ContainerPatient, type Diagnosis, factsOf, type NextCommand, type Patient } from './patient.ts';
import { type ExplainMessageId, say } from './text.ts';

/** What registries and runtimes say, and what it comes down to; the first that matches. */
const pullTroubles: readonly (readonly [RegExp, ExplainMessageId])[] = [
  [/no matching manifest|no match for platform|exec format/i, 'pullPlatform'],
  [/signature/i, 'pullSignature'],
  [/toomanyrequests|too many requests|rate limit|\b429\b/i, 'pullLimit'],
  [/no space left/i, 'pullSpace'],
  [/no such host|server misbehaving|name resolution|lookup .* on /i, 'pullNoHost'],
  [/x509|certificate|tls:/i, 'pullCertificate'],
  [/unauthorized|authentication required|access denied|\bdenied\b|forbidden|no basic auth|\b401\b|\b403\b/i, 'pullDenied'],
  [/not found|manifest unknown|does not exist|no such image|name unknown|\b404\b/i, 'pullNotFound'],
  [
    /connection refused|timeout|timed out|unreachable|deadline exceeded|no route|connection reset|proxyconnect|registry is unavailable|\bEOF\b/i,
    'pullNoConnection',
  ],
];

/** What is behind the message of a failed pull, when it can be told. */
export const pullTrouble = (message: string): ExplainMessageId | undefined => pullTroubles.find(([pattern]) => pattern.test(message))?.[1];

const pullReasons: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff', 'RegistryUnavailable', 'SignatureValidationFailed']);

/** What failed, without the words around it that Kubernetes adds while it waits. */
const lastPullError = (patient: Patient, { name }: ContainerPatient, message: string): string => {
  const stripped = message.replace(/^Back-off pulling image "[^"]*"(?:: )?/, '');
  if (stripped !== '') return stripped;
  return patient.track.events.findLast((event) => event.container === name && event.message.startsWith('Failed to pull image'))?.message ?? message;
};

function pullDiagnosis(patient: Patient, container: ContainerPatient, reason: string, message: string): Diagnosis {
  const { name, image, specPath, statusPath } = container;
  const waits = reason === 'ImagePullBackOff';
  const said = lastPullError(patient, container, message);
  const trouble = pullTrouble(`${reason} ${said}`);
  const secrets = listAt(patient.object, 'spec', 'imagePullSecrets').flatMap((each) => textAt(each, 'name') ?? []);
  const next: NextCommand[] = [];
  if (trouble === 'pullDenied' && secrets[0]) next.push({ why: say('trySecret'), command: patient.kubectl(`get secret ${secrets[0]}`) });
  if (trouble === 'pullNotFound') next.push({ why: say('tryImage'), command: patient.kubectl(`set image pod/${patient.track.name} ${name}=IMAGE`) });
  next.push({ why: say('tryPull'), command: `docker pull ${image}` });
  return {
    reason,
    severity: waits ? 'waiting' : 'error',
    container: name,
    title: say(waits ? 'pullWaitsTitle' : 'pullFailedTitle', { container: name }),
    cause: [say('pullFailed', { image }), ...(trouble ? [say(trouble)] : []), say('pullRetries')],
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

/** Why an image is not there. */
export function imageDiagnosis(patient: Patient, container: ContainerPatient): Diagnosis | undefined {
  const { name, image, specPath, statusPath, status, spec } = container;
  const reason = textAt(status, 'state', 'waiting', 'reason') ?? '';
  const message = textAt(status, 'state', 'waiting', 'message') ?? '';
  if (pullReasons.has(reason)) return pullDiagnosis(patient, container, reason, message);
  const facts = factsOf(
    [`${specPath}.image`, image],
    [`${specPath}.imagePullPolicy`, textAt(spec, 'imagePullPolicy')],
    [`${statusPath}.state.waiting.reason`, reason],
  );
  const common = { reason, severity: 'error', container: name, said: message, facts } as const;
  const another: NextCommand = { why: say('tryImage'), command: patient.kubectl(`set image pod/${patient.track.name} ${name}=IMAGE`) };
  switch (reason) {
    case 'InvalidImageName':
      return { ...common, title: say('invalidImageTitle', { container: name }), cause: [say('invalidImage', { image })], next: [another] };
    case 'ErrImageNeverPull':
      return {
        ...common,
        title: say('neverPullTitle', { container: name }),
        cause: [say('neverPull', { image })],
        next: [
          { why: say('tryPull'), command: `docker pull ${image}` },
          { why: say('tryImages'), command: 'docker images' },
        ],
      };
    case 'ImageInspectError':
      return {
        ...common,
        title: say('inspectTitle', { container: name }),
        cause: [say('inspect', { image })],
        next: [{ why: say('tryRuntime'), command: 'docker info' }],
      };
    default:
      return undefined;
  }
}
