/** What a simulated run found when it began: run again, it finds the same, whatever has been kept since. */
import { definitionOf, isStoredKind, type ObjectPersistence } from '@podscope/cluster';
import type { DebugPersistence } from '@podscope/debugger';
import type { KubernetesObject } from '@podscope/k8s';

/** Its key; none for a kind of another version, which nobody reads or writes. */
const keysOf = ({ kind, metadata: { namespace = '', name } }: KubernetesObject): readonly string[] =>
  isStoredKind(kind) ? [`${definitionOf(kind).resource}/${namespace}/${name}`] : [];

/** Objects: from the second load on, those of the first are put back, and all others are gone. */
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

/** Breakpoints and plans: every load finds what the first found. */
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
