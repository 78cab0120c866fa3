/** Diagnoses containers that can't be created or started although their image is present. */
import { textAt } from '../../folds/attribute-values.ts';
import { type ContainerFacts, type Diagnosis, factsOf, type NextCommand, type PodFacts } from '../pod-facts.ts';
import { type ExplainMessageId, type ExplainText, textOf } from '../text.ts';

const describe = (podFacts: PodFacts): NextCommand => ({
  why: textOf('tryDescribe'),
  command: podFacts.kubectl(`describe pod ${podFacts.track.name}`),
});

interface ConfigTrouble {
  readonly text: ExplainText;
  readonly next: readonly NextCommand[];
}

/** Finds the missing part of the configuration in the kubelet's message. */
function configTrouble(podFacts: PodFacts, message: string): ConfigTrouble | undefined {
  const namespace = podFacts.track.namespace || 'default';
  const missing = /\b(secret|configmap)s? "([^"]+)" not found/i.exec(message);
  if (missing?.[1] && missing[2]) {
    const isSecret = missing[1].toLowerCase() === 'secret';
    const name = missing[2];
    return {
      text: textOf(isSecret ? 'configNoSecret' : 'configNoConfigMap', { name, namespace }),
      next: [
        {
          why: textOf(isSecret ? 'tryCreateSecret' : 'tryCreateConfigMap'),
          command: podFacts.kubectl(
            `create ${isSecret ? 'secret generic' : 'configmap'} ${name} --from-literal=KEY=VALUE`,
          ),
        },
        { why: textOf('tryObjects'), command: podFacts.kubectl('get secrets,configmaps') },
      ],
    };
  }
  const key = /couldn't find key (\S+) in (Secret|ConfigMap) (?:([^\s/]+)\/)?([^\s/]+)/.exec(message);
  if (key?.[1] && key[2] && key[4]) {
    const kind = key[2].toLowerCase();
    return {
      text: textOf('configNoKey', { key: key[1], object: `${key[2]} ${key[4]}` }),
      next: [{ why: textOf('tryKeys'), command: podFacts.kubectl(`describe ${kind} ${key[4]}`) }],
    };
  }
  if (/non-numeric user/.test(message)) return { text: textOf('configUserName'), next: [] };
  if (/runAsNonRoot/.test(message)) return { text: textOf('configRoot'), next: [] };
  return undefined;
}

/** Messages of runtimes about failed starts, with their causes. The first match counts. */
const runTroubles: readonly (readonly [RegExp, ExplainMessageId])[] = [
  [/exec format error/i, 'runFormat'],
  [/chdir to cwd|working directory/i, 'runDirectory'],
  [/port is already allocated|address already in use/i, 'runPort'],
  [
    /executable file not found|no such file or directory.*(?:exec|entrypoint)|(?:exec|stat|entrypoint)\b.*no such file or directory/is,
    'runNotFound',
  ],
  [/permission denied|is a directory/i, 'runNotExecutable'],
  [/no command specified/i, 'createNoCommand'],
  [/is already in use by container|Conflict\. The container name/i, 'createConflict'],
  [/bind source path|mount|not a directory/i, 'createMount'],
  [/device/i, 'runDevice'],
];

const runTrouble = (message: string): ExplainMessageId | undefined =>
  runTroubles.find(([pattern]) => pattern.test(message))?.[1];

const hooksBefore: ReadonlySet<string> = new Set(['PreCreateHookError', 'PreStartHookError']);
/** In v1.20 some failed starts have no reason of their own, so the reason field contains the message. */
const nameOf = (reason: string): string => /^[A-Za-z]+/.exec(reason)?.[0] ?? reason;

/** Diagnoses a container that was not created or not started. */
export function startDiagnosis(podFacts: PodFacts, container: ContainerFacts): Diagnosis | undefined {
  const { name, specPath, statusPath, status, spec } = container;
  const shown = textAt(status, 'state', 'waiting', 'reason') ?? textAt(status, 'state', 'terminated', 'reason') ?? '';
  const reason = nameOf(shown);
  const message =
    textAt(status, 'state', 'waiting', 'message') ?? textAt(status, 'state', 'terminated', 'message') ?? '';
  const facts = factsOf(
    [`${specPath}.command`, spec['command']],
    [`${specPath}.args`, spec['args']],
    [`${statusPath}.state.waiting.reason`, textAt(status, 'state', 'waiting', 'reason')],
  );
  const common = { reason, severity: 'error', container: name, said: message || shown, facts } as const;
  if (reason === 'CreateContainerConfigError') {
    const trouble = configTrouble(podFacts, message);
    return {
      ...common,
      facts: factsOf(
        [`${specPath}.env`, spec['env']],
        [`${specPath}.envFrom`, spec['envFrom']],
        [`${specPath}.securityContext`, spec['securityContext']],
        [`${statusPath}.state.waiting.reason`, reason],
      ),
      title: textOf('configTitle', { container: name }),
      cause: [textOf('config'), ...(trouble ? [trouble.text] : []), textOf('configRetries')],
      next: trouble && trouble.next.length > 0 ? trouble.next : [describe(podFacts)],
    };
  }
  const trouble = runTrouble(message);
  const because = trouble ? [textOf(trouble)] : [];
  if (reason === 'CreateContainerError')
    return {
      ...common,
      title: textOf('createTitle', { container: name }),
      cause: [textOf('create'), ...because],
      next: [describe(podFacts)],
    };
  if (hooksBefore.has(reason))
    return {
      ...common,
      title: textOf('hookBeforeTitle', { container: name }),
      cause: [textOf('hookBefore')],
      next: [describe(podFacts)],
    };
  if (reason === 'RunContainerError' || reason === 'ContainerCannotRun' || reason === 'StartError') {
    const next: NextCommand[] = [
      { why: textOf('tryImages'), command: podFacts.onNode.shell(container.image) },
      describe(podFacts),
    ];
    return { ...common, title: textOf('runTitle', { container: name }), cause: [textOf('run'), ...because], next };
  }
  return undefined;
}
