/**
 * Removes Chinese texts from files that load for every language. The Chinese texts of the flow move into the chunk of
 * the Chinese catalogue; in development and in tests, the catalogue reads them from the flow itself.
 */
import { type FlowLanguage, stepText, stepTextIDs } from '@podscope/flow';
import type { Plugin } from 'vite';

/** Matches the modules that contain every language side by side. */
const flowTexts = /\/packages\/flow\/src\/texts\/\w+\.ts$/;
/** Matches the module from which the Chinese catalogue takes the texts. */
const chineseCatalogue = /\/apps\/web\/src\/node\/points\/messages\.zh-CN\.ts$/;

const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;

/** Returns the source with an empty text in place of each Chinese text. */
export const withoutChinese = (source: string): string =>
  source.replace(literal, (text) => (/\p{Script=Han}/u.test(text) ? "''" : text));

const language: FlowLanguage = 'zh-CN';

/** Returns the catalogue's module with the texts as literals. */
function catalogueModule(): string {
  const texts = Object.fromEntries(
    stepTextIDs.flatMap((id) => {
      const { title = '', description = '' } = stepText(id, language) ?? {};
      return [
        [`point.${id}.title`, title],
        [`point.${id}.description`, description],
      ];
    }),
  );
  return `export const pointTexts = ${JSON.stringify(texts)};`;
}

export function languagesPlugin(): Plugin {
  return {
    name: 'podscope-languages',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (flowTexts.test(id)) return { code: withoutChinese(code), map: null };
      if (chineseCatalogue.test(id)) return { code: catalogueModule(), map: null };
      return null;
    },
  };
}
