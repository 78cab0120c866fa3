/** Collects the names of pods from events. */
import type { TraceEvent } from '../events/event.ts';
import { textAt } from '../folds/attribute-values.ts';

export interface PodName {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

export class PodNames {
  readonly #names = new Map<string, PodName>();

  /** Records the names in an event. Must be called with every event in order. */
  learn(event: TraceEvent): void {
    if (event.type !== 'podChanged' || event.pod === undefined) return;
    const name = textAt(event.object, 'metadata', 'name');
    if (name)
      this.#names.set(event.pod, {
        uid: event.pod,
        namespace: textAt(event.object, 'metadata', 'namespace') ?? 'default',
        name,
      });
  }

  of(uid: string): PodName | undefined {
    return this.#names.get(uid);
  }

  /** Returns the pod's `namespace/name`; the UID if the name is unknown. */
  text(uid: string): string {
    const name = this.of(uid);
    return name ? `${name.namespace}/${name.name}` : uid;
  }
}
