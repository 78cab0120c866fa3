import { describe, expect, it } from 'vitest';
import { isPolicy, policyFaults } from './policy-faults.ts';

const message =
  'pods "web" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true), ' +
  'privileged (container "app" must not set securityContext.privileged=true)';

describe('policy refusals', () => {
  it('are distinguished from syntax errors', () => {
    expect(isPolicy({ message })).toBe(true);
    expect(isPolicy({ message: 'spec.containers[0].name: Required value' })).toBe(false);
  });

  it('point to the field that they name', () => {
    const text =
      'spec:\n  hostNetwork: true\n  containers:\n    - name: app\n      securityContext:\n        privileged: true\n';
    expect(policyFaults(text, { message, line: 1, column: 1 }).map(({ line, column }) => [line, column])).toEqual([
      [2, 3],
      [6, 9],
    ]);
  });

  it('keep their position when the field is missing', () => {
    expect(
      policyFaults('kind: Pod', { message: 'violates PodSecurity: runAsNonRoot != true', line: 3, column: 1 }),
    ).toMatchObject([{ line: 3, isWarning: true }]);
  });
});
