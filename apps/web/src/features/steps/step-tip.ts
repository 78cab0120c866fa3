/** Formats the tooltip of a step: what it does, and the values that it received and returned. */
import type { SpanRecord } from '@podscope/trace';
import { entriesOf, isContainer, previewOf, scalarText, shortId } from '../../base/ui/text/value-text.ts';
import type { StepNode } from '../../node/syncs/step-tree.ts';

/** Maximum number of values in a tooltip, and of characters in a value. */
const most = { values: 12, characters: 120 };

/** Returns the value in one line. Objects with one level are written in full, deeper ones as a preview. */
function lineOf(value: unknown): string {
  if (!isContainer(value)) return shortId(scalarText(value));
  const text = JSON.stringify(value);
  return shortId(text.length <= most.characters ? text : previewOf(value));
}

const cut = (text: string): string => (text.length > most.characters ? `${text.slice(0, most.characters - 1)}…` : text);

/** Returns the values of a call: the members of its request and response, its other attributes, and its facts. */
function valuesOf(span: SpanRecord | undefined, { decision }: Pick<StepNode, 'decision'>): readonly string[] {
  const members = (value: unknown, prefix: string): readonly string[] =>
    isContainer(value) ? entriesOf(value).map(([name, entry]) => cut(`${prefix}${name} = ${lineOf(entry)}`)) : [];
  const { request, ...attributes } = span?.attributes ?? {};
  const { response, ...result } = span?.endAttributes ?? {};
  return [
    ...members(attributes, ''),
    ...members(request, ''),
    ...members(response, '→ '),
    ...members(result, '→ '),
    ...(decision ? members(decision.facts, '') : []),
  ];
}

/** Returns the lines of the tooltip. Without values, it is the description only. */
export function stepTip(description: string, node: Pick<StepNode, 'span' | 'decision'>): string {
  const values = valuesOf(node.span, node);
  const shown = values.slice(0, most.values);
  if (shown.length < values.length) shown.push('…');
  return [description, shown.join('\n')].filter(Boolean).join('\n\n');
}
