/** Converts a breakpoint to the texts of the form and back. */
import type { BreakpointSpec } from '@podscope/protocol';

export interface BreakpointDraft {
  readonly place: string;
  readonly when: NonNullable<BreakpointSpec['when']>;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly containerType: NonNullable<BreakpointSpec['containerType']> | '';
  readonly condition: string;
  readonly hitCondition: string;
  readonly logMessage: string;
  readonly oneShot: boolean;
}

const placeOf = ({ kind, decision, source, point }: BreakpointSpec): string => {
  if (kind !== undefined) return `kind:${kind}`;
  if (decision !== undefined) return `decision:${decision}`;
  return source ? `${source.path}:${source.line}` : (point ?? '');
};

export const draftOf = (spec: BreakpointSpec | undefined): BreakpointDraft => ({
  place: spec ? placeOf(spec) : '',
  when: spec?.when ?? 'before',
  namespace: spec?.namespace ?? '',
  pod: spec?.pod ?? '',
  container: spec?.container ?? '',
  containerType: spec?.containerType ?? '',
  condition: spec?.condition ?? '',
  hitCondition: spec?.hitCondition ?? '',
  logMessage: spec?.logMessage ?? '',
  oneShot: spec?.oneShot ?? false,
});

/**
 * Parses the text of a place: `kind:cri`, `decision:computePodActions.*`, `packages/…/file.ts:12`, or the id of a
 * point.
 */
function readPlace(text: string): Pick<BreakpointSpec, 'point' | 'kind' | 'decision' | 'source'> {
  const [, prefix, rest] = /^(kind|decision):(.+)$/.exec(text) ?? [];
  if (prefix === 'kind') return { kind: rest };
  if (prefix === 'decision') return { decision: rest };
  const [, path, line] = /^(.+\.ts):(\d+)$/.exec(text) ?? [];
  if (path !== undefined) return { source: { path, line: Number(line) } };
  return { point: text };
}

/** Returns an object with the field `name`, or an empty object if the text is empty. */
const given = <Name extends string>(name: Name, text: string): { readonly [Key in Name]?: string } =>
  text.trim() === '' ? {} : ({ [name]: text.trim() } as { readonly [Key in Name]: string });

/** Returns the edited breakpoint; fields that the form doesn't show (`threads`, `enabled`) stay unchanged. */
export function specOf(draft: BreakpointDraft, before: BreakpointSpec | undefined): BreakpointSpec {
  const { threads, enabled } = before ?? {};
  return {
    ...(threads === undefined ? {} : { threads }),
    ...(enabled === undefined ? {} : { enabled }),
    ...readPlace(draft.place.trim()),
    when: draft.when,
    ...given('namespace', draft.namespace),
    ...given('pod', draft.pod),
    ...given('container', draft.container),
    ...(draft.containerType === '' ? {} : { containerType: draft.containerType }),
    ...given('condition', draft.condition),
    ...given('hitCondition', draft.hitCondition),
    ...given('logMessage', draft.logMessage),
    ...(draft.oneShot ? { oneShot: true } : {}),
  };
}
