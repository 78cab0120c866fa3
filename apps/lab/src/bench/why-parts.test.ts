/** Checks that each diagnosis of the pods in apps/lab/why has all its parts and commands for its own cluster. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { diagnoseSnapshot } from '@podscope/pod-snapshot';
import { type Diagnosis, inEnglish } from '@podscope/trace/explain';
import { describe, expect, it } from 'vitest';
import { readCases } from './why/cases.ts';

const folder = join(import.meta.dirname, '../../why');

interface Found {
  readonly pod: string;
  readonly namespace: string;
  readonly diagnosis: Diagnosis;
}

/** The diagnoses of problems. Findings that only inform need no remedy. */
const found: readonly Found[] = readdirSync(folder).flatMap((directory) =>
  readCases(join(folder, directory)).flatMap(({ name, snapshot, facts }) =>
    diagnoseSnapshot(snapshot, facts)
      .diagnoses.filter(({ severity }) => severity !== 'info')
      .map((diagnosis) => ({
        pod: `${directory}/${name}`,
        namespace: snapshot.pod.metadata.namespace ?? 'default',
        diagnosis,
      })),
  ),
);

const podsWith = (isBad: (found: Found) => boolean): readonly string[] =>
  found.filter(isBad).map(({ pod, diagnosis }) => `${pod}: ${diagnosis.title.id}`);

/** Matches commands about objects without a namespace, about all namespaces, and on the node. */
const isClusterWide = (command: string): boolean =>
  / -A\b|^kubectl (?:debug node|cordon|uncordon|taint|drain|top node|label (?:node|namespace)|auth|api-(?:resources|versions)|explain )/.test(
    command,
  ) ||
  /^kubectl (?:get|describe|edit|delete|patch) (?:--raw|'?(?:nodes?|nodeclaims?|csinodes?|csidrivers?|sc|storageclass(?:es)?|pv|persistentvolumes?|namespaces?|runtimeclass(?:es)?|volumeattachments?|priorityclass(?:es)?|crds?|resourceslices|clusterqueues(?:\.\S+)?|deviceclass(?:es)?|nodepools\.karpenter\.sh|certificates|mutatingwebhookconfigurations|validatingwebhookconfigurations|clusterrole\w*|images\.config\.openshift\.io)\b)/.test(
    command,
  ) ||
  command.startsWith('kubectl apply --server-side -f');

/** Matches commands that change an object, an image or a node. */
const changes =
  /\b(?:edit|patch|set|create|apply|delete|undo|rollback|scale|replace|label|annotate|build|push|uncordon|cordon|prune|sysctl|restart|rebuild|exec|tag|load|import|vi|chmod|add-iam-policy-binding|--make-rshared)\b/;

describe('each diagnosis of the failing pods', () => {
  it('has a cause, evidence, an outlook and remedies', () => {
    expect(found.length).toBeGreaterThan(500);
    expect(
      podsWith(
        ({ diagnosis: { cause, facts, outlook = [], next } }) =>
          cause.length === 0 || facts.length === 0 || outlook.length === 0 || next.length === 0,
      ),
    ).toEqual([]);
  });

  it('has a value for each placeholder of its texts', () => {
    expect(
      podsWith(({ diagnosis: { title, cause, outlook = [], next } }) =>
        [title, ...cause, ...outlook, ...next.map(({ why }) => why)].some((text) =>
          /\{\w+\}/.test(inEnglish({ ...text, values: present(text.values) })),
        ),
      ),
    ).toEqual([]);
  });

  it('has commands for the namespace of the pod or another one, for all namespaces, or for the cluster', () => {
    expect(
      found.flatMap(({ pod, namespace, diagnosis: { next } }) =>
        next
          .filter(
            ({ command }) =>
              namespace !== 'default' &&
              command.startsWith('kubectl ') &&
              !/ -n \S/.test(command) &&
              !isClusterWide(command),
          )
          .map(({ command }) => `${pod}: ${command}`),
      ),
    ).toEqual([]);
  });

  it('changes something if the cause lies in the template or the program and is certain', () => {
    const looks = podsWith(
      ({ diagnosis: { origin, certainty = 'certain', severity, next, title } }) =>
        severity === 'error' &&
        certainty === 'certain' &&
        (origin === 'program' || origin === 'configuration') &&
        !waitsFor.has(title.id) &&
        !next.some(({ command }) => changes.test(command)),
    );
    expect(looks).toEqual([]);
  });
});

/** The diagnoses whose remedy lies outside the objects of the cluster, or whose program reports its own state. */
const waitsFor: ReadonlySet<string> = new Set([
  'cacheTitle',
  'imgFormatTitle',
  'probeTitleReadiness',
  'probeTitleStartup',
  'runTlsTitle',
]);

/** Returns the names of values with a short value, because quoted messages may contain braces of their own. */
const present = (values: Readonly<Record<string, string | number>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, 'x']));
