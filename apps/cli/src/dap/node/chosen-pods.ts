/** Selects pods of a manifest by name, so that an editor can debug only some of them. */
import { isMap, parseAllDocuments } from 'yaml';

/** Removes all characters except line breaks, so that later lines keep their line numbers. */
const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/**
 * Returns the manifest without the pods that aren't named. Other objects are kept, because the pods may need them.
 * Lines keep their numbers. A manifest that isn't valid YAML or JSON is returned unchanged, so that applying it reports
 * the error.
 * @param names names of pods; undefined for all
 */
export function onlyPods(manifest: string, names: readonly string[] | undefined): string {
  if (names === undefined) return manifest;
  let result = manifest;
  for (const { contents, errors } of parseAllDocuments(manifest, { logLevel: 'silent' })) {
    if (errors.length > 0) return manifest;
    if (!isMap(contents) || String(contents.get('kind')) !== 'Pod' || !contents.range) continue;
    if (names.includes(String(contents.getIn(['metadata', 'name'])))) continue;
    const [start, end] = contents.range;
    result = `${result.slice(0, start)}${blank(result.slice(start, end))}${result.slice(end)}`;
  }
  return result;
}
