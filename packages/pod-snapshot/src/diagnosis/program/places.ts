/**
 * Finds the parts of the pod's template that a program's message concerns: the mount of a file, its ConfigMap, Secret
 * or claim, and the variable or argument with a host.
 */
import { type ExplainText, type NextCommand, textOf } from '@podscope/trace/explain';
import type { ContainerCase } from '../pod-case.ts';
import { type ExitCase, mountedSetting } from './recognizer.ts';

/** A volume of the container that a message concerns. */
export interface Place {
  readonly volume: string;
  /** The claim of the volume; undefined if another kind of volume is mounted. */
  readonly claim: string | undefined;
  /** Whether a new pod gets an empty volume. */
  readonly isTemporary: boolean;
  readonly path: string;
}

const under = (path: string, mountPath: string): boolean =>
  path === mountPath || path.startsWith(`${mountPath.replace(/\/$/, '')}/`);

/** Returns the paths of files that a text names, in their order. */
export const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w:/.-])\/[\w.@-]+(?:\/[\w.@-]+)+/g)].map(([path]) => path.replace(/\.$/, ''));

/**
 * Returns the volume of the container in which a text names a path. If it names none, returns the container's only
 * volume with a claim, because the data is most likely in that volume.
 */
export function dataPlace({ it, container }: ExitCase, text: string): Place | undefined {
  const mounts = (container.spec.volumeMounts ?? []).map(({ name, mountPath }) => ({
    volume: name,
    path: mountPath,
    claim: it.pod.spec.volumes?.find((each) => each.name === name)?.persistentVolumeClaim?.claimName,
    isTemporary: it.pod.spec.volumes?.find((each) => each.name === name)?.emptyDir !== undefined,
  }));
  const claimed = mounts.filter(({ claim }) => claim !== undefined);
  const paths = pathsIn(text);
  return (
    mounts.find(
      ({ path, volume }) => !volume.startsWith('kube-api-access') && paths.some((each) => under(each, path)),
    ) ?? (claimed.length === 1 ? claimed[0] : undefined)
  );
}

/** Returns the variable or argument that contains a text, for example `env DATABASE_HOST`; empty if none does. */
export function whereIn({ spec }: ContainerCase, text: string): string {
  const variable = (spec.env ?? []).find(({ value }) => value?.includes(text));
  if (variable) return `env ${variable.name}`;
  return [...(spec.command ?? []), ...(spec.args ?? [])].some((word) => word.includes(text)) ? 'args' : '';
}

/** A host to which the program connects, and where it is set. */
interface Server {
  readonly host: string;
  readonly place: string;
}

const url =
  /\b(?:https|wss|ldaps|amqps|rediss|mongodb\+srv|tls|ssl):\/\/(?:[^@/\s"']*@)?(?<host>[\w-]+(?:\.[\w-]+)*(?::\d+)?)/i;

/**
 * Returns the server that a text names by its URL; otherwise the only server in the container's variables and
 * arguments.
 */
export function secureServer({ container }: ExitCase, text: string): Server | undefined {
  const said = url.exec(text)?.groups?.['host'] ?? /for host:? "?(?<host>[\w.-]+\.\w+)/i.exec(text)?.groups?.['host'];
  if (said !== undefined) return { host: said, place: whereIn(container, said.replace(/:\d+$/, '')) || 'log' };
  const words = [...(container.spec.env ?? []).map(({ value }) => value ?? ''), ...(container.spec.command ?? [])];
  const hosts = new Set(
    [...words, ...(container.spec.args ?? [])].flatMap((word) => url.exec(word)?.groups?.['host'] ?? []),
  );
  const [host] = hosts;
  return host === undefined || hosts.size > 1 ? undefined : { host, place: whereIn(container, host) };
}

/** Returns the object or claim from which the files in a text come, as sentences. */
export function origins({ it, container, values }: ExitCase, text: string): readonly ExplainText[] {
  for (const path of pathsIn(text)) {
    const mount = container.spec.volumeMounts?.find(({ mountPath }) => under(path, mountPath));
    const source = it.pod.spec.volumes?.find(({ name }) => name === mount?.name);
    const all = { ...values, path, volume: mount?.name ?? '' };
    if (source?.configMap?.name)
      return [textOf('mentionObject', { ...all, kind: 'ConfigMap', name: source.configMap.name })];
    if (source?.secret?.secretName)
      return [textOf('mentionObject', { ...all, kind: 'Secret', name: source.secret.secretName })];
    if (source?.persistentVolumeClaim)
      return [textOf('mentionClaim', { ...all, name: source.persistentVolumeClaim.claimName })];
  }
  return [];
}

/** Returns commands about the objects that a text names: the source of a mounted file, or the Service of a host. */
export function mentions(exit: ExitCase, text: string): readonly NextCommand[] {
  const { it, container, values } = exit;
  const mounted = mountedSetting(exit, text);
  const host = (container.spec.env ?? [])
    .flatMap(
      ({ value = '' }) =>
        /^(?:\w+:\/\/)?(?:[^@/\s]*@)?(?<host>[a-z][a-z0-9-]*[a-z0-9](?:\.[\w.-]+)?)(?::\d+)?(?:\/\S*)?$/.exec(value)
          ?.groups?.['host'] ?? [],
    )
    .find(
      (each) =>
        each !== it.name &&
        each !== it.owner.name &&
        new RegExp(`(?<![\\w.-])${each.replaceAll('.', String.raw`\.`)}(?![\\w-])`).test(text) &&
        each.length > 3,
    );
  const [name = '', space = it.namespace] = (host ?? '').split('.');
  return [
    ...mounted,
    ...(host === undefined || mounted.length > 0
      ? []
      : [
          {
            why: textOf('mentionHost', { ...values, name, space }),
            command: `kubectl get svc,endpointslices -n ${space} | grep -E 'NAME|${name}'`,
          },
        ]),
  ];
}

/** A variable or argument of the container whose name or value a message contains. */
export interface Setting {
  /** The text that the message and the template share. */
  readonly word: string;
  readonly place: string;
}

const contains = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w-])${word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?![\\w-])`).test(text);

/** An environment variable whose value comes from a Secret, and the log line that matches its name. */
interface SecretSetting {
  readonly line: string;
  readonly secret: string;
  readonly key: string;
  readonly variable: string;
}

/**
 * Returns the first variable from a Secret whose last two words (`key` and `api` of `STRIPE_API_KEY`) are both in a
 * line, with that line; undefined without one.
 */
export function secretIn({ container: { spec } }: ExitCase, lines: readonly string[]): SecretSetting | undefined {
  for (const { name, valueFrom } of spec.env ?? []) {
    const secret = valueFrom?.secretKeyRef?.name;
    if (secret === undefined) continue;
    const words = name
      .toLowerCase()
      .split('_')
      .filter((word) => word.length >= 3 && !/^(?:core|app|the)$/.test(word));
    const line = lines.find((each) => {
      // Programs write the name of a setting with other separators than a variable: `cookie_secret`.
      const text = each.toLowerCase().replaceAll(/[_.-]/g, ' ');
      return words.length > 1 && words.slice(-2).every((word) => contains(text, word));
    });
    if (line !== undefined) return { line, secret, key: valueFrom?.secretKeyRef?.key ?? '', variable: name };
  }
  return undefined;
}

/** Returns the variable or argument that a line names by its name or value; undefined if it names none. */
export function settingIn({ container: { spec } }: ExitCase, line: string): Setting | undefined {
  for (const word of [...(spec.args ?? []), ...(spec.command ?? []).slice(1)]) {
    const [, key = '', value = ''] = /^-{0,2}([^=\s]+)(?:=(.*))?$/.exec(word) ?? [];
    const found = [key, value, key.split('.').at(-1) ?? ''].find((each) => each.length >= 4 && contains(line, each));
    if (found !== undefined) return { word: found, place: `args (${word})` };
  }
  for (const { name, value = '' } of spec.env ?? []) {
    const flags = value.split(/\s+/).flatMap((word) => /^--?[\w.:+-]{4,}/.exec(word)?.[0] ?? []);
    const found = [name, value, ...flags].find(
      (each) => each.length >= 4 && !/^\d+$/.test(each) && contains(line, each),
    );
    if (found !== undefined) return { word: found, place: value === '' ? `env ${name}` : `env ${name}=${value}` };
  }
  return undefined;
}
