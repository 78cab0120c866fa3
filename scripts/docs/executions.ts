/** Specifies for each command line of the documentation which test executes it, or why no test does. */

/** The circumstances in which the long tier executes a line. */
interface Setting {
  /** The line with values for its placeholders. */
  readonly as?: string;
  /**
   * The program that has to be running: a node whose pods kubectl finds with the kubeconfig (`cluster`), or the CRI
   * server on /run/podscope/cri.sock that the previous line of the page starts (`cri`).
   */
  readonly beside?: 'cluster' | 'cri';
}

/** How a command line is executed. */
export type Execution =
  /** The long tier runs the line to its end. The line must print this and have this exit code (default 0). */
  | ({ readonly prints: RegExp; readonly code?: number } & Setting)
  /** The long tier runs the line until it has printed this, and then stops it with Ctrl+C. */
  | ({ readonly serves: RegExp } & Setting)
  /** The test file that executes the line, or the same command with other files, names and addresses. */
  | { readonly test: string }
  /** The reason why no test can execute it. */
  | { readonly reason: string };

const script = (rest: string): RegExp => new RegExp(`^npx -y pnpm@12 ${rest}$`);
const podscope = (rest: string): RegExp => script(`podscope ${rest}`);
const link = /http:\/\/127\.0\.0\.1:\d+\/\S*token=/;
const cluster = 'cluster';
const images = 'apps/package/src/image/image.docker.test.ts';
const packed = 'apps/package/src/package.test.ts';

/** The executions by command line. The first matching pattern applies. */
export const executions: readonly (readonly [RegExp, Execution])[] = [
  // Install the kubectl plugin, which command lines below call.
  [/^ln -s "\$PWD\/apps\/cli\/bin\/\S+" ~\/\.local\/bin\/\S+$/, { prints: /^$/, beside: cluster }],
  // Command lines that run manifests or use recorded runs.
  [podscope('run --help'), { prints: /Usage: .* run MANIFEST/ }],
  [
    podscope(String.raw`run pod\.yaml --break 'cri\.StartContainer container=app'`),
    { prints: /before StartContainer/, code: 4 },
  ],
  [
    podscope(String.raw`run pod\.yaml --break 'decision:computePodActions\.\*'`),
    { prints: /Compute sandbox and container changes/, code: 4 },
  ],
  [podscope(String.raw`run pod\.yaml --json \| jq .*`), { prints: /"type": "decision"/ }],
  [podscope(String.raw`run pod\.yaml .*--record \S+\.podscope`), { prints: /pod default\/web appears/ }],
  [
    podscope(String.raw`run pod\.yaml .* --break anyError`),
    {
      prints: /pod default\/web appears/,
      // Use the simulator, because on Docker an image that can't be pulled would be an error.
      as: "npx -y pnpm@12 podscope run pod.yaml --runtime sim --break 'cri.* if attempt == 2' --break anyError",
    },
  ],
  [
    podscope(
      String.raw`(?:(?:export|diff) packages/observer/recordings|run crash-exit1\.yaml|diff genuine\.podscope) .*`,
    ),
    { test: 'apps/cli/src/runs/runs.test.ts' },
  ],
  [podscope(String.raw`run pod\.yaml.*`), { prints: /pod default\/web appears/ }],
  // Only v1.36 has the step preCreateContainer, so the runs differ.
  [podscope(String.raw`diff before\.podscope after\.podscope`), { prints: / the same, 0 missing, 1 extra/, code: 1 }],
  [
    podscope(String.raw`export RUN .*`),
    { prints: /crash\.podscope/, as: 'npx -y pnpm@12 podscope export latest --format file -o crash.podscope' },
  ],
  [podscope(String.raw`export .*`), { prints: /./ }],
  [podscope(String.raw`open (?:--tempo|--jaeger) .*`), { test: 'apps/server/src/observe/traces/traces.test.ts' }],
  [podscope(String.raw`open .*`), { serves: link }],
  [podscope('runs'), { prints: /RUN +STARTED/ }],
  [podscope("runs rename latest 'good run'"), { prints: /good run/ }],
  [podscope("diff latest 'good run' --pod default/web"), { prints: / the same, 0 missing/ }],
  [
    podscope(String.raw`explain pod\.yaml events\.yaml`),
    { prints: /web/, as: 'npx -y pnpm@12 podscope explain web.yaml events.yaml' },
  ],
  [
    /^\{ cat pod\.yaml; echo ---; cat events\.yaml; \} > snapshot\.yaml$/,
    { prints: /^$/, as: '{ cat web.yaml; echo ---; cat events.yaml; } > snapshot.yaml' },
  ],
  [podscope('explain - --json'), { prints: /"web"/, as: 'npx -y pnpm@12 podscope explain - --json < web.yaml' }],
  [podscope('explain .*'), { prints: /web/ }],
  [/^kubectl get pod web -o yaml \| npx -y pnpm@12 podscope explain -$/, { prints: /web/, beside: cluster }],
  // Command lines about pods of a cluster.
  [/^export KUBECONFIG=/, { prints: /^$/ }],
  [/^kubectl run crash /, { prints: /pod\/crash created/, beside: cluster }],
  [/^kubectl apply -f web\.yaml$/, { prints: /pod\/web/, beside: cluster }],
  [/^kubectl apply -f pod\.yaml$/, { prints: /pod\/web/, beside: cluster, as: 'kubectl apply -f web.yaml' }],
  [/^timeout 300 sh -c 'until kubectl get --raw \/healthz; .*$/, { prints: /ok/, beside: cluster }],
  [/^kubectl wait --for=condition=Ready pod\/web .*$/, { prints: /condition met/, beside: cluster }],
  [/^kubectl get pods$/, { prints: /web/, beside: cluster }],
  [/^kubectl get pods -w$/, { serves: /web/, beside: cluster }],
  [/^kubectl get pod web -o yaml > web\.yaml$/, { prints: /^$/, beside: cluster }],
  [/^kubectl get --raw .*$/, { prints: /# HELP/, beside: cluster }],
  [/^kubectl exec web -- date$/, { prints: /20\d\d/, beside: cluster }],
  [/^(?:npx -y pnpm@12|kubectl) podscope why deployment\/web .*$/, { test: 'apps/cli/src/kubectl/workloads.test.ts' }],
  [/^(?:npx -y pnpm@12|kubectl) podscope why orders-.*$/, { prints: /orders/, beside: cluster }],
  [/^(?:npx -y pnpm@12|kubectl) podscope why .*$/, { prints: /web/, beside: cluster }],
  [/^kubectl podscope watch .*$/, { serves: link, beside: cluster }],
  [/^kubectl podscope sim .*$/, { prints: /What comes next/, beside: cluster }],
  [/^kubectl podscope record .*$/, { serves: /web/, beside: cluster }],
  [script('start --kubeconfig .*'), { serves: link, beside: cluster }],
  // Command lines that send requests to a server.
  [/^export TOKEN=/, { test: 'scripts/docs/requests.test.ts' }],
  [/^(?:run(?:\(\) \{| ').*|\})$/, { test: 'scripts/docs/requests.test.ts' }],
  [/^curl .*\/debug\/v1\/commands .*$/, { test: 'scripts/docs/requests.test.ts' }],
  // Servers.
  [script('start --help'), { prints: /--runtime/ }],
  [
    script('start --host .*'),
    {
      serves: /https:\/\/127\.0\.0\.1/,
      as: 'npx -y pnpm@12 start --host 127.0.0.1 --tls-cert cert.pem --tls-key key.pem',
    },
  ],
  [/^export (?:PODSCOPE_TOKEN|npm_config_offline)=/, { prints: /^$/ }],
  [script('start --class.*'), { serves: /:\/\// }],
  [
    script(String.raw`start --runtime unix:///run/containerd/containerd\.sock`),
    { test: 'apps/server/src/runtime/containerd-contract.docker.test.ts' },
  ],
  [script(String.raw`start --runtime unix:///run/podscope/cri\.sock`), { serves: link, beside: 'cri' }],
  [
    script('start --runtime sim --state-dir node &'),
    { serves: link, as: 'npx -y pnpm@12 start --runtime sim --port 0 --state-dir node' },
  ],
  [script('start.*'), { serves: link }],
  [script('cri.*'), { serves: /unix:\/\/\// }],
  [podscope('docker-proxy --list'), { prints: /POST / }],
  [podscope('docker-proxy --listen .*'), { serves: /docker\.sock/ }],
  [podscope('dap --scenarios'), { prints: /crash-loop/ }],
  [podscope('dap --listen 4711'), { serves: /4711/ }],
  [podscope('dap'), { test: 'apps/cli/src/dap/dap-conversations.test.ts' }],
  [podscope('observe install --dry-run'), { test: 'apps/cli/src/observe/install/install.test.ts' }],
  [podscope('observe (?:install|uninstall).*'), { reason: 'changes the kubelet of the machine' }],
  [podscope('observe.*'), { test: 'apps/server/src/relay/pod-flow.test.ts' }],
  [
    /^docker exec -it kind-control-plane /,
    { reason: 'needs a cluster made by kind, whose images come from a registry' },
  ],
  [/^(?:crictl|critest) /, { reason: 'Debian has no package of the program; packages/cri/src/testing asks the same' }],
  // Single commands.
  [podscope('--help'), { prints: /Usage: / }],
  [podscope('completion .*'), { prints: /^$/ }],
  [podscope('doctor.*'), { prints: /Docker/ }],
  [podscope('lessons check .*'), { test: 'scripts/docs/adding.test.ts' }],
  [podscope(String.raw`lessons export .* my-lesson\.md`), { test: 'apps/cli/src/lessons/lessons.test.ts' }],
  [podscope('lessons export .*'), { prints: /crash-loops/ }],
  // Building.
  [script('build:site .*'), { prints: /site/ }],
  [script('build:package.*'), { test: 'e2e/web/integrations/example.spec.ts' }],
  [script('build:extension.*'), { test: 'e2e/web/integrations/vscode.spec.ts' }],
  [script('build:krew'), { prints: /kubectl-podscope-\S+\.tar\.gz/ }],
  [script('build:krew --check'), { prints: /^$/ }],
  [script('build:image.*'), { test: images }],
  [/^docker (?:run|compose) /, { test: images }],
  [/^export DOCKER_GID=/, { test: images }],
  [/^docker ps -aq --filter label=io\.podscope\.instance \| /, { reason: 'removes the containers of other nodes' }],
  [/^sudo (?:install|cat) /, { reason: 'uses /var/lib as root of the reader’s machine' }],
  [/^npx podscope/, { test: packed }],
  [/^kubectl get pod web -o yaml \| npx podscope explain -$/, { test: packed }],
  [/^code --install-extension /, { test: 'e2e/web/integrations/vscode.spec.ts' }],
  [/^npm (?:install|test)/, { test: 'e2e/web/integrations/example.spec.ts' }],
  [/^npx playwright /, { reason: 'downloads a browser, or opens one' }],
  // Command lines that compare or measure.
  [script('conformance DIR'), { prints: /agree/, as: 'npx -y pnpm@12 conformance apps/lab/vectors/backoff.jsonl.gz' }],
  [script('conformance .* --explain'), { prints: /The engine does the same/ }],
  [script('conformance.*'), { prints: /agree/ }],
  [script(String.raw`twin apps/lab/recordings/v1\.20 --only 29 --all`), { prints: /same/ }],
  [script('twin .*'), { test: 'apps/lab/src/twin/twin.docker.test.ts' }],
  [script('chaos .*'), { prints: /./ }],
  [script('bench ui --help'), { prints: /Usage: .* bench ui / }],
  [script('bench why DIR --show'), { prints: /./, as: 'npx -y pnpm@12 bench why apps/lab/why/first-ten --show' }],
  [script('bench why'), { prints: /./ }],
  [
    script(String.raw`bench shadow \[DIR\] .*`),
    { prints: /agree/, as: 'npx -y pnpm@12 bench shadow packages/observer/recordings --export out' },
  ],
  [script('bench .*'), { reason: 'takes minutes on an idle machine, and its result is the machine’s speed' }],
  // Command lines that run tests.
  [script('(?:test|isolated).*'), { reason: 'runs the tests, this one among them' }],
  [
    /vitest run --project unit (?:packages\/simulated-runtime )?packages\/scenarios$/,
    { test: 'packages/scenarios/src/library.test.ts' },
  ],
  [
    /vitest run --project unit packages\/kuberuntime\/src\/compute-pod-actions$/,
    { test: 'packages/kuberuntime/src/compute-pod-actions/compute-pod-actions.test.ts' },
  ],
  [script('generate.*'), { test: 'scripts/lib/generated.test.ts' }],
  [script('local-images'), { prints: /busybox:1\.36/ }],
  [/^node apps\/cli\/src\/main\.ts count /, { test: 'scripts/docs/adding.test.ts' }],
  [/^git /, { reason: 'changes the branch, and needs a remote repository' }],
];
