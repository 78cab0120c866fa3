/**
 * Compiles the message catalogues during the build, so that the page doesn't load a parser for ICU MessageFormat. In
 * development and in tests `src/base/i18n/i18n.ts` compiles a message when it is first shown.
 */
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

/** Matches the catalogues. */
const textModule = /\/messages\.(?:en|zh-CN)\.ts$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
  readonly operator?: unknown;
  readonly left?: Node;
  readonly right?: Node;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Returns the text of a string literal or of literals joined by `+`; undefined for any other expression. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'BinaryExpression' || node.operator !== '+' || !node.left || !node.right) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** Yields every text of the module that contains placeholders. */
function* textsIn(value: unknown): Generator<Node & { readonly text: string }> {
  if (Array.isArray(value)) {
    for (const item of value) yield* textsIn(item);
    return;
  }
  if (!isNode(value)) return;
  const text = textOf(value);
  if (text !== undefined) {
    if (text.includes('{')) yield { ...value, text };
    return;
  }
  for (const member of Object.values(value)) yield* textsIn(member);
}

export function messagesPlugin(): Plugin {
  return {
    name: 'podscope-messages',
    apply: 'build',
    // Run after TypeScript's types are removed.
    enforce: 'post',
    transform(code, id) {
      if (!textModule.test(id)) return null;
      let compiled = code;
      const texts = [...textsIn(this.parse(code))].toSorted((left, right) => right.start - left.start);
      for (const { start, end, text } of texts)
        compiled = `${compiled.slice(0, start)}${JSON.stringify(compileMessage(text))}${compiled.slice(end)}`;
      return { code: compiled, map: null };
    },
  };
}
