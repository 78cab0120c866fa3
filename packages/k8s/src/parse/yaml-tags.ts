/**
 * How Kubernetes reads YAML scalars: as YAML 1.1 (`yes` and `on` are booleans, `0644` is octal), but without the parts of 1.1 that Go's reader
 * never had (`10:30` as a number to base 60, dates), which stay texts.
 */

import type { CollectionTag, ScalarTag, Tags } from 'yaml';

const dropped = new Set(['timestamp', 'binary', 'omap', 'pairs', 'set'].map((name) => `tag:yaml.org,2002:${name}`));

/** `0o17`, which YAML 1.1 does not know and Go does. */
const modernOctal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  format: 'OCT',
  test: /^[-+]?0o[0-7]+$/,
  resolve: (text) => Number.parseInt(text.replace('0o', ''), 8),
};

/** The tags of YAML 1.1 as Go's reader has them. */
export function kubernetesTags(tags: Tags): Tags {
  const kept = tags.flatMap((tag): Tags => {
    if (typeof tag === 'string') return [tag];
    if (dropped.has(tag.tag)) return [];
    if (!isScalarTag(tag)) return [tag];
    if (tag.format === 'TIME') return [];
    // Go wants a sign in an exponent, so that a commit id such as 1234e56 stays a text.
    return tag.format === 'EXP' ? [{ ...tag, test: /^[-+]?[0-9]*\.?[0-9]+[eE][-+][0-9]+$/ }] : [tag];
  });
  return [modernOctal, ...kept];
}

function isScalarTag(tag: CollectionTag | ScalarTag): tag is ScalarTag {
  return tag.collection === undefined;
}
