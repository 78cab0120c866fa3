/** Replaces workloads, such as Deployments, with the pods that their controllers would create. */
import { isRecord } from '@podscope/base';
import { templatedKinds } from '@podscope/k8s';
import { type Document, parseAllDocuments, stringify } from 'yaml';

export interface WorkloadPods {
  /** The replaced workloads: `Deployment web`. */
  readonly names: readonly string[];
  /** The text in which each workload is replaced with its pod. */
  readonly text: string;
}

const recordAt = (value: unknown, path: readonly string[]): Readonly<Record<string, unknown>> | undefined => {
  let at = value;
  for (const key of path) at = isRecord(at) ? at[key] : undefined;
  return isRecord(at) ? at : undefined;
};

/**
 * Returns the spec of a StatefulSet's pod. Each claim becomes an empty directory, because this node has no
 * PersistentVolumeClaims.
 */
function withClaims(spec: Readonly<Record<string, unknown>>, claims: unknown): Readonly<Record<string, unknown>> {
  if (!Array.isArray(claims) || claims.length === 0) return spec;
  const volumes = claims.map((claim: unknown) => ({ name: recordAt(claim, ['metadata'])?.['name'], emptyDir: {} }));
  return { ...spec, volumes: [...(Array.isArray(spec['volumes']) ? spec['volumes'] : []), ...volumes] };
}

/** Returns the pod of a workload; undefined for an object of another kind, or without a template. */
function podOf(workload: unknown): { readonly name: string; readonly pod: object } | undefined {
  if (!isRecord(workload)) return undefined;
  const { kind, metadata } = workload;
  const path = typeof kind === 'string' && Object.hasOwn(templatedKinds, kind) ? templatedKinds[kind] : undefined;
  const template = path === undefined ? undefined : recordAt(workload, path.split('.'));
  const spec = recordAt(template, ['spec']);
  const name = isRecord(metadata) ? metadata['name'] : undefined;
  if (!spec || typeof name !== 'string' || !isRecord(metadata)) return undefined;
  const { labels, annotations } = recordAt(template, ['metadata']) ?? {};
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      // The pods of a StatefulSet are numbered.
      name: kind === 'StatefulSet' ? `${name}-0` : name,
      ...(metadata['namespace'] === undefined ? {} : { namespace: metadata['namespace'] }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: withClaims(spec, recordAt(workload, ['spec'])?.['volumeClaimTemplates']),
  };
  return { name: `${String(kind)} ${name}`, pod };
}

/** Returns the objects of a document (several for a List); undefined if an alias has no anchor or too many copies. */
function itemsOf(document: Document.Parsed): readonly unknown[] | undefined {
  let value: unknown;
  try {
    value = document.toJS();
  } catch {
    return undefined;
  }
  return isRecord(value) && value['kind'] === 'List' && Array.isArray(value['items']) ? value['items'] : [value];
}

/** Returns the text with pods instead of workloads; undefined if it isn't valid YAML or has no workloads. */
export function podsOfWorkloads(text: string): WorkloadPods | undefined {
  // A quick test, because the text is read after each pause in typing.
  if (!Object.keys(templatedKinds).some((kind) => text.includes(kind))) return undefined;
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return undefined;
  const names: string[] = [];
  const lists = documents.map(itemsOf);
  const texts = documents.flatMap((document, index) => {
    const items = lists[index];
    if (items === undefined) return [];
    const pods = items.map(podOf);
    if (pods.every((pod) => pod === undefined)) return [String(document).replace(/^---\n/, '')];
    names.push(...pods.flatMap((pod) => pod?.name ?? []));
    return items.map((item, at) => stringify(pods[at]?.pod ?? item, { lineWidth: 0 }));
  });
  return names.length === 0 || lists.includes(undefined) ? undefined : { names, text: texts.join('---\n') };
}
