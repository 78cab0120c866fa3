/** Containers whose image is there, and which cannot be created or started. */
import { textAt } from '../folds/attribute-values.ts';
import { type ContainerPatient, type Diagnosis, factsOf, type NextCommand, type Patient } from './patient.ts';
import { type ExplainMessageId, type ExplainText, say } from './text.ts';

const describe = (patient: Patient): NextCommand => ({ why: say('tryDescribe'), command: patient.kubectl(`describe pod ${patient.track.name}`) });

interface ConfigTrouble {
  readonly text: ExplainText;
  readonly next: readonly NextCommand[];
}

/** What the configuration lacks, read from the kubelet's message. */
function configTrouble(patient: Patient, message: string): ConfigTrouble | undefined {
  const namespace = patient.track.namespace || 'default';
  const missing = /\b(secret|configmap)s? "([^"]+)" not found/i.exec(message);
  if (missing?.[1] && missing[2]) {
    const isSecret = missing[1].toLowerCase() === 'secret';
    const name = missing[2];
    return {
      text: say(isSecret ? 'configNoSecret' : 'configNoConfigMap', { name, namespace }),
      next: [
        {
          why: say(isSecret ? 'tryCreateSecret' : 'tryCreateConfigMap'),
          command: patient.kubectl(`create ${isSecret ? 'secret generic' : 'configmap'} ${name} --from-literal=KEY=VALUE`),
        },
        { why: say('tryObjects'), command: patient.kubectl('get secrets,configmaps') },
      ],
    };
  }
  const key = /couldn't find key (\S+) in (Secret|ConfigMap) (?:([^\s/]+)\/)?([^\s/]+)/.exec(message);
  if (key?.[1] && key[2] && key[4]) {
    const kind = key[2].toLowerCase();
    return {
      text: say('configNoKey', { key: key[1], object: `${key[2]} ${key[4]}` }),
      next: [{ why: say('tryKeys'), command: patient.kubectl(`describe ${kind} ${key[4]}`) }],
    };
  }
  if (/non-numeric user/.test(message)) return { text: say('configUserName'), next: [] };
  if (/runAsNonRoot/.test(message)) return { text: say('configRoot'), next: [] };
  return undefined;
}

/** What runtimes say about processes that do not come up; the first that matches. */
const runTroubles: readonly (readonly [RegExp, ExplainMessageId])[] = [
  [/exec format error/i, 'runFormat'],
  [/chdir to cwd|working directory/i, 'runDirectory'],
  [/port is already allocated|address already in use/i, 'runPort'],
  [/executable file not found|no such file or directory.*(?:exec|entrypoint)|(?:exec|stat|entrypoint)\b.*no such file or directory/is, 'runNotFound'],
  [/permission denied|is a directory/i, 'runNotExecutable'],
  [/no command specified/i, 'createNoCommand'],
  [/is already in use by container|Conflict\. The container name/i, 'createConflict'],
  [/bind source path|mount|not a directory/i, 'createMount'],
  [/device/i, 'runDevice'],
];

const runTrouble = (message: string): ExplainMessageId | undefined => runTroubles.find(([pattern]) => pattern.test(message))?.[1];

const hooksBefore: ReadonlySet<string> = new Set(['PreCreateHookError', 'PreStartHookError']);
/** v1.20 has no name for every end of a start: the message is the reason then. */
const nameOf = (reason: string): string => /^[A-Za-z]+/.exec(reason)?.[0] ?? reason;

/** Why a container was not created, or not started. */
export function startDiagnosis(patient: Patient, container: ContainerPatient): Diagnosis | undefined {
  const { name, specPath, statusPath, status, spec } = container;
  const shown = textAt(status, 'state', 'waiting', 'reason') ?? textAt(status, 'state', 'terminated', 'reason') ?? '';
  const reason = nameOf(shown);
  const message = textAt(status, 'state', 'waiting', 'message') ?? textAt(status, 'state', 'terminated', 'message') ?? '';
  const facts = factsOf(
    [`${specPath}.command`, spec['command']],
    [`${specPath}.args`, spec['args']],
    [`${statusPath}.state.waiting.reason`, textAt(status, 'state', 'waiting', 'reason')],
  );
  const common = { reason, severity: 'error', container: name, said: message || shown, facts } as const;
  if (reason === 'CreateContainerConfigError') {
    const trouble = configTrouble(patient, message);
    return {
      ...common,
      facts: factsOf(
        [`${specPath}.env`, spec['env']],
        [`${specPath}.envFrom`, spec['envFrom']],
        [`${specPath}.securityContext`, spec['securityContext']],
        [`${statusPath}.state.waiting.reason`, reason],
      ),
      title: say('configTitle', { container: name }),
      cause: [say('config'), ...(trouble ? [trouble.text] : []), say('configRetries')],
      next: trouble && trouble.next.length > 0 ? trouble.next : [describe(patient)],
    };
  }
  const trouble = runTrouble(message);
  const because = trouble ? [say(trouble)] : [];
  if (reason === 'CreateContainerError')
    return { ...common, title: say('createTitle', { container: name }), cause: [say('create'), ...because], next: [describe(patient)] };
  if (hooksBefore.has(reason)) return { ...common, title: say('hookBeforeTitle', { container: name }), cause: [say('hookBefore')], next: [describe(patient)] };
  if (reason === 'RunContainerError' || reason === 'ContainerCannotRun' || reason === 'StartError') {
    const next: NextCommand[] = [{ why: say('tryImages'), command: `docker run --rm -it --entrypoint sh ${container.image}` }, describe(patient)];
    return { ...common, title: say('runTitle', { container: name }), cause: [say('run'), ...because], next };
  }
  return undefined;
}
