/** Defines the theme of the code editors. */
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colors and sizes, from the page's design tokens. */
export const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: 'var(--text-sm)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface-2)',
    color: 'var(--text-3)',
    border: 'none',
    borderRight: '1px solid var(--hairline)',
  },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 6%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--surface-3)', color: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--surface-4)', color: 'inherit' },
  '.cm-tooltip': {
    border: '1px solid var(--hairline-strong)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-diagnostic': { padding: '6px 10px', maxWidth: '36rem', fontFamily: 'var(--font)', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px dotted var(--bad)' },
  '.cm-lint-marker': { width: '10px', height: '10px', margin: '4px 2px 0' },
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxHeight: '16rem',
    fontFamily: 'var(--mono)',
    fontSize: 'var(--text-sm)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 10px', lineHeight: '1.5' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { marginLeft: '1em', color: 'var(--text-3)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { color: 'var(--accent-text)', textDecoration: 'none', fontWeight: '600' },
  '.cm-tooltip.cm-completionInfo': {
    padding: '6px 10px',
    maxWidth: '22rem',
    fontFamily: 'var(--font)',
    fontSize: 'var(--text-sm)',
  },
  '.cm-field': { maxWidth: '30rem', padding: '6px 10px', fontFamily: 'var(--font)', fontSize: 'var(--text-sm)' },
  '.cm-field code': { color: 'var(--text-2)', fontFamily: 'var(--mono)' },
  '.cm-field p': { margin: '4px 0 0' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', borderBottom: '2px dotted var(--warn)' },
  '.cm-foldPlaceholder': { border: 'none', backgroundColor: 'var(--surface-3)', color: 'var(--text-2)' },
});

/** Syntax colors. */
export const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--syntax-key)' },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: 'var(--syntax-text)' },
  { tag: [tags.number], color: 'var(--syntax-number)' },
  { tag: [tags.bool, tags.null, tags.keyword, tags.typeName, tags.labelName], color: 'var(--syntax-literal)' },
  { tag: [tags.comment, tags.lineComment, tags.meta], color: 'var(--syntax-comment)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--text-3)' },
]);
