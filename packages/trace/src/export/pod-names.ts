/** Names of pods, as events tell them. */
import type { TraceEvent } from '../event.ts';
import { textAt } from '../folds/attribute-values.ts';

export interface PodName {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

export class PodNames {
  readonly #names = new Map<string, PodName>();

  /** Told of every event, before anything is asked about it. */
  learn(event: TraceEvent): void {
    if (event.type !== 'podChanged' || event.pod === undefined) return;
    const name = textAt(event.object, 'metadata', 'name');
    if (name) this.#names.set(event.pod, { uid: event.pod, namespace: textAt(event.object, 'metadata', 'namespace') ?? 'default', name });
  }

  of(uid: string): PodName | undefined {
    return this.#names.get(uid);
  }

  /** `namespace/name`; the UID where the log does not say. */
  text(uid: string): string {
    const name = this.of(uid);
    return name ? `${name.namespace}/${name.name}` : uid;
  }
}
