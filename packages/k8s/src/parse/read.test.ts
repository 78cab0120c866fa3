import { describe, expect, it } from 'vitest';
import { readManifests, readPods } from './read.ts';

/** Reads a text and returns its errors as `line:column message`. */
function errorsOf(text: string): string[] {
  return readPods(text).errors.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const sound = `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {app: web}
spec:
  containers:
  - name: app
    image: nginx
    resources:
      limits: {cpu: 0.5}
`;

describe('readPods', () => {
  it('returns a pod with defaults', () => {
    const { pods, errors } = readPods(sound);
    expect(errors).toEqual([]);
    expect(pods).toHaveLength(1);
    expect(pods[0]?.metadata).toMatchObject({ name: 'web', namespace: 'default' });
    expect(pods[0]?.spec).toMatchObject({
      restartPolicy: 'Always',
      containers: [{ imagePullPolicy: 'Always', resources: { requests: { cpu: '500m' } } }],
    });
  });

  it('sets the given namespace', () => {
    expect(readPods(sound, { namespace: 'team' }).pods[0]?.metadata.namespace).toBe('team');
  });

  it('locates a missing field at its parent', () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - name: app\n';
    const { errors } = readPods(text);
    expect(errors).toMatchObject([
      {
        message: 'spec.containers[0].image: Required value',
        field: 'spec.containers[0].image',
        line: 7,
        column: 5,
        exact: false,
        document: 1,
      },
    ]);
  });

  it('locates an invalid value at the value', () => {
    expect(errorsOf(`${sound}    imagePullPolicy: Sometimes\n`)).toEqual([
      '12:22 spec.containers[0].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", ' +
        '"IfNotPresent", "Never"',
    ]);
  });

  it('locates an invalid label at the label', () => {
    const { errors } = readPods(sound.replace('{app: web}', '{app: web, tier: "a b"}'));
    expect(errors).toMatchObject([{ field: 'metadata.labels', line: 5, column: 28, exact: true }]);
  });

  it('locates an unknown field and suggests the correct name', () => {
    const { errors } = readPods(sound.replace('image: nginx', 'imagee: nginx'));
    expect(errors).toMatchObject([
      { message: 'spec.containers[0].image: Required value' },
      {
        message: 'strict decoding error: unknown field "spec.containers[0].imagee"',
        hint: 'did you mean "image"?',
        line: 9,
        column: 13,
      },
    ]);
  });

  it('names the type of a value and the expected one', () => {
    const { errors } = readPods(`${sound}    env:\n    - {name: A, value: 1}\n    - {name: B, value: yes}\n`);
    expect(errors).toMatchObject([
      {
        message:
          'spec.containers[0].env[0].value: Invalid value: "integer": spec.containers[0].env[0].value in ' +
          'body must be of type string: "integer"',
        hint: 'put the number in quotes',
        line: 13,
      },
      { hint: 'YAML reads yes, no, on, off, true and false as booleans: put the value in quotes', line: 14 },
    ]);
  });

  it('returns valid documents alongside invalid ones', () => {
    const text = `${sound}---\nkind: Pod\n---\n${sound.replace('name: web', 'name: other')}---\n- a\n---\n# nothing\n`;
    const { pods, errors } = readPods(text);
    expect(pods.map(({ metadata }) => metadata.name)).toEqual(['web', 'other']);
    expect(errors.map(({ document, message }) => [document, message])).toEqual([
      [2, 'apiVersion not set'],
      [4, 'expected an object with apiVersion and kind, found a list'],
    ]);
  });

  it('splits lists', () => {
    const item = { metadata: { name: 'a' }, spec: { containers: [{ name: 'app', image: 'a' }] } };
    const list = { apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Pod', ...item }] };
    expect(readPods(JSON.stringify(list)).pods).toHaveLength(1);
    expect(readPods(JSON.stringify({ ...list, kind: 'PodList', items: [item, item] })).pods).toHaveLength(2);
    const broken =
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: a}\n  spec:\n   ' +
      ' containers:\n    - image: a\n';
    expect(errorsOf(broken)).toEqual(['9:7 spec.containers[0].name: Required value']);
  });

  it('names unsupported kinds and suggests a fix', () => {
    const { errors } = readPods('apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n');
    expect(errors).toMatchObject([
      { message: 'no matches for kind "Deployment" in version "apps/v1"', line: 2, column: 7 },
    ]);
    expect(errors[0]?.hint).toContain('spec.template');
    expect(readPods('apiVersion: v2\nkind: Pod\n').errors).toMatchObject([
      { message: 'no matches for kind "Pod" in version "v2"', hint: 'Pod is of version v1', line: 1 },
    ]);
  });

  it('accepts a pod exported from a cluster', () => {
    const text =
      `${sound}  ephemeralContainers:\n  - {name: debug, image: busybox}\nstatus:\n  phase: Running\n  ` +
      'containerStatuses:\n  - {name: app, ready: true, restartCount: 3, image: nginx, imageID: x}\n';
    expect(readPods(text, { as: 'existing' }).errors).toEqual([]);
    expect(readPods(text).errors.map(({ message }) => message)).toEqual([
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ]);
  });
});

describe('hostile texts', () => {
  it('report a hundred errors per object and the number of the others', () => {
    const keys = Array.from({ length: 3000 }, (_, index) => `  k k${index}: v\n`).join('');
    const { errors } = readManifests(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n${keys}`);
    expect(errors).toHaveLength(101);
    expect(errors[0]?.message).toBe('ConfigMap has 2900 more errors');
    expect(errors[100]).toMatchObject({ field: 'data[k k99]', line: 104 });
  });

  it('report the first ten of many syntax errors', () => {
    expect(readPods('a: 1\n'.repeat(3000)).errors).toHaveLength(10);
  });
});

describe('readManifests', () => {
  it('returns the objects around pods', () => {
    const text = `apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {password: grün}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c, namespace: other}
data: {key: value}
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
`;
    const { objects, errors } = readManifests(text);
    expect(errors).toEqual([]);
    expect(objects.map(({ object }) => object)).toMatchObject([
      { kind: 'Secret', type: 'Opaque', data: { password: 'Z3LDvG4=' }, metadata: { namespace: 'default' } },
      { kind: 'ConfigMap', metadata: { namespace: 'other' } },
      {
        kind: 'Namespace',
        metadata: { labels: { 'kubernetes.io/metadata.name': 'team' } },
        status: { phase: 'Active' },
      },
    ]);
    expect(objects[0]?.object).not.toHaveProperty('stringData');
  });

  it('returns the errors of each object', () => {
    const text = `apiVersion: v1
kind: Secret
metadata: {name: s}
data: {password: plain text}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
type: kubernetes.io/dockerconfigjson
data: {a b: ""}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: C}
---
apiVersion: v1
kind: Namespace
metadata: {name: a.b, namespace: x}
`;
    expect(readManifests(text).errors.map(({ document, message }) => [document, message])).toMatchObject([
      [1, 'data[password]: Invalid value: "plain text": must be base64; plain text of a Secret belongs in stringData'],
      [2, 'data[.dockerconfigjson]: Required value'],
      [2, expect.stringContaining('data[a b]: Invalid value: "a b": a valid config key must consist of')],
      [3, expect.stringContaining('metadata.name: Invalid value: "C": a lowercase RFC 1123 subdomain')],
      [4, 'metadata.name: Invalid value: "a.b": must not contain dots'],
      [4, 'metadata.namespace: Forbidden: not allowed on this type'],
    ]);
  });
});
