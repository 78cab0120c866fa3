import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { podsOfWorkloads } from './workload-pods.ts';

const template = `template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: app, image: "shop/web:2" }] }`;

const objectsOf = (text: string | undefined): readonly unknown[] =>
  parseAllDocuments(text ?? '').map((document) => document.toJS() as unknown);

describe('podsOfWorkloads', () => {
  it('makes a pod of the template of a Deployment, with its name, namespace and labels', () => {
    const { names, text } = podsOfWorkloads(
      `kind: Deployment\nmetadata: { name: web, namespace: shop }\nspec:\n  replicas: 3\n  ${template}\n`,
    ) ?? { names: [], text: '' };
    expect(names).toEqual(['Deployment web']);
    expect(objectsOf(text)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
        spec: { containers: [{ name: 'app', image: 'shop/web:2' }] },
      },
    ]);
  });

  it('keeps other documents with their comments, and finds the template of a CronJob', () => {
    const cron = `apiVersion: batch/v1
kind: CronJob
metadata: { name: nightly }
spec: { jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [] } } } } }
`;
    const result = podsOfWorkloads(`# settings\nkind: ConfigMap\nmetadata: { name: settings }\n---\n${cron}`);
    expect(result?.names).toEqual(['CronJob nightly']);
    expect(result?.text).toContain('# settings');
    expect(objectsOf(result?.text)).toMatchObject([
      { kind: 'ConfigMap' },
      { kind: 'Pod', metadata: { name: 'nightly' }, spec: { restartPolicy: 'Never' } },
    ]);
  });

  it('numbers the pod of a StatefulSet and replaces its claims with empty directories', () => {
    const claims = 'volumeClaimTemplates: [{ metadata: { name: data } }]';
    const [pod] = objectsOf(
      podsOfWorkloads(`kind: StatefulSet\nmetadata: { name: db }\nspec:\n  ${claims}\n  ${template}\n`)?.text,
    );
    expect(pod).toMatchObject({ metadata: { name: 'db-0' }, spec: { volumes: [{ name: 'data', emptyDir: {} }] } });
  });

  it('takes the workloads of a List as kubectl prints it', () => {
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [{ kind: 'Job', metadata: { name: 'a' }, spec: { template: { spec: {} } } }],
    };
    expect(podsOfWorkloads(JSON.stringify(list))?.names).toEqual(['Job a']);
  });

  it.each([
    'kind: Pod\nmetadata: { name: web }\n',
    'kind: Deployment\nspec: [',
    'kind: Deployment\n',
    'kind: Deployment\nmetadata: { name: *unknown }\n',
    '',
  ])('returns undefined for a text without workloads or with errors: %j', (text) => {
    expect(podsOfWorkloads(text)).toBeUndefined();
  });
});
