/** Combines the texts of all steps: titles and descriptions by id, in every language. */
import { criTexts } from './cri.ts';
import { dockerTexts } from './docker.ts';
import { kubeletTexts } from './kubelet.ts';
import { kuberuntimeTexts } from './kuberuntime.ts';
import { sandboxTexts } from './sandbox.ts';
import type { FlowLanguage, StepText, Translations } from './text.ts';

const catalogue: Readonly<Record<string, Translations>> = {
  ...kubeletTexts,
  ...kuberuntimeTexts,
  ...sandboxTexts,
  ...criTexts,
  ...dockerTexts,
};

/** Returns the text of a step in a language; undefined if no step has this id. */
export const stepText = (id: string, language: FlowLanguage): StepText | undefined =>
  Object.hasOwn(catalogue, id) ? catalogue[id]?.[language] : undefined;

/** The ids of all steps that have a text. */
export const stepTextIDs: readonly string[] = Object.keys(catalogue);
