/** Finds the fields that a policy error (Pod Security admission, node restrictions) names in the manifest. */
import type { ManifestError } from '@podscope/protocol';
import type { TextFault } from './code-view/code-editor.ts';

/** Returns true for a message of the API server about a policy. */
export const isPolicy = ({ message }: Pick<ManifestError, 'message'>): boolean =>
  /\bis forbidden: |violates PodSecurity/.test(message);

/** Fields that policies restrict and that their messages name. */
const fields = [
  'hostNetwork',
  'hostPID',
  'hostIPC',
  'hostPath',
  'hostPort',
  'privileged',
  'allowPrivilegeEscalation',
  'capabilities',
  'runAsNonRoot',
  'runAsUser',
  'seccompProfile',
  'appArmorProfile',
  'seLinuxOptions',
  'procMount',
  'sysctls',
] as const;

/** Returns the position of each named field, or the error's own position if the manifest contains none of them. */
export function policyFaults(text: string, { message, line, column }: ManifestError): readonly TextFault[] {
  const named = fields.filter((field) => new RegExp(`\\b${field}\\b`).test(message));
  const found = text.split('\n').flatMap((row, index): readonly TextFault[] => {
    const field = named.find((each) => new RegExp(`(?:^|[\\s{,"'-])${each}["']?:`).test(row));
    return field === undefined ? [] : [{ line: index + 1, column: row.indexOf(field) + 1, message, isWarning: true }];
  });
  return found.length > 0 ? found : [{ line, column, message, isWarning: true }];
}
