/** Provides shorthands for writing scenarios. */
import type { EventMoment, LocalizedText, LogMoment, OnlySimulated, PodMoment, ScenarioProfile } from '../scenario.ts';

export const bothProfiles: readonly ScenarioProfile[] = ['v1.36', 'v1.20'];
/** The profiles of scenarios about features that v1.20 doesn't have. */
export const newestProfile: readonly ScenarioProfile[] = ['v1.36'];

export const text = (en: string, zh: string): LocalizedText => ({ en, zh });

/** The only container, `app`, is running and ready. */
export const appRuns: PodMoment = { phase: 'Running', containers: [{ name: 'app', ready: true }] };

/** @param message part of the event's message; @param count minimum count */
export const event = (reason: string, message?: string, container?: string, count?: number): EventMoment => ({
  reason,
  message,
  container,
  count,
});

export const line = (container: string, part: string): LogMoment => ({ container, line: part });

export const onlySimulated = (en: string, zh: string): OnlySimulated => ({ onlySimulated: text(en, zh) });

/** Returns the YAML of a pod. `spec` is written without indentation. */
export const podManifest = (name: string, spec: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
${spec.trim().replaceAll(/^(?=.)/gm, '  ')}
`;

/** Joins several manifests, which are applied in order. */
export const documents = (...manifests: readonly string[]): string => manifests.join('---\n');
