/** Parses the paths in validation errors, for example `spec.containers[0].resources.limits[nvidia.com/gpu]`. */

export type FieldPathSegment = string | number;

const segment = /\.?(?<name>[^.[\]]+)|\[(?<key>[^\]]*)\]/y;

/** Returns the segments of a path. Indices of lists are numbers. Parsing stops at the first invalid character. */
export function parseFieldPath(path: string): FieldPathSegment[] {
  const segments: FieldPathSegment[] = [];
  segment.lastIndex = 0;
  for (let match = segment.exec(path); match?.groups; match = segment.exec(path)) {
    const { name, key } = match.groups;
    if (name !== undefined) segments.push(name);
    else if (key !== undefined) segments.push(/^\d+$/.test(key) ? Number(key) : key);
    if (segment.lastIndex >= path.length) break;
  }
  return segments;
}
