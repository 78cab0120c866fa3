/** What the scenarios are written with. */
import type { LocalizedText, OnlySimulated, PodMoment, ScenarioProfile } from '../scenario.ts';

export const bothProfiles: readonly ScenarioProfile[] = ['v1.36', 'v1.20'];
/** For what v1.20 does not have yet. */
export const newestProfile: readonly ScenarioProfile[] = ['v1.36'];

export const text = (en: string, zh: string): LocalizedText => ({ en, zh });

/** The one container, `app`, runs. */
export const appRuns: PodMoment = { phase: 'Running', containers: [{ name: 'app' }] };

export const onlySimulated = (en: string, zh: string): OnlySimulated => ({ onlySimulated: text(en, zh) });

/** A pod's YAML; `spec` is written from the left margin. */
export const podManifest = (name: string, spec: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
${spec.trim().replaceAll(/^(?=.)/gm, '  ')}
`;

/** Several objects in one text, applied in order. */
export const documents = (...manifests: readonly string[]): string => manifests.join('---\n');
