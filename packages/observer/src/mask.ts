/**
 * Masks values that must not be stored: registry credentials, and environment variables that may come from a Secret.
 */
import { isRecord } from '@podscope/base';
import type { Pod } from '@podscope/k8s';
import type { CallMessage } from './inputs.ts';
import { isPod } from './is-pod.ts';
import { listAt, objectAt, textAt, textsAt } from './state/fields.ts';
import { containersOf } from './state/probes.ts';

const masked = '<redacted>';

/**
 * Returns the names of the variables whose values aren't secret, because the pod's spec contains the value or refers to
 * a field of the pod for it.
 */
function openVariables(pod: Pod | undefined, container: string): ReadonlySet<string> {
  const spec = pod && containersOf(pod).find(({ name }) => name === container);
  const open = (spec?.env ?? []).filter(
    ({ valueFrom }) => !valueFrom || valueFrom.fieldRef || valueFrom.resourceFieldRef,
  );
  return new Set(open.map(({ name }) => name));
}

/** Matches variables that the kubelet adds for services. They contain addresses, not secrets. */
const ofService =
  /^[A-Z][A-Z0-9_]*_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/;

/** Returns whether a mount of a request has this path in the container. The kubelet makes the path absolute. */
const isAt = (mountPath: string, mount: CallMessage): boolean =>
  textAt(mount, 'containerPath').replace(/^\//, '') === mountPath.replace(/^\//, '');

/**
 * Returns a request without credentials. A variable keeps its value only if the pod's spec contains the value or refers
 * to a field for it, or if the kubelet added it for a service. The kubelet expands references to variables in other
 * variables, in the command, in its arguments and in `subPathExpr` of a volume mount, so these are masked if they
 * contain a masked value.
 */
export function maskRequest(method: string, request: CallMessage, pod: Pod | undefined): CallMessage {
  if (method === 'PullImage' && isRecord(request['auth'])) return { ...request, auth: masked };
  if (method !== 'CreateContainer') return request;
  const config = objectAt(request, 'config');
  const envs = listAt(config, 'envs');
  if (!config || envs.length === 0) return request;
  const container = textAt(config, 'metadata', 'name');
  const open = openVariables(pod, container);
  const isOpen = (key: string): boolean => open.has(key) || ofService.test(key);
  const secrets = envs.flatMap((env) => {
    const value = textAt(env, 'value');
    return isOpen(textAt(env, 'key')) || value === '' ? [] : [value];
  });
  const spec = pod && containersOf(pod).find(({ name }) => name === container);
  const isExpanded = (text: string, original: string | undefined): boolean =>
    text !== original && secrets.some((secret) => text.includes(secret));
  const kept = envs.map((env) => {
    const key = textAt(env, 'key');
    const original = spec?.env?.findLast(({ name }) => name === key)?.value;
    return isOpen(key) && !isExpanded(textAt(env, 'value'), original) ? env : { ...env, value: masked };
  });
  const words = (field: 'command' | 'args'): CallMessage =>
    field in config
      ? {
          [field]: textsAt(config, field).map((word, index) =>
            isExpanded(word, spec?.[field]?.[index]) ? masked : word,
          ),
        }
      : {};
  // The kubelet expands subPathExpr into the host path, except where it mounts the sub-path elsewhere first.
  const expands = (mount: CallMessage): boolean =>
    !spec || (spec.volumeMounts ?? []).some((each) => each.subPathExpr && isAt(each.mountPath, mount));
  const mounts = listAt(config, 'mounts').map((mount) =>
    expands(mount) && isExpanded(textAt(mount, 'hostPath'), undefined) ? { ...mount, hostPath: masked } : mount,
  );
  return {
    ...request,
    config: {
      ...config,
      ...words('command'),
      ...words('args'),
      envs: kept,
      ...('mounts' in config ? { mounts } : {}),
    },
  };
}

/** The least length of a value that is masked in other texts. A shorter one would match unrelated texts. */
const shortestSecret = 6;
const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];

/** The fields whose texts quote commands and their output, in statuses, errors, events and answers of ExecSync. */
const freeTextFields: ReadonlySet<string> = new Set(['message', 'stdout', 'stderr']);

type MapMember = (member: unknown, name: string | undefined) => unknown;

const mapFields = (value: CallMessage, map: MapMember): CallMessage =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member, name)]));

/** Returns a list or an object with each member replaced; any other value as it is. */
function mapMembers(value: unknown, map: MapMember): unknown {
  if (Array.isArray(value)) return value.map((member) => map(member, undefined));
  return isRecord(value) && !(value instanceof Uint8Array) ? mapFields(value, map) : value;
}

/** Remembers the masked values of each pod's variables, and masks them in the other texts of the pod. */
export class SecretValues {
  readonly #values = new Map<string, Set<string>>();

  /** Learns the values that {@link maskRequest} has masked in a request of CreateContainer. */
  learn(uid: string, request: CallMessage, kept: CallMessage): void {
    const keptEnvs = listAt(objectAt(kept, 'config'), 'envs');
    for (const [index, env] of listAt(objectAt(request, 'config'), 'envs').entries()) {
      const value = textAt(env, 'value');
      if (value.length < shortestSecret || textAt(keptEnvs[index], 'value') !== masked) continue;
      const known = this.#values.get(uid) ?? new Set();
      this.#values.set(uid, known.add(value));
    }
  }

  /** Returns a text with the values masked. */
  text(uid: string | undefined, text: string): string {
    let result = text;
    const known = (uid !== undefined && this.#values.get(uid)) || [];
    for (const value of [...known].toSorted((a, b) => b.length - a.length)) result = result.replaceAll(value, masked);
    return result;
  }

  /** Returns a value with the pod's values masked in all its texts, also in those of its members. */
  value(uid: string | undefined, value: unknown): unknown {
    if (uid === undefined || !this.#values.has(uid)) return value;
    if (typeof value === 'string') return this.text(uid, value);
    if (value instanceof Uint8Array) return encoder.encode(this.text(uid, decoder.decode(value)));
    return mapMembers(value, (member) => this.value(uid, member));
  }

  /**
   * Returns an object with the pod's values masked in its fields of free text. Other texts are names and paths, which a
   * value that isn't secret may equal.
   */
  freeTexts(uid: string | undefined, object: CallMessage): CallMessage {
    if (uid === undefined || !this.#values.has(uid)) return object;
    const clean: MapMember = (member, name) =>
      name !== undefined && freeTextFields.has(name) ? this.value(uid, member) : mapMembers(member, clean);
    return mapFields(object, clean);
  }

  /** Returns a pod with the values masked in the messages of its status. */
  pod(pod: Pod): Pod {
    const kept: unknown = this.freeTexts(pod.metadata.uid, { ...pod });
    return isPod(kept) ? kept : pod;
  }

  /**
   * Returns a request or response with the values masked in its free texts: commands, their output, and the message of
   * a container's status.
   */
  message(uid: string | undefined, method: string, message: CallMessage): CallMessage {
    if (method === 'ContainerStatus') return this.freeTexts(uid, message);
    return method === 'ExecSync' ? mapFields(message, (value) => this.value(uid, value)) : message;
  }

  forget(uid: string): void {
    this.#values.delete(uid);
  }
}

/** Returns a response without the runtime's own details (`info`), which contain the container's environment. */
export function maskResponse(response: CallMessage | undefined): CallMessage | undefined {
  if (!response || !('info' in response)) return response;
  const { info: _info, ...rest } = response;
  return rest;
}
