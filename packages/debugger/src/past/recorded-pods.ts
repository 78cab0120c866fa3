/** The pods of a recording, as its events tell them: what breakpoints ask of a pod's name and containers. */
import type { Attributes, PodReference, TraceEvent } from '@podscope/trace';
import { z } from 'zod';
import type { KnownPod } from '../target.ts';

const containers = z.array(z.looseObject({ name: z.string(), restartPolicy: z.string().optional() }));

const podSchema = z.looseObject({
  metadata: z.looseObject({ uid: z.string().optional(), namespace: z.string().default('default'), name: z.string() }),
  spec: z.looseObject({ containers, initContainers: containers.optional(), ephemeralContainers: containers.optional() }),
  status: z.looseObject({ phase: z.string().optional() }).optional(),
});

interface RecordedPod {
  readonly reference: PodReference;
  readonly known: KnownPod;
  readonly object: Attributes;
  status: Attributes | undefined;
}

export class RecordedPods {
  readonly #pods = new Map<string, RecordedPod>();

  /** @param objects v1.Pod objects as they were before the first event, where the recording does not begin with the run */
  constructor(objects: readonly Attributes[] = []) {
    for (const object of objects) this.#add(undefined, object);
  }

  /** Told of every event in order. */
  learn(event: TraceEvent): void {
    if (event.pod === undefined) return;
    if (event.type === 'podChanged') this.#add(event.pod, event.object);
    else if (event.type === 'podStatus') {
      const pod = this.#pods.get(event.pod);
      if (pod) pod.status = event.status;
    }
  }

  /** Its name; the UID where the recording does not say. */
  reference(uid: string): PodReference {
    return this.#pods.get(uid)?.reference ?? { uid, namespace: '', name: uid };
  }

  known(uid: string): KnownPod | undefined {
    return this.#pods.get(uid)?.known;
  }

  /** The v1.Pod as it was by now. */
  object(uid: string): Attributes | undefined {
    return this.#pods.get(uid)?.object;
  }

  /** The v1.PodStatus as it was by now. */
  status(uid: string): Attributes | undefined {
    return this.#pods.get(uid)?.status;
  }

  #add(uid: string | undefined, object: Attributes): void {
    const parsed = podSchema.safeParse(object).data;
    const id = uid ?? parsed?.metadata.uid;
    if (!parsed || id === undefined) return;
    const { namespace, name } = parsed.metadata;
    this.#pods.set(id, { reference: { uid: id, namespace, name }, known: parsed, object, status: parsed.status ?? this.#pods.get(id)?.status });
  }
}
