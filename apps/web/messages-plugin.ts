/**
 * Compiles the interface's texts when the page is built: what reads ICU MessageFormat need not be loaded then. In development and in tests
 * `src/i18n/i18n.ts` compiles them as they are said.
 */
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

/** The modules that hold texts. */
const textModule = /\/messages\.(?:en|zh-CN)\.ts$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Every text of the module that takes values: the strings with a brace. */
function* textsIn(value: unknown): Generator<Node & { readonly value: string }> {
  if (Array.isArray(value)) {
    for (const item of value) yield* textsIn(item);
    return;
  }
  if (!isNode(value)) return;
  if (value.type === 'Literal' && typeof value.value === 'string') {
    if (value.value.includes('{')) yield value as Node & { readonly value: string };
    return;
  }
  for (const member of Object.values(value)) yield* textsIn(member);
}

export function messagesPlugin(): Plugin {
  return {
    name: 'podscope-messages',
    apply: 'build',
    // After TypeScript's types are gone.
    enforce: 'post',
    transform(code, id) {
      if (!textModule.test(id)) return null;
      let compiled = code;
      const texts = [...textsIn(this.parse(code))].toSorted((left, right) => right.start - left.start);
      for (const { start, end, value } of texts) compiled = `${compiled.slice(0, start)}${JSON.stringify(compileMessage(value))}${compiled.slice(end)}`;
      return { code: compiled, map: null };
    },
  };
}
