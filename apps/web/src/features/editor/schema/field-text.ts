/**
 * Returns the description of a field. Descriptions are looked up by the field's path in a container, then by its path
 * in the pod, then by its name.
 */
import { type translate } from '../../../base/i18n/i18n.ts';
import { fieldTexts } from './messages.en.ts';

const isDescribed = (name: string): name is keyof typeof fieldTexts => Object.hasOwn(fieldTexts, name);

/**
 * Returns the path with the same name for init, ephemeral and normal containers, because their fields have the same
 * descriptions.
 */
const generic = (path: readonly string[]): readonly string[] =>
  path[0] === 'spec' && /^(?:init|ephemeral)?[cC]ontainers$/.test(path[1] ?? '') && path.length > 2
    ? ['container', ...path.slice(2)]
    : path;

export function fieldText(t: typeof translate, path: readonly string[]): string | undefined {
  const whole = generic(path);
  for (const name of [whole.join('.'), whole.slice(-2).join('.'), whole.at(-1) ?? ''])
    if (isDescribed(name)) return t(fieldTexts[name]);
  return undefined;
}
