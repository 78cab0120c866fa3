/** Identifies CRI calls by method, target and attempt, so that predicted calls can be matched with observed ones. */
import { changingMethods } from '@podscope/trace';
import { numberAt, objectAt, textAt, textsAt } from '../state/fields.ts';

/** The facts that must be equal for a predicted call to match an observed one. */
export interface CallIdentity {
  readonly method: string;
  /** The id of a container or sandbox, or the name of the object that the call creates. */
  readonly target: string;
  /** Attempt of a created container or sandbox; undefined for other calls. */
  readonly attempt: number | undefined;
  /** Further facts: the image of a container, the command of a hook, the grace period in seconds. */
  readonly facts: Readonly<Record<string, string | number>>;
}

/** The methods that change a pod, or run a command in one of its containers. */
export const writingMethods: ReadonlySet<string> = new Set([...changingMethods, 'ExecSync']);

/** Returns the identity of a call. */
export function identityOf(method: string, request: unknown): CallIdentity {
  const base = { method, attempt: undefined, facts: {} };
  switch (method) {
    case 'RunPodSandbox': {
      const metadata = objectAt(request, 'config', 'metadata');
      return { ...base, target: textAt(metadata, 'name'), attempt: numberAt(metadata, 'attempt') };
    }
    case 'CreateContainer': {
      const metadata = objectAt(request, 'config', 'metadata');
      return {
        ...base,
        target: textAt(metadata, 'name'),
        attempt: numberAt(metadata, 'attempt'),
        facts: { sandbox: textAt(request, 'podSandboxId') },
      };
    }
    case 'PullImage':
      return { ...base, target: textAt(request, 'image', 'image') };
    case 'ExecSync':
      return { ...base, target: textAt(request, 'containerId'), facts: { command: textsAt(request, 'cmd').join(' ') } };
    case 'StopContainer':
      return { ...base, target: textAt(request, 'containerId'), facts: { timeout: numberAt(request, 'timeout') } };
    case 'StopPodSandbox':
    case 'RemovePodSandbox':
    case 'UpdatePodSandboxResources':
      return { ...base, target: textAt(request, 'podSandboxId') };
    default:
      return { ...base, target: textAt(request, 'containerId') };
  }
}

/**
 * Tolerance for grace periods, in seconds. The duration of the hook is subtracted from them, and its measured value
 * varies slightly.
 */
const tolerance = 1;

const sameFact = (a: string | number | undefined, b: string | number | undefined): boolean =>
  typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= tolerance : a === b;

/** Returns true if both identities are the same call, up to the tolerance. */
export const sameCall = (a: CallIdentity, b: CallIdentity): boolean =>
  a.method === b.method &&
  a.target === b.target &&
  a.attempt === b.attempt &&
  Object.keys(a.facts).every((name) => sameFact(a.facts[name], b.facts[name]));

/** Returns a call as text: `CreateContainer app attempt 1`. */
export const describeCall = ({ method, target, attempt, facts }: CallIdentity): string =>
  [
    method,
    /^[\da-f]{32,}$/.test(target) ? target.slice(0, 12) : target,
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    ...(facts['timeout'] === undefined ? [] : [`within ${facts['timeout']} s`]),
    ...(facts['command'] === undefined ? [] : [`"${facts['command']}"`]),
  ].join(' ');
