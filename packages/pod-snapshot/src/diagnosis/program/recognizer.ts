/**
 * Types and helpers of the recognizers that explain why a program ended.
 */
import { type ExplainText, type NextCommand, textOf } from '@podscope/trace/explain';
import { type ContainerCase, logsCommand, type PodCase } from '../pod-case.ts';

/** A cause that the output of a program names. */
export interface Recognized {
  readonly title: ExplainText;
  readonly cause: readonly ExplainText[];
  readonly next: readonly NextCommand[];
  readonly origin?: 'program' | 'configuration' | 'network' | 'node' | 'storage';
  /** Whether the container recovers without any change once the service that it needs works. */
  readonly heals?: boolean;
  /** The line of the output that shows the cause. */
  readonly line?: string;
}

/** A container that has ended, and the facts with which recognizers explain its end. */
export interface ExitCase {
  readonly it: PodCase;
  readonly container: ContainerCase;
  /** The image, container and node, for texts. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * A pattern of a program's output, and a function that explains a match. The function returns undefined if the match
 * explains nothing.
 */
export type Recognizer = readonly [
  pattern: RegExp,
  recognize: (
    exit: ExitCase,
    groups: Readonly<Record<string, string | undefined>>,
    all: string,
  ) => Recognized | undefined,
];

const linesOf = (text: string): readonly string[] => text.split('\n').map((each) => each.trim());

/** Returns the last line of the text that matches the pattern, cut to 300 characters; empty without one. */
export const lineOf = (text: string, pattern: RegExp): string =>
  (linesOf(text).findLast((each) => pattern.test(each)) ?? '').slice(0, 300);

/** Returns the first line of the text that matches the pattern, cut to 300 characters; empty without one. */
export const firstLineOf = (text: string, pattern: RegExp): string =>
  (linesOf(text).find((each) => pattern.test(each)) ?? '').slice(0, 300);

/** Returns the command that shows the container's log. */
export const logs = ({ it, container, values }: ExitCase): NextCommand => ({
  why: textOf('lookLogs', values),
  command: logsCommand(it, container),
});

/** Returns the command that restores the previous template; empty if the owner has no revisions. */
export function rollBack({ it, values }: Pick<ExitCase, 'it' | 'values'>): readonly NextCommand[] {
  const { kind, name, ref, label, manager } = it.owner;
  // An operator writes the template again from its custom resource.
  if (manager?.tool === 'operator') return [];
  if (kind === 'Rollout')
    return [
      {
        why: textOf('runRollBack', { ...values, owner: label }),
        command: `kubectl argo rollouts undo ${name} -n ${it.namespace}`,
      },
    ];
  return ['Deployment', 'StatefulSet', 'DaemonSet'].includes(kind)
    ? [{ why: textOf('runRollBack', { ...values, owner: label }), command: it.kubectl(`rollout undo ${ref}`) }]
    : [];
}

/** Returns the command that restarts the pods of a workload, so that they read changed settings. */
export const restartAll = ({ it, values }: ExitCase): readonly NextCommand[] =>
  ['Deployment', 'StatefulSet', 'DaemonSet'].includes(it.owner.kind)
    ? [
        {
          why: textOf('runMountedRestart', { ...values, owner: it.owner.label }),
          command: it.kubectl(`rollout restart ${it.owner.ref}`),
        },
      ]
    : [];

/**
 * Returns the command that edits the ConfigMap or Secret whose mounted file a text names; empty if the text names no
 * such file.
 */
export function mountedSetting({ it, container, values }: ExitCase, text: string): readonly NextCommand[] {
  const maps = (container.spec.volumeMounts ?? []).filter(({ name }) =>
    it.pod.spec.volumes?.some((each) => each.name === name && each.configMap !== undefined),
  );
  // A text that mentions a configuration is assumed to concern the container's only mounted ConfigMap.
  const only =
    maps.length === 1 && /conf(?:ig)?\b|config|propert(?:y|ies)|setting|\.ya?ml|\.toml|\.ini/i.test(text)
      ? maps[0]?.name
      : undefined;
  for (const { mountPath, name } of container.spec.volumeMounts ?? []) {
    if (!text.includes(mountPath) && name !== only) continue;
    const volume = it.pod.spec.volumes?.find((each) => each.name === name);
    const [kind, object] = volume?.configMap?.name
      ? ['ConfigMap', volume.configMap.name]
      : volume?.secret?.secretName
        ? ['Secret', volume.secret.secretName]
        : [];
    if (kind === undefined || object === undefined) continue;
    const all = { ...values, kind, name: object, path: mountPath, owner: it.owner.label };
    return [
      { why: textOf('runMounted', all), command: it.kubectl(`edit ${kind.toLowerCase()} ${object}`) },
      ...(it.owner.replaces ? restartAll({ it, container, values }) : []),
    ];
  }
  return [];
}

/** Returns the word of the container's command line that a complaint about a flag names. */
function flagIn(
  { container: { spec } }: ExitCase,
  what: string,
): { readonly flag: string; readonly field: 'args' | 'command' } | undefined {
  const named = /(?<![\w-])--?[a-zA-Z][\w.-]*/.exec(what)?.[0]?.replace(/[.,]$/, '');
  if (named === undefined) return undefined;
  const is = (word: string): boolean => word.replace(/=.*$/s, '').replace(/^-+/, '') === named.replace(/^-+/, '');
  for (const field of ['args', 'command'] as const) {
    const flag = spec[field]?.find(is);
    if (flag !== undefined) return { flag, field };
  }
  return undefined;
}

const simple = (
  id:
    | 'runConfig'
    | 'runDatabase'
    | 'runFiles'
    | 'runMaps'
    | 'runLock'
    | 'runLeader'
    | 'runSpace'
    | 'runLowPort'
    | 'runCrlf'
    | 'runLibc'
    | 'runThread'
    | 'runMemlock',
) => ({
  title: `${id}Title` as const,
  cause: id,
  fix: `${id}Fix` as const,
});

/** Returns a recognizer that uses the texts `<id>Title`, `<id>` and `<id>Fix`. */
export const plain =
  (
    id: Parameters<typeof simple>[0],
    origin: Recognized['origin'] = 'configuration',
    extra?: (exit: ExitCase, values: Readonly<Record<string, string>>) => readonly NextCommand[],
  ) =>
  (exit: ExitCase, groups: Readonly<Record<string, string | undefined>>, text = ''): Recognized => {
    const { title, cause, fix } = simple(id);
    const flag = id === 'runConfig' ? flagIn(exit, groups['what'] ?? '') : undefined;
    const mounted = id === 'runConfig' && flag === undefined ? mountedSetting(exit, text) : [];
    const named = groups['what'] ?? '';
    // A few words don't say what failed; the whole line does.
    const said =
      id === 'runConfig' && named.length < 40
        ? (text.split('\n').find((each) => each.includes(named)) ?? named).trim()
        : named;
    // A line that ends with a colon introduces a list of errors. The first line of that list names the error.
    const after = /:\s*$/.test(said)
      ? text
          .slice(text.indexOf(said) + said.length)
          .trim()
          .split('\n')[0]
      : undefined;
    const all = {
      ...exit.values,
      what: after ? `${said} ${after.slice(0, 240)}` : said,
      path: groups['path'] ?? '',
    };
    return {
      title: textOf(title, all),
      cause: [textOf(cause, all)],
      next: [
        ...(extra?.(exit, all) ?? []),
        ...(mounted.length > 0
          ? mounted
          : flag === undefined
            ? exit.it.change(fix, all)
            : exit.it.change('runFlagFix', { ...all, ...flag })),
      ],
      ...(origin ? { origin } : {}),
    };
  };
