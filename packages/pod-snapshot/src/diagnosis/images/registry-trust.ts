/** Contains the remedies if a node doesn't trust the authority (CA) that signed a registry's certificate. */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import type { PodCase } from '../pod-case.ts';
import { certificatesOf, onNode, rancherOf, registrySettings } from '../runtime.ts';

/** Returns the file with the CA of a registry, under the key in which OpenShift expects it. */
const fileFor = (registry: string): string => `${registry.replace(':', '..')}=ca.crt`;

/** Returns the commands that make the nodes of OpenShift trust the CA of a registry. */
const openShiftTrust = (registry: string): readonly NextCommand[] => [
  {
    why: textOf('imgTlsOpenShiftMap', { registry }),
    command: `kubectl create configmap registry-ca -n openshift-config --from-file=${fileFor(registry)}`,
  },
  {
    why: textOf('imgTlsOpenShift', { registry }),
    command:
      'kubectl patch images.config.openshift.io cluster --type=merge ' +
      `-p '{"spec":{"additionalTrustedCA":{"name":"registry-ca"}}}'`,
  },
];

/** Returns the commands that make the nodes trust the CA, where the distribution of the cluster configures it. */
export function trustRegistry(it: PodCase, values: Readonly<Record<string, string>>): readonly NextCommand[] {
  const registry = values['registry'] ?? '';
  if (it.pod.metadata.annotations?.['openshift.io/scc'] !== undefined) return openShiftTrust(registry);
  const service = rancherOf(it);
  if (service !== undefined) {
    const file = registrySettings(it, registry);
    return [{ why: textOf('imgTlsRancher', { ...values, file, service }), command: onNode(it, `cat ${file}`) }];
  }
  const path = certificatesOf(it, registry);
  return [{ why: textOf('imgTlsTrust', { ...values, path }), command: onNode(it, `ls -l ${path}`) }];
}
