/** Collects the simplified Chinese catalogue: it contains every `messages.zh-CN.ts` of the page. */
import type { Catalogue } from './define-messages.ts';

const modules = import.meta.glob<Readonly<Record<string, Catalogue>>>('../../**/messages.zh-CN.ts', { eager: true });

/** Chinese texts by message id. Terms of Kubernetes, CRI and Docker stay as they are. */
export const catalogue: Catalogue = Object.fromEntries(
  Object.values(modules).flatMap((module) => Object.values(module).flatMap((texts) => Object.entries(texts))),
);
