/** Defines the defaults of the feature gates. Upstream: pkg/features/kube_features.go (v1.20). */
import { type RuntimeGates, runtimeGatesV136 } from '../gates.ts';

/** The defaults of v1.20. Of these gates, only EphemeralContainers exists in v1.20, and it is off by default. */
export const runtimeGatesV120 = Object.fromEntries(
  Object.keys(runtimeGatesV136).map((gate) => [gate, false]),
) as RuntimeGates;
