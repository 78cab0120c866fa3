/**
 * Defines how YAML scalars of Kubernetes are parsed. The rules are those of YAML 1.1 (`yes` and `on` are booleans,
 * `0644` is octal), without base-60 numbers (`10:30`) and dates, which Go's parser reads as text. Upstream:
 * sigs.k8s.io/yaml.
 */

import type { CollectionTag, ScalarTag, Tags } from 'yaml';

const dropped = new Set(['timestamp', 'binary', 'omap', 'pairs', 'set'].map((name) => `tag:yaml.org,2002:${name}`));

/** Octal numbers like `0o17`. Go supports them, YAML 1.1 doesn't. */
const modernOctal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  format: 'OCT',
  test: /^[-+]?0o[0-7]+$/,
  resolve: (text) => Number.parseInt(text.replace('0o', ''), 8),
};

/** Returns the YAML 1.1 tags that Go's parser supports. */
export function kubernetesTags(tags: Tags): Tags {
  const kept = tags.flatMap((tag): Tags => {
    if (typeof tag === 'string') return [tag];
    if (dropped.has(tag.tag)) return [];
    if (!isScalarTag(tag)) return [tag];
    if (tag.format === 'TIME') return [];
    // In Go, an exponent needs a sign, so a commit id like 1234e56 is a text.
    return tag.format === 'EXP' ? [{ ...tag, test: /^[-+]?[0-9]*\.?[0-9]+[eE][-+][0-9]+$/ }] : [tag];
  });
  return [modernOctal, ...kept];
}

function isScalarTag(tag: CollectionTag | ScalarTag): tag is ScalarTag {
  return tag.collection === undefined;
}
