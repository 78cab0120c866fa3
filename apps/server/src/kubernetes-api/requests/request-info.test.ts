import { describe, expect, it } from 'vitest';
import { parseApiPath } from './request-info.ts';

const readPath = (path: string) => {
  const found = parseApiPath(path);
  return found && [found.resource.name, found.namespace, found.name, found.subresource];
};

describe('parseApiPath', () => {
  it.each([
    ['/api/v1/pods', ['pods', undefined, undefined, undefined]],
    ['/api/v1/namespaces/default/pods', ['pods', 'default', undefined, undefined]],
    ['/api/v1/namespaces/default/pods/web', ['pods', 'default', 'web', undefined]],
    ['/api/v1/namespaces/default/pods/web/log', ['pods', 'default', 'web', 'log']],
    ['/api/v1/namespaces/default', ['namespaces', undefined, 'default', undefined]],
    ['/api/v1/namespaces/default/status', ['namespaces', undefined, 'default', 'status']],
    ['/api/v1/namespaces', ['namespaces', undefined, undefined, undefined]],
    ['/api/v1/nodes/node', ['nodes', undefined, 'node', undefined]],
    ['/api/v1/pods/web', undefined],
    ['/api/v1/namespaces/default/nodes', undefined],
    ['/api/v1/namespaces/default/pods/web/log/more', undefined],
    ['/api/v1/widgets', undefined],
    ['/api/v1', undefined],
    ['/api/v1/nodes/node/proxy/stats/summary', ['nodes', undefined, 'node', 'proxy']],
    ['/apis/metrics.k8s.io/v1beta1/nodes', ['nodes', undefined, undefined, undefined]],
    ['/apis/metrics.k8s.io/v1beta1/namespaces/a/pods/b', ['pods', 'a', 'b', undefined]],
    ['/apis/metrics.k8s.io/v1/nodes', undefined],
    [
      '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node',
      ['leases', 'kube-node-lease', 'node', undefined],
    ],
    ['/apis/v1/pods', undefined],
    ['/other', undefined],
  ])('%s', (path, expected) => {
    expect(readPath(path)).toEqual(expected);
  });
});
