// Which parts of the workspace may import which: docs/architecture.md has the picture.
/** What each package may import of the others. A package not named here may import none. */
const allowed = {
  trace: [],
  k8s: [],
  cri: ['trace'],
  streaming: ['cri', 'trace'],
  kuberuntime: ['k8s', 'cri', 'trace'],
  kubelet: ['k8s', 'cri', 'trace', 'kuberuntime'],
  dockershim: ['cri', 'trace', 'k8s', 'streaming'],
  simulator: ['cri', 'trace', 'k8s'],
  protocol: ['trace'],
  debugger: ['trace', 'protocol', 'k8s', 'cri'],
  cluster: ['k8s', 'cri', 'trace', 'kuberuntime', 'kubelet', 'protocol', 'debugger'],
  timeline: ['trace'],
  playwright: [],
  scenarios: ['trace', 'k8s', 'simulation', 'simulator'],
  lessons: ['trace'],
  'pod-snapshot': ['trace', 'k8s', 'cri', 'kuberuntime', 'kubelet', 'cluster', 'simulation', 'simulator'],
  simulation: ['trace', 'cri', 'k8s', 'kuberuntime', 'kubelet', 'simulator', 'cluster', 'protocol'],
};
/** Run in a browser: no Node API. */
const browserCapable = [
  'k8s',
  'cri',
  'trace',
  'kuberuntime',
  'kubelet',
  'simulator',
  'protocol',
  'debugger',
  'cluster',
  'simulation',
  'scenarios',
  'lessons',
  'pod-snapshot',
  'timeline',
];
/** Doors of browser-capable packages that only Node enters. */
const nodeOnly = '^packages/(cri/src/(grpc|log-files)|simulator/src/on-disk)/';
const notTests = '(\\.test\\.tsx?$|/testing/|/test/)';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Modules that need each other are one module, or lack a third.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^(packages|apps)/[^/]+/src/', pathNot: ['\\.d\\.ts$', notTests, '^apps/web/src/main', '/types\\.ts$', '\\.process\\.ts$'] },
      to: {},
    },
    ...Object.entries(allowed).map(([name, others]) => ({
      name: `${name}-imports`,
      severity: 'error',
      comment: `packages/${name} may import only: ${others.join(', ') || 'none of the others'}`,
      from: { path: `^packages/${name}/src/`, pathNot: notTests },
      to: { path: '^(packages|apps)/', pathNot: [`^packages/(${[name, ...others].join('|')})/`] },
    })),
    {
      name: 'web-imports',
      severity: 'error',
      comment: 'The page talks to a node through the protocol; of the engine it takes only data and types.',
      from: { path: '^apps/web/src/', pathNot: [notTests, '\\.worker\\.ts$'] },
      to: {
        path: '^(packages|apps)/',
        pathNot: '^(apps/web|packages/(protocol|trace|timeline|k8s|kuberuntime|scenarios|lessons|pod-snapshot))/|^packages/debugger/src/(known-sources|past/)',
      },
    },
    {
      name: 'engine-in-workers-only',
      severity: 'error',
      comment: 'The engine runs beside the page, not in it: its worker may import what a node is composed of.',
      from: { path: '^apps/web/src/.*\\.worker\\.ts$' },
      to: { path: '^(packages|apps)/', pathNot: '^(apps/web|packages/(protocol|trace|k8s|cluster|simulation|simulator|debugger|scenarios|pod-snapshot))/' },
    },
    { name: 'nobody-imports-apps', severity: 'error', from: { path: '^packages/' }, to: { path: '^apps/' } },
    {
      name: 'no-node-in-browser',
      severity: 'error',
      comment: 'These packages run in a browser.',
      from: { path: `^(packages/(${browserCapable.join('|')})|apps/web)/src/`, pathNot: [notTests, nodeOnly] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-node-door-in-browser',
      severity: 'error',
      comment: 'What is behind a door for Node does not load in a browser.',
      from: { path: `^(packages/(${browserCapable.join('|')})|apps/web)/src/`, pathNot: [notTests, nodeOnly] },
      to: { path: nodeOnly },
    },
    {
      name: 'public-door-only',
      severity: 'error',
      comment: 'Other packages are entered through their exports.',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: {
        path: '^packages/([^/]+)/src/',
        pathNot: [
          '^packages/$2/',
          '/index\\.ts$',
          'event-schema\\.ts$',
          'exact-check\\.ts$',
          'run-info\\.ts$',
          '/testing/',
          '/steps\\.ts$',
          '/points\\.ts$',
          '/known-sources\\.ts$',
          '/notices\\.ts$',
          '^packages/playwright/src/site\\.ts$',
        ],
        dependencyTypesNot: ['aliased-workspace'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['(^|/)(dist|test-results)/', '^apps/web/dist[.]'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'], extensions: ['.ts', '.tsx', '.js', '.json'] },
  },
};
