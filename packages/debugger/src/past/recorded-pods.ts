/** Tracks the pods of a recording, to resolve the pods and containers that breakpoints name. */
import type { Attributes, PodReference, TraceEvent } from '@podscope/trace';
import { z } from 'zod';
import type { KnownPod } from '../breakpoints/target.ts';

const containers = z.array(z.looseObject({ name: z.string(), restartPolicy: z.string().optional() }));

const podSchema = z.looseObject({
  metadata: z.looseObject({ uid: z.string().optional(), namespace: z.string().default('default'), name: z.string() }),
  spec: z.looseObject({
    containers,
    initContainers: containers.optional(),
    ephemeralContainers: containers.optional(),
  }),
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

  /**
   * @param objects the v1.Pod objects as of the first event, if the recording doesn't start at the beginning of the run
   */
  constructor(objects: readonly Attributes[] = []) {
    for (const object of objects) this.#add(undefined, object);
  }

  /** Updates the pods. Call it with every event, in order. */
  learn(event: TraceEvent): void {
    if (event.pod === undefined) return;
    if (event.type === 'podChanged') this.#add(event.pod, event.object);
    else if (event.type === 'podStatus') {
      const pod = this.#pods.get(event.pod);
      if (pod) pod.status = event.status;
    }
  }

  /** Returns the reference of a pod. If the recording doesn't contain the pod, the UID is used as its name. */
  reference(uid: string): PodReference {
    return this.#pods.get(uid)?.reference ?? { uid, namespace: '', name: uid };
  }

  known(uid: string): KnownPod | undefined {
    return this.#pods.get(uid)?.known;
  }

  /** Returns the v1.Pod as of the current event. */
  object(uid: string): Attributes | undefined {
    return this.#pods.get(uid)?.object;
  }

  /** Returns the v1.PodStatus as of the current event. */
  status(uid: string): Attributes | undefined {
    return this.#pods.get(uid)?.status;
  }

  #add(uid: string | undefined, object: Attributes): void {
    const parsed = podSchema.safeParse(object).data;
    const id = uid ?? parsed?.metadata.uid;
    if (!parsed || id === undefined) return;
    const { namespace, name } = parsed.metadata;
    this.#pods.set(id, {
      reference: { uid: id, namespace, name },
      known: parsed,
      object,
      status: parsed.status ?? this.#pods.get(id)?.status,
    });
  }
}
