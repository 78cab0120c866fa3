/** Joins paths so that the result stays below a directory to which pods can write. */
import type { OSInterface } from '../runtime.ts';

/** The largest number of links in a path. */
const maxLinks = 255;

/**
 * Returns the path below `root` with its links resolved as if `root` were the root directory. Upstream:
 * filepath-securejoin SecureJoin.
 * @throws Error for too many links
 */
export async function secureJoin(os: Pick<OSInterface, 'readLink'>, root: string, path: string): Promise<string> {
  const rest = path.split('/');
  const resolved: string[] = [];
  let links = 0;
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      resolved.pop();
      continue;
    }
    const target = await os.readLink?.([root, ...resolved, part].join('/'));
    if (target === undefined) {
      resolved.push(part);
      continue;
    }
    links += 1;
    if (links > maxLinks) throw new Error(`securejoin: ${root}/${path}: too many levels of symbolic links`);
    if (target.startsWith('/')) resolved.length = 0;
    rest.unshift(...target.split('/'));
  }
  return [root, ...resolved].join('/');
}
