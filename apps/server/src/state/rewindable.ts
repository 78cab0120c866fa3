/**
 * Restores the stored state of the first load at each later load. So every rerun of a simulation starts from the same
 * state.
 */
import { definitionOf, isStoredKind, type ObjectPersistence } from '@podscope/apiserver';
import type { DebugPersistence } from '@podscope/debugger';
import type { KubernetesObject } from '@podscope/k8s';

/**
 * Returns the storage key as a list. Returns an empty list for a kind of another API version, because this program
 * never reads or writes files of such a kind.
 */
const keysOf = ({ kind, metadata: { namespace = '', name } }: KubernetesObject): readonly string[] =>
  isStoredKind(kind) ? [`${definitionOf(kind).resource}/${namespace}/${name}`] : [];

/** Wraps object storage. Each later load restores the objects of the first load and deletes all others. */
export function rewindableObjects(kept: ObjectPersistence): ObjectPersistence {
  let found: readonly KubernetesObject[] | undefined;
  return {
    load: async () => {
      if (found === undefined) found = await kept.load();
      else {
        const keys = new Set(found.flatMap(keysOf));
        for (const key of (await kept.load()).flatMap(keysOf)) if (!keys.has(key)) await kept.delete(key);
        for (const object of found) for (const key of keysOf(object)) await kept.put(key, object);
      }
      return structuredClone(found);
    },
    put: (key, object) => kept.put(key, object),
    delete: (key) => kept.delete(key),
  };
}

/** Wraps the storage of breakpoints and fault plans. Every load returns the result of the first load. */
export function rewindableDebugState(kept: DebugPersistence): DebugPersistence {
  let found: { readonly state: unknown } | undefined;
  return {
    load: async () => {
      found ??= { state: await kept.load() };
      return structuredClone(found.state);
    },
    save: (state) => kept.save(state),
  };
}
