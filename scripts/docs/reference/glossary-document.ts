/** Generates docs/reference/glossary.md: the terms of the lessons and of Podscope, in both languages. */
import { glossary, termOf } from '../../../packages/lessons/src/glossary/index.ts';
import { generatedNote } from './markdown.ts';
import { podscopeTerms } from './podscope-terms.ts';

const entry = (english: { name: string; text: string }, chinese: { name: string; text: string }): string =>
  `## ${english.name}\n\n${english.text}\n\n${chinese.name}：${chinese.text}\n`;

/** Returns the page. */
export function glossaryDocument(): string {
  const entries = glossary('en').map((term) => entry(term, termOf(term.id, 'zh-CN')));
  const own = podscopeTerms.map((term) => `#${entry(term.en, term['zh-CN'])}`);
  const sources = 'packages/lessons/src/glossary/terms.ts and scripts/docs/reference/podscope-terms.ts';
  return `${generatedNote(sources, 'glossary.md')}

# Glossary

\`\`\`md
The kubelet asks the [sandbox](glossary:sandbox) for its IP.
\`\`\`

A lesson links its terms like that, and its readers [open them in place](../learn/lessons.md#the-glossary). On the page,
press \`?\` to see all of them. [Terms of Podscope](#terms-of-podscope) are only in these pages.

${entries.join('\n')}
## Terms of Podscope

${own.join('\n')}`;
}
