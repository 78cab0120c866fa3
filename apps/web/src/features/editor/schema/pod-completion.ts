/** Completes and describes fields in the YAML editor, from the API server's schema. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
  startCompletion,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { type EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { translate } from '../../../base/i18n/i18n.ts';
import { fieldText } from './field-text.ts';
import { fieldsAt, keySuffix, kindIn, schemaAt, typeName, valuesOf } from './schema-at.ts';
import { type YamlCursor, yamlCursor } from './yaml-cursor.ts';

const kinds = ['Pod', 'ConfigMap', 'Secret', 'Namespace'];

function keyCompletions(kind: string, { path, siblings, indent }: YamlCursor): readonly Completion[] {
  const fields = fieldsAt(kind, path) ?? {};
  return Object.entries(fields)
    .filter(([name]) => !siblings.has(name) && name !== 'status' && name !== 'managedFields')
    .map(([name, schema]): Completion => {
      const text = fieldText(translate, [...path, name]);
      return {
        label: name,
        detail: typeName(schema),
        type: schema.type === 'object' || schema.type === 'array' || schema.type === 'map' ? 'class' : 'property',
        ...(text ? { info: text, boost: 1 } : {}),
        apply: (view: EditorView, _completion, from, to) => {
          const insert = `${name}${keySuffix(schema, indent)}`;
          view.dispatch({
            changes: { from, to, insert },
            selection: { anchor: from + insert.length },
            scrollIntoView: true,
          });
          // Open the completion of the inserted field's value at once.
          startCompletion(view);
        },
      };
    });
}

function valueCompletions(kind: string, { path }: YamlCursor): readonly Completion[] {
  if (path.length === 1 && path[0] === 'kind') return kinds.map((label) => ({ label, type: 'enum' }));
  if (path.length === 1 && path[0] === 'apiVersion') return [{ label: 'v1', type: 'enum' }];
  const schema = schemaAt(kind, path);
  return schema ? valuesOf(schema).map((label) => ({ label, type: 'enum' })) : [];
}

function complete({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const line = state.doc.lineAt(pos);
  const text = state.doc.toString();
  const cursor = yamlCursor(text, line.number - 1, pos - line.from);
  if (!cursor) return null;
  if (!explicit && cursor.writes === 'key' && cursor.typed === '') return null;
  const kind = kindIn(text.split('\n').slice(cursor.document.from, cursor.document.to));
  const options = cursor.writes === 'key' ? keyCompletions(kind, cursor) : valueCompletions(kind, cursor);
  if (options.length === 0) return null;
  return { from: pos - cursor.typed.length, options: [...options], validFor: /^[\w./$-]*$/ };
}

/** Shows a tooltip with the description of a field. */
const explanation = hoverTooltip((view, position) => {
  const line = view.state.doc.lineAt(position);
  const key = /^[\s-]*([A-Za-z][\w./-]*):/.exec(line.text);
  if (!key?.[1]) return null;
  const start = line.text.indexOf(key[1]);
  if (position < line.from + start || position > line.from + start + key[1].length) return null;
  const text = view.state.doc.toString();
  const cursor = yamlCursor(text, line.number - 1, start);
  if (!cursor) return null;
  const path = [...cursor.path, key[1]];
  const schema = schemaAt(kindIn(text.split('\n').slice(cursor.document.from, cursor.document.to)), path);
  if (!schema) return null;
  return {
    pos: line.from + start,
    end: line.from + start + key[1].length,
    above: true,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-field';
      const head = document.createElement('code');
      head.textContent = `${path.join('.')}: ${typeName(schema)}`;
      const body = document.createElement('p');
      const values = valuesOf(schema);
      body.textContent = [fieldText(translate, path), values.length > 0 ? values.join(' · ') : undefined]
        .filter(Boolean)
        .join(' ');
      dom.append(head, ...(body.textContent === '' ? [] : [body]));
      return { dom };
    },
  };
});

export const podCompletion: Extension = [
  autocompletion({ override: [complete], icons: false }),
  keymap.of(completionKeymap),
  explanation,
];
