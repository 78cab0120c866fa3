/**
 * Classifies a program's failure that matches no other recognizer by keywords in its last message: a setting that is
 * missing or invalid, a resource that doesn't exist, an incompatible version, a conflicting state, an exceeded limit.
 * Names the ConfigMap, Secret or field that holds the program's settings.
 */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import { mentions, origins } from './places.ts';
import { type ExitCase, logs, type Recognized, restartAll, rollBack } from './recognizer.ts';

type Kind = 'Unset' | 'Absent' | 'Value' | 'Version' | 'State' | 'Amount' | 'Own';

/** The words of each kind of failure. The first kind that matches decides. */
const kinds: readonly (readonly [Kind, RegExp])[] = [
  [
    'Version',
    /incompatib|version (?:mismatch|conflict|is not supported)|unsupported (?:[\w.]+ )?version|requires? (?:at least |a newer )?version|(?:newer|older) (?:than|version)|downgrade|no longer supported|was removed in/i,
  ],
  [
    'State',
    /already (?:exists|in use|running|locked|held|registered|taken|started|initiali[sz]ed)|conflict|is locked|lock (?:is )?held|locked by|duplicate|another (?:instance|process|node|replica)|in use by/i,
  ],
  [
    'Unset',
    /missing (?:required |mandatory )?(?:\w+ )?(?:env|variable|setting|config|option|argument|parameter|property|value|key|field|flag)|required|not (?:been )?(?:set|specified|provided|configured|defined|given|supplied|initiali[sz]ed)\b|no [\w .-]{2,50} (?:was |is |has been |have been )?(?:set|specified|provided|configured|given)\b|unset|(?:is|are|was) (?:empty|missing|null|blank)|must (?:be (?:set|provided|specified|configured|defined|given)|not be (?:empty|null|blank))|no default|cannot be (?:null|blank|empty)|KeyError|undefined (?:env|variable)/i,
  ],
  [
    'Absent',
    /not found|no such|does(?: not|n.t) exist|not (?:yet )?(?:published|available|ready|present|registered|loaded|created|deployed|enabled|generated|uploaded|imported|seeded)\b|nothing to |no (?:data|record|row|entry|file|active|valid|matching) |(?:could not|can(?:not|.t)|unable to|failed to) (?:be )?(?:find|found|load|open|locate|read|stat|resolve|discover)|unknown (?:host|user|database|topic|queue|table|index|cluster|realm|tenant|class|type|module)/i,
  ],
  [
    'Amount',
    /exceed|too (?:many|large|big|long|small|low|short|few)|limit (?:reached|of)|exhausted|overflow|out of range|(?:greater|less|larger|smaller|more|fewer) than|at (?:least|most) \d|maximum|minimum|insufficient|not enough/i,
  ],
  [
    'Value',
    /invalid|illegal|\bbad\b|malformed|pars(?:e|ing)|unexpected|unsupported|unknown|unrecogni[sz]ed|not (?:a )?valid|must\b|syntax|wrong|incorrect|decode|deseriali|unmarshal|convert|format|not allowed|not supported|cannot/i,
  ],
];

interface Source {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
}

/** Returns the ConfigMaps and Secrets from which a container gets variables and files, the ones for all keys first. */
function sourcesOf({ it, container: { spec } }: ExitCase): readonly Source[] {
  const volumes = (spec.volumeMounts ?? []).flatMap(({ name }) =>
    (it.pod.spec.volumes ?? []).filter((volume) => volume.name === name && !name.startsWith('kube-api-access')),
  );
  const found: readonly (Source | undefined)[] = [
    ...(spec.envFrom ?? []).map(({ configMapRef, secretRef }): Source | undefined =>
      configMapRef?.name
        ? { kind: 'ConfigMap', name: configMapRef.name }
        : secretRef?.name
          ? { kind: 'Secret', name: secretRef.name }
          : undefined,
    ),
    ...volumes.map(({ configMap, secret }): Source | undefined =>
      configMap?.name
        ? { kind: 'ConfigMap', name: configMap.name }
        : secret?.secretName
          ? { kind: 'Secret', name: secret.secretName }
          : undefined,
    ),
    ...(spec.env ?? []).map(({ valueFrom }): Source | undefined =>
      valueFrom?.configMapKeyRef?.name
        ? { kind: 'ConfigMap', name: valueFrom.configMapKeyRef.name }
        : valueFrom?.secretKeyRef?.name
          ? { kind: 'Secret', name: valueFrom.secretKeyRef.name }
          : undefined,
    ),
  ];
  const sources = found.flatMap((each) => each ?? []);
  return sources.filter(
    ({ kind, name }, index) => sources.findIndex((other) => other.kind === kind && other.name === name) === index,
  );
}

/** Returns the commands that change the settings of a program: in its ConfigMap or Secret, and in the template. */
function settingsFix(
  exit: ExitCase,
  values: Readonly<Record<string, string>>,
  id: `said${Kind}Fix` | 'saidPlaceFix',
): readonly NextCommand[] {
  const { it } = exit;
  const sources = sourcesOf(exit);
  const map = sources.find(({ kind }) => kind === 'ConfigMap') ?? sources[0];
  const edits: readonly NextCommand[] =
    map === undefined
      ? []
      : [
          {
            why: textOf('saidSourceFix', { ...values, ...map }),
            command: it.kubectl(`edit ${map.kind.toLowerCase()} ${map.name}`),
          },
          ...restartAll(exit),
        ];
  return [...it.change(id, values), ...edits];
}

/**
 * Returns the variable or argument whose value a line contains, also as a part of a longer word: `2026-11` in
 * `TAR-2026-11`. Returns undefined without one.
 */
function valueIn({ container: { spec } }: ExitCase, line: string): string | undefined {
  const isPart = (value: string): boolean =>
    value.length >= 4 &&
    !/^(?:true|false|info|warn|debug|prod\w*|error|none|null|default|\d{1,5})$/i.test(value) &&
    new RegExp(`(?<![A-Za-z0-9])${value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?![A-Za-z0-9])`).test(line);
  const variable = (spec.env ?? []).find(({ value = '' }) => isPart(value));
  if (variable) return `env ${variable.name}=${variable.value ?? ''}`;
  const word = [...(spec.args ?? []), ...(spec.command ?? []).slice(1)].find((each) =>
    isPart(each.replace(/^--?[\w.-]+=/, '')),
  );
  return word === undefined ? undefined : `args ${word}`;
}

/** Returns what a program tells its user to use or try instead; undefined if it tells nothing. */
const hintIn = (line: string): string | undefined =>
  /(?:\b[Pp]lease (?:use|try|run)|(?:[.:;] |, |\()(?:[Uu]se|[Tt]ry)|\b[Dd]id you mean:?|[Uu]se(?= [^.]{2,40} instead)) ["'`]?(?<hint>[^"'`?.\n]{2,60}?)["'`]?(?: instead)?\s*(?:[.?)]|$)/.exec(
    line,
  )?.groups?.['hint'];

/**
 * Returns the class of a failure that no recognizer knows. A failure whose words belong to no class is a condition of
 * the program itself.
 * @param said the line that says most about the failure
 */
export function complaintOf(exit: ExitCase, said: string, text: string): Recognized {
  const line = said.replace(/^(?:Caused by|Unhandled exception)[.:] */, '');
  const kind = kinds.find(([, pattern]) => pattern.test(line))?.[0] ?? 'Own';
  const { it, container } = exit;
  const sources = sourcesOf(exit)
    .map(({ kind: type, name }) => `${type} ${name}`)
    .join(', ');
  const variables = (container.spec.env ?? []).map(({ name }) => name);
  const all = {
    ...exit.values,
    line,
    sources,
    variables: variables.length > 6 ? `${variables.slice(0, 6).join(', ')}, …` : variables.join(', '),
  };
  const hint = hintIn(line);
  if (hint !== undefined) {
    const hinted = { ...all, hint };
    return {
      title: textOf('saidHintTitle', hinted),
      cause: [textOf('saidHint', hinted), ...origins(exit, text)],
      next: [...it.change('saidHintFix', hinted), logs(exit), ...rollBack(exit)],
      origin: 'configuration',
    };
  }
  const mentioned = mentions(exit, text);
  const place = valueIn(exit, line);
  const back = rollBack(exit);
  const fixId = place === undefined ? (`said${kind}Fix` as const) : 'saidPlaceFix';
  const fix =
    mentioned.length > 0
      ? [...mentioned, ...it.change(fixId, { ...all, place: place ?? '' })]
      : settingsFix(exit, { ...all, place: place ?? '' }, fixId);
  return {
    title: textOf(`said${kind}Title`, all),
    cause: [
      textOf(`said${kind}`, all),
      ...origins(exit, text),
      ...(place === undefined ? [] : [textOf('saidPlace', { ...all, place })]),
      ...(sources === '' ? [] : [textOf('saidSources', all)]),
      ...(sources === '' && variables.length > 0 ? [textOf('saidVariables', all)] : []),
    ],
    next: kind === 'Version' ? [...back, ...fix, logs(exit)] : [...fix, logs(exit), ...back],
    origin: kind === 'Unset' || kind === 'Value' ? 'configuration' : 'program',
  };
}
