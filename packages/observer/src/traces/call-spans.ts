/**
 * Converts observed calls and syncs to spans of OpenTelemetry with the pod, container, image and attempt, which the
 * spans of kubelets and runtimes don't have. Attribute names: OpenTelemetry semantic conventions (k8s, container, rpc).
 */
import type { CallRecord, ObservedSpan } from '../inputs.ts';
import type { SpecHints } from '../state/inferred-pods.ts';
import type { ExecPurpose } from '../state/probes.ts';
import type { KnownObject, PodName } from '../state/registry.ts';
import type { SyncReport } from '../sync-judge.ts';
import { objectAttributes } from './object-attributes.ts';

/** A call that ended, with the place of its span in the log. */
export interface EndedCall {
  readonly call: CallRecord;
  readonly thread: string;
  /** The span of the sync in the log; undefined for a call outside of syncs. */
  readonly sync: number | undefined;
  readonly pod: PodName | undefined;
  readonly container: Pick<KnownObject, 'name' | 'attempt'> | undefined;
  readonly image: string | undefined;
  /** The probe or hook for which an ExecSync call runs. */
  readonly purpose: ExecPurpose | undefined;
  /** Facts from the pod's spec; empty if no source reports the spec. */
  readonly hints: SpecHints;
}

/** Returns the span attributes for {@link SpecHints}. */
const hintAttributes = ({ container, type, restartPolicy }: SpecHints): Readonly<Record<string, string>> => ({
  ...(container === undefined ? {} : { 'k8s.container.name': container }),
  ...(type === undefined ? {} : { 'podscope.container.type': type }),
  ...(restartPolicy === undefined ? {} : { 'podscope.restart_policy': restartPolicy }),
});

const purposeAttributes = (purpose: ExecPurpose | undefined): Readonly<Record<string, string>> => {
  if (purpose?.kind === 'probe') return { 'podscope.probe': purpose.probe };
  return purpose?.kind === 'hook' ? { 'podscope.hook': purpose.hook } : {};
};

/** The name of the span of a sync whose bounds are inferred because the kubelet reports no spans. */
export const inferredSyncName = 'podscope.sync';

const parentOf = (metadata: CallRecord['metadata']): { readonly trace: string; readonly id: string } | undefined => {
  const [, trace, id] = /^00-([\da-f]{32})-([\da-f]{16})-/.exec(metadata['traceparent'] ?? '') ?? [];
  return trace === undefined || id === undefined ? undefined : { trace, id };
};

const podAttributes = (pod: PodName): Readonly<Record<string, string>> => ({
  'k8s.pod.uid': pod.uid,
  'k8s.pod.name': pod.name,
  'k8s.namespace.name': pod.namespace,
});

/** Number of open syncs whose span ids are kept until the syncs end. Older ones are dropped. */
const keptSyncs = 2_000;

export class CallSpans {
  readonly #newId: (bytes: number) => string;
  /** The ids of open syncs without a trace of the kubelet, by their span in the log. */
  readonly #syncs = new Map<number, { readonly trace: string; readonly id: string }>();

  /** @param newId returns a random id of this many bytes, in hexadecimal */
  constructor(newId: (bytes: number) => string) {
    this.#newId = newId;
  }

  /**
   * Returns the span of a call; undefined for calls of the node, which belong to no pod. A call with a `traceparent`
   * joins the kubelet's trace, below the kubelet's own span of the call.
   */
  ofCall({ call, thread, sync, pod, container, image, purpose, hints }: EndedCall): ObservedSpan | undefined {
    const { service, method, t, result, metadata } = call;
    if (!pod || !result) return undefined;
    const parent = parentOf(metadata) ?? (sync === undefined ? undefined : this.#idsOf(sync));
    const { status, message } = result;
    return {
      t,
      end: result.end,
      name: `${service}/${method}`,
      trace: parent?.trace ?? this.#newId(16),
      id: this.#newId(8),
      parent: parent?.id ?? '',
      scope: 'podscope',
      attributes: {
        ...podAttributes(pod),
        ...hintAttributes(hints),
        ...(container
          ? { 'k8s.container.name': container.name, 'k8s.container.restart_count': container.attempt }
          : {}),
        ...(image === undefined ? {} : { 'container.image.name': image }),
        ...objectAttributes(call),
        ...purposeAttributes(purpose),
        'rpc.system': 'grpc',
        'rpc.service': service,
        'rpc.method': method,
        'rpc.grpc.status_code': status,
        'podscope.thread': thread,
        ...(result.held === undefined ? {} : { 'podscope.held_ms': result.held }),
      },
      error: status === 0 ? undefined : message,
    };
  }

  /**
   * Returns the span of a judged sync whose bounds are inferred, with the verdict; undefined if the kubelet traces its
   * syncs itself.
   */
  ofSync({ sync, judged }: SyncReport): ObservedSpan | undefined {
    const ids = sync.span === undefined || sync.trace !== undefined ? undefined : this.#idsOf(sync.span);
    if (!ids || sync.span === undefined) return undefined;
    this.#syncs.delete(sync.span);
    const { verdict, missing, differences } = judged;
    return {
      t: sync.start,
      end: sync.end ?? sync.start,
      name: inferredSyncName,
      trace: ids.trace,
      id: ids.id,
      parent: '',
      scope: 'podscope',
      attributes: {
        ...podAttributes(sync.pod),
        'podscope.inferred': true,
        'podscope.verdict': verdict,
        ...(missing ? { 'podscope.missing': missing.input } : {}),
        ...(differences.length === 0 ? {} : { 'podscope.differences': differences.map(({ text }) => text) }),
      },
      error: undefined,
    };
  }

  #idsOf(sync: number): { readonly trace: string; readonly id: string } {
    let ids = this.#syncs.get(sync);
    if (!ids) {
      ids = { trace: this.#newId(16), id: this.#newId(8) };
      this.#syncs.set(sync, ids);
      if (this.#syncs.size > keptSyncs) this.#syncs.delete(this.#syncs.keys().next().value ?? 0);
    }
    return ids;
  }
}
