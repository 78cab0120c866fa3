/**
 * Parses field selectors like `metadata.name=web,status.phase!=Running`. Each kind supports only some fields. Upstream:
 * apimachinery fields.
 */

import type { Event, KubernetesObject, Namespace, Node, Pod, Secret } from '../types.ts';
import { SelectorError } from './label-selector.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A list of requirements. An object must meet all of them; without requirements, every object matches. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  readonly matches: (object: KubernetesObject) => boolean;
}

/** The selector that matches every object. */
export const everyField: FieldSelector = { requirements: [], matches: () => true };

type FieldSet = Readonly<Record<string, string | undefined>>;

/**
 * Functions that return the selectable fields of an object, by kind. Upstream: ToSelectableFields of each kind's
 * registry (v1.36).
 */
const fieldsOfKind: Readonly<Record<string, (object: KubernetesObject) => FieldSet>> = {
  Pod: (object) => {
    const { spec, status } = object as Pod;
    return {
      'spec.nodeName': spec?.nodeName,
      'spec.restartPolicy': spec?.restartPolicy,
      'spec.schedulerName': spec?.schedulerName,
      'spec.serviceAccountName': spec?.serviceAccountName,
      'spec.hostNetwork': String(spec?.hostNetwork ?? false),
      'status.phase': status?.phase,
      'status.podIP': status?.podIP,
      'status.podIPs': status?.podIPs?.map(({ ip }) => ip).join(','),
      'status.nominatedNodeName': status?.nominatedNodeName,
    };
  },
  Event: (object) => {
    const { involvedObject, reason, reportingComponent, source, type } = object as Event;
    return {
      'involvedObject.kind': involvedObject?.kind,
      'involvedObject.namespace': involvedObject?.namespace,
      'involvedObject.name': involvedObject?.name,
      'involvedObject.uid': involvedObject?.uid,
      'involvedObject.apiVersion': involvedObject?.apiVersion,
      'involvedObject.resourceVersion': involvedObject?.resourceVersion,
      'involvedObject.fieldPath': involvedObject?.fieldPath,
      reason,
      reportingComponent,
      source: source?.component ?? reportingComponent,
      type,
    };
  },
  Namespace: (object) => ({ 'status.phase': (object as Namespace).status?.phase, name: object.metadata?.name }),
  Secret: (object) => ({ type: (object as Secret).type }),
  Node: (object) => ({ 'spec.unschedulable': String((object as Node).spec?.['unschedulable'] === true) }),
};

function fieldsOf(kind: string, object: KubernetesObject): FieldSet {
  const own = Object.hasOwn(fieldsOfKind, kind) ? fieldsOfKind[kind]?.(object) : undefined;
  return { 'metadata.name': object.metadata?.name, 'metadata.namespace': object.metadata?.namespace, ...own };
}

/** Returns the fields by which a kind can be selected. */
export function selectableFields(kind: string): string[] {
  return Object.keys(fieldsOf(kind, { apiVersion: '', kind, metadata: { name: '', uid: '' } }));
}

/**
 * Parses a selector for objects of a kind. The empty text matches every object. Upstream: fields.ParseSelector and the
 * conversion of field labels (apimachinery, v1.36).
 * @throws SelectorError for an invalid text or an unsupported field
 */
export function parseFieldSelector(text: string, kind: string): FieldSelector {
  const supported = selectableFields(kind);
  const requirements = splitTerms(text).map((term) => parseTerm(term, text));
  for (const { field } of requirements) {
    if (!supported.includes(field)) {
      throw new SelectorError(
        `field label not supported: ${field}; a ${kind} can be selected by ${supported.join(', ')}`,
      );
    }
  }
  return {
    requirements,
    matches: (object) => {
      const fields = fieldsOf(kind, object);
      return requirements.every(
        ({ field, operator, value }) => ((fields[field] ?? '') === value) === (operator === '='),
      );
    },
  };
}

/** Splits at commas that aren't escaped by a backslash. */
function splitTerms(text: string): string[] {
  return (text.match(/(?:\\.|[^,\\])+/gs) ?? []).map((term) => term.trim()).filter((term) => term !== '');
}

function parseTerm(term: string, text: string): FieldRequirement {
  const parts = /^(?<field>[^=!]+)(?<operator>!=|==|=)(?<value>.*)$/s.exec(term)?.groups;
  if (!parts) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
  const { field = '', operator = '=', value = '' } = parts;
  if (value.replaceAll(/\\[\\,=]/g, '').includes('='))
    throw new SelectorError(`invalid field selector: unescaped '=' in '${value}'; write '\\='`);
  return {
    field: field.trim(),
    operator: operator === '!=' ? '!=' : '=',
    value: value.trim().replaceAll(/\\([\\,=])/g, '$1'),
  };
}
