// Which parts of the workspace may import which: docs/architecture.md has the picture.
/** What each package may import of the others, besides `base`. A package not named here may import none. */
const allowed = {
  base: [],
  trace: [],
  flow: ['trace'],
  k8s: [],
  cri: ['trace', 'flow'],
  streaming: ['cri', 'trace'],
  kuberuntime: ['k8s', 'cri', 'trace', 'flow'],
  kubelet: ['k8s', 'cri', 'trace', 'flow', 'kuberuntime'],
  dockershim: ['cri', 'trace', 'flow', 'k8s', 'streaming'],
  'simulated-runtime': ['cri', 'trace', 'flow', 'k8s'],
  protocol: ['trace'],
  'relay-protocol': [],
  debugger: ['trace', 'protocol', 'k8s', 'cri'],
  apiserver: ['k8s', 'trace'],
  node: [
    'k8s',
    'cri',
    'trace',
    'flow',
    'apiserver',
    'kuberuntime',
    'kubelet',
    'simulated-runtime',
    'protocol',
    'debugger',
  ],
  timeline: ['trace'],
  playwright: [],
  'command-line': ['trace', 'base'],
  scenarios: ['trace', 'k8s', 'apiserver', 'node', 'simulated-runtime'],
  lessons: ['trace'],
  observer: ['k8s', 'cri', 'trace', 'flow', 'kuberuntime', 'kubelet'],
  classroom: ['protocol', 'trace'],
  'pod-snapshot': ['trace', 'k8s', 'cri', 'kuberuntime', 'kubelet', 'apiserver', 'node', 'simulated-runtime'],
};
/** Every package may import `base`, except the one that is published alone. */
const commonTo = (name) => (name === 'playwright' ? [] : ['base']);
/** Run in a browser: no Node API. */
const browserCapable = [
  'flow',
  'base',
  'k8s',
  'cri',
  'trace',
  'kuberuntime',
  'kubelet',
  'simulated-runtime',
  'protocol',
  'relay-protocol',
  'debugger',
  'apiserver',
  'node',
  'scenarios',
  'lessons',
  'classroom',
  'pod-snapshot',
  'observer',
  'timeline',
];
/** Doors of browser-capable packages that only Node enters. */
const nodeOnly = '^packages/(cri/src/(grpc|log-files)|simulated-runtime/src/on-disk)/';
const notTests = '(\\.test\\.tsx?$|/testing/|/test/)';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Modules that need each other are one module, or lack a third. Type-only imports count too.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'v1-20-through-profile',
      severity: 'error',
      comment: 'Code of v1.20 is entered only through the profile of that release.',
      from: {
        path: '^packages/',
        pathNot: [
          notTests,
          '/v1-20/',
          '^packages/kubelet/src/profiles/profiles\\.ts$',
          '^packages/kuberuntime/src/index\\.ts$',
          '^packages/dockershim/src/create-dockershim\\.ts$',
        ],
      },
      to: { path: '^packages/[^/]+/src/.*/v1-20/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        path: '^(packages|apps)/[^/]+/src/',
        pathNot: ['\\.d\\.ts$', notTests, '^apps/web/src/main', '/types\\.ts$', '\\.process\\.ts$'],
      },
      to: {},
    },
    ...Object.entries(allowed).map(([name, others]) => ({
      name: `${name}-imports`,
      severity: 'error',
      comment: `packages/${name} may import only: ${['base', ...others].join(', ')}`,
      from: { path: `^packages/${name}/src/`, pathNot: notTests },
      to: { path: '^(packages|apps)/', pathNot: [`^packages/(${[name, ...others, ...commonTo(name)].join('|')})/`] },
    })),
    {
      name: 'node-without-simulation',
      severity: 'error',
      comment: 'The node knows its runtime through the CRI; only @podscope/node/virtual knows the simulated one.',
      from: { path: '^packages/node/src/', pathNot: [notTests, '^packages/node/src/virtual/'] },
      to: { path: '^packages/(simulated-runtime|node/src/virtual)/' },
    },
    {
      name: 'relay-without-dependencies',
      severity: 'error',
      comment: 'The relay stands between a kubelet and its runtime: Node alone, and two modules that need only Node.',
      from: { path: '^apps/relay/src/', pathNot: notTests },
      to: {
        pathNot: [
          '^apps/relay/src/',
          '^packages/relay-protocol/src/(wire|holdable)\\.ts$',
          '^packages/cri/src/grpc/server/listen-socket\\.ts$',
        ],
        dependencyTypesNot: ['core', 'type-only'],
      },
    },
    {
      name: 'web-imports',
      severity: 'error',
      comment: 'The page talks to a node through the protocol; of the engine it takes only data and types.',
      from: { path: '^apps/web/src/', pathNot: [notTests, '\\.worker\\.ts$'] },
      to: {
        path: '^(packages|apps)/',
        pathNot:
          '^(apps/web|packages/(base|protocol|trace|flow|timeline|k8s|kuberuntime|scenarios|lessons|classroom|pod-snapshot))/|^packages/debugger/src/(known-sources|patterns|past/)',
      },
    },
    {
      name: 'engine-in-workers-only',
      severity: 'error',
      comment: 'The engine runs beside the page, not in it: its worker may import what a node is composed of.',
      from: { path: '^apps/web/src/.*\\.worker\\.ts$' },
      to: {
        path: '^(packages|apps)/',
        pathNot:
          '^(apps/web|packages/(base|protocol|trace|k8s|apiserver|node|simulated-runtime|debugger|scenarios|pod-snapshot))/',
      },
    },
    ...[
      ['base', 'node|features|shell'],
      ['node', 'features|shell'],
      ['features', 'shell'],
    ].map(([layer, above]) => ({
      name: `web-${layer}-layer`,
      severity: 'error',
      comment:
        'The page has four layers: base, node, features, shell. A layer imports only from itself and those below.',
      from: { path: `^apps/web/src/${layer}/` },
      to: { path: `^apps/web/src/(${above})/` },
    })),
    {
      name: 'web-features-by-index',
      severity: 'error',
      comment: 'A feature of the page is imported only through its index.',
      from: { path: '^apps/web/src/(features/[^/]+|base|node|shell)/' },
      to: { path: '^apps/web/src/features/[^/]+/', pathNot: ['^apps/web/src/$1/', '/index\\.ts$'] },
    },
    {
      name: 'web-no-folder-cycles',
      scope: 'folder',
      severity: 'error',
      comment: 'Folders of the page that need each other are one folder, or lack a third.',
      from: { path: '^apps/web/src/' },
      to: { circular: true },
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
          '^packages/debugger/src/patterns\\.ts$',
          '^packages/cri/src/sandbox-checkpoint\\.ts$',
          '/go-quote\\.ts$',
          '/quantity\\.ts$',
          '/system-clock\\.ts$',
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
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
