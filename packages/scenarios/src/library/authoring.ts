/** What the scenarios are written with. */
import type { EventMoment, LocalizedText, LogMoment, OnlySimulated, PodMoment, ScenarioProfile } from '../scenario.ts';

export const bothProfiles: readonly ScenarioProfile[] = ['v1.36', 'v1.20'];
/** For what v1.20 does not have yet. */
export const newestProfile: readonly ScenarioProfile[] = ['v1.36'];

export const text = (en: string, zh: string): LocalizedText => ({ en, zh });

/** The one container, `app`, runs and is ready. */
export const appRuns: PodMoment = { phase: 'Running', containers: [{ name: 'app', ready: true }] };

/** @param message a part of it; @param count at least so often */
export const event = (reason: string, message?: string, container?: string, count?: number): EventMoment => ({ reason, message, container, count });

export const line = (container: string, part: string): LogMoment => ({ container, line: part });

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
