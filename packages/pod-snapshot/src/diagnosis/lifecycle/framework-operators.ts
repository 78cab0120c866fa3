/** Finds the operator behind a finalizer that names only the framework in which the operator is written. */
import { type NextCommand, textOf } from '@podscope/trace/explain';

/** The prefixes of the finalizers of Kopf, a framework in which operators are written. */
export const frameworks = new Set(['kopf.zalando.org', 'kopf.dev']);

/**
 * Returns the API that an operator written in a framework handles, and how to find the operator: by the kind of the
 * resource that owns the pod and by its API group, because the operator's own name rarely contains the framework's.
 * @param resource the custom resource that owns the pod, for example `trainingrun.ml.example.org/churn`
 * @param kind its kind, for example `TrainingRun`
 */
export function operatorOf(
  resource: string | undefined,
  kind: string,
): {
  readonly api: string;
  readonly find: readonly NextCommand[];
} {
  const [api = ''] = resource?.split('/') ?? [];
  const [, ...rest] = api.split('.');
  const group = rest.join('.');
  const words = ['operator', 'controller', kind, ...kind.split(/(?=[A-Z])/), rest[0] ?? ''].filter(
    (each, index, all) => (each.length > 3 || each === rest[0]) && all.indexOf(each) === index,
  );
  const values = { api, group };
  if (group === '')
    return {
      api,
      find: [
        {
          why: textOf('finalizerOperator', values),
          command:
            "kubectl get deployments -A -o custom-columns='NAMESPACE:.metadata.namespace,NAME:.metadata.name," +
            "IMAGES:.spec.template.spec.containers[*].image,COMMANDS:.spec.template.spec.containers[*].command' " +
            "| grep -iE 'operator|controller|kopf'",
        },
      ],
    };
  return {
    api,
    find: [
      {
        why: textOf('finalizerOperator', values),
        command: `kubectl get deployments -A -o wide | grep -iwE '${words.join('|').toLowerCase()}'`,
      },
      {
        why: textOf('finalizerRoles', values),
        command:
          "kubectl get clusterroles,roles -A -o custom-columns='NAMESPACE:.metadata.namespace,ROLE:.metadata.name," +
          `GROUPS:.rules[*].apiGroups' | grep -F ${group}`,
      },
    ],
  };
}
