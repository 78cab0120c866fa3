import { describe, expect, it } from 'vitest';
import { parseResourcePath } from './request-info.ts';

const readPath = (path: string) => {
  const found = parseResourcePath(path);
  return found && [found.definition.resource, found.namespace, found.name, found.subresource];
};

describe('parseResourcePath', () => {
  it.each([
    ['pods', ['pods', undefined, undefined, undefined]],
    ['namespaces/default/pods', ['pods', 'default', undefined, undefined]],
    ['namespaces/default/pods/web', ['pods', 'default', 'web', undefined]],
    ['namespaces/default/pods/web/log', ['pods', 'default', 'web', 'log']],
    ['namespaces/default', ['namespaces', undefined, 'default', undefined]],
    ['namespaces/default/status', ['namespaces', undefined, 'default', 'status']],
    ['namespaces', ['namespaces', undefined, undefined, undefined]],
    ['nodes/node', ['nodes', undefined, 'node', undefined]],
    ['pods/web', undefined],
    ['namespaces/default/nodes', undefined],
    ['namespaces/default/pods/web/log/more', undefined],
    ['widgets', undefined],
    ['', undefined],
  ])('%s', (path, expected) => {
    expect(readPath(path)).toEqual(expected);
  });
});
