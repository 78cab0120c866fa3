/** Parses `--feature-gates` in the kubelet's format: `NAME=true,OTHER=false`. */

import { UsageError } from '@podscope/command-line';
import { knownFeatureGates } from '@podscope/kubelet';

/**
 * Returns the values of the named feature gates.
 * @throws UsageError for a feature gate that the release doesn't have, or a value that isn't true or false
 */
export function parseFeatureGates(
  text: string | undefined,
  release: 'v1.36' | 'v1.20',
): Readonly<Record<string, boolean>> {
  const known = knownFeatureGates(release);
  const gates: Record<string, boolean> = {};
  for (const part of text?.split(',') ?? []) {
    const [name = '', value] = part.trim().split('=');
    if (!known.includes(name))
      throw new UsageError(
        `--feature-gates: ${release} has no gate ${JSON.stringify(name)} here; it has ${known.join(', ')}`,
      );
    if (value !== 'true' && value !== 'false')
      throw new UsageError(`--feature-gates: ${name} must be true or false, as in ${name}=true`);
    gates[name] = value === 'true';
  }
  return gates;
}
