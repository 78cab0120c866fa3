/** Generates invalid manifests from a valid manifest. Each invalid manifest has one fault. */
import { absent, badTexts, type Mutation, podMutations } from './mutations.ts';

export interface BadManifest {
  /** A short description of the fault: `spec.restartPolicy = "Sometimes"`. */
  readonly fault: string;
  readonly text: string;
  /** The field with the fault; undefined for a text that isn't a manifest. */
  readonly field: string | undefined;
}

/** The pod to mutate. It has every parent of a mutated field. */
const goodPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: {
    securityContext: {},
    containers: [
      {
        name: 'app',
        image: 'busybox:1.36',
        ports: [{ containerPort: 80 }],
        env: [{ name: 'A' }],
        resources: {},
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
        livenessProbe: { exec: { command: ['true'] } },
        readinessProbe: {},
        startupProbe: { exec: { command: ['true'] } },
        securityContext: {},
      },
    ],
    volumes: [{ name: 'data' }],
  },
};

type Data = Record<string, unknown>;

/**
 * Returns the valid pod with `value` at `path`. Mutations of other fields drop the empty `readinessProbe`, which is
 * invalid by itself.
 */
function changed(path: string, value: unknown): unknown {
  const pod = structuredClone(goodPod) as unknown as Data;
  const container = (pod['spec'] as { containers: Data[] }).containers[0];
  if (container && !path.includes('readinessProbe')) delete container['readinessProbe'];
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at: Data = pod;
  for (const key of keys) at = (at[key] ??= {}) as Data;
  if (value === absent) delete at[last];
  else at[last] = value;
  return pod;
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
const shown = (value: unknown): string => (value === absent ? 'nothing' : short(JSON.stringify(value)));

const mutated = ([path, ...values]: Mutation): readonly BadManifest[] =>
  values.map((value) => ({
    fault: `${path} = ${shown(value)}`,
    text: JSON.stringify(changed(path, value), undefined, 1),
    field: path,
  }));

/** All invalid manifests. */
export const badManifests: readonly BadManifest[] = [
  ...podMutations.flatMap(mutated),
  ...badTexts.map((text) => ({ fault: `the text ${short(JSON.stringify(text))}`, text, field: undefined })),
];
