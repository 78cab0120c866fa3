/** Lists the kubectl steps that change objects or are rejected. */
import type { Step } from './step.ts';

export const writingSteps: readonly Step[] = [
  { args: 'apply -f web-labelled.yaml', stdout: 'pod/web configured\n', differs: true },
  { args: 'label pod web colour=red', stdout: 'pod/web labeled\n' },
  { args: 'label pod web colour=blue', code: 1, stderr: /already has a value \(red\), and --overwrite is false/ },
  { args: 'label pod web colour=blue --overwrite', stdout: 'pod/web labeled\n' },
  { args: 'label pod web colour-', stdout: /^pod\/web (un)?labeled\n$/, differs: true },
  { args: 'annotate pod web note=kept', stdout: 'pod/web annotated\n' },
  {
    args: "get pod web -o jsonpath='{.metadata.labels.tier} {.metadata.labels.colour} {.metadata.annotations.note}'",
    stdout: 'front  kept',
  },
  { args: `patch pod web -p '{"metadata":{"labels":{"size":"s"}}}'`, stdout: 'pod/web patched\n' },
  { args: `patch pod web -p '{"metadata":{"labels":{"size":"s"}}}'`, stdout: 'pod/web patched (no change)\n' },
  { args: `patch pod web --type=merge -p '{"metadata":{"labels":{"size":null}}}'`, stdout: 'pod/web patched\n' },
  {
    args: `patch pod web --type=json -p '[{"op":"add","path":"/metadata/labels/shape","value":"round"}]'`,
    stdout: 'pod/web patched\n',
  },
  {
    args: `patch pod web --type=json -p '[{"op":"test","path":"/metadata/labels/shape","value":"square"}]'`,
    code: 1,
    stderr: /^The request is invalid/,
  },
  { args: 'get pods -l shape=round,!size -o name', stdout: 'pod/web\n' },
  {
    args:
      'patch pod limited --subresource=resize -p ' +
      `'{"spec":{"containers":[{"name":"app","resources":{"limits":{"memory":"72Mi"}}}]}}'`,
    stdout: 'pod/limited patched\n',
    since: 32,
  },
  {
    args:
      'patch pod web --subresource=status -p ' +
      `'{"status":{"conditions":[{"type":"example.com/Told","status":"True"}]}}'`,
    stdout: 'pod/web patched\n',
    since: 24,
  },
  {
    args: 'edit pod web',
    stdout: 'pod/web edited\n',
    environment: { KUBE_EDITOR: "sed -i 's/shape: round/shape: square/'" },
  },
  { args: 'edit pod web', stderr: /Edit cancelled, no changes made/, environment: { KUBE_EDITOR: 'true' } },
  { args: "get pod web -o jsonpath='{.metadata.labels.shape}'", stdout: 'square' },
  { args: 'set image pod/web app=busybox:1.36', stdout: '' },

  {
    args: `patch pod web -p '{"spec":{"hostname":"other"}}'`,
    code: 1,
    stderr:
      /^The Pod "web" is invalid: spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`,`spec\.initContainers\[\*\]\.image`,`spec\.activeDeadlineSeconds`,`spec\.tolerations` \(only additions to existing tolerations\)/,
  },
  {
    args: 'apply -f web-other-command.yaml',
    code: 1,
    stderr: /The Pod "web" is invalid: spec: Forbidden: pod updates may not change fields other than/,
  },
  {
    args: `patch pod limited -p '{"spec":{"containers":[{"name":"app","resources":{"limits":{"cpu":"300m"}}}]}}'`,
    code: 1,
    stderr: /Forbidden: pod updates may not change fields other than/,
  },
  {
    args: 'create -f no-image.yaml',
    code: 1,
    stderr: /^The Pod "imageless" is invalid: spec\.containers\[0\]\.image: Required value\n$/,
  },
  { args: 'create -f unknown-field.yaml', code: 1, stderr: /unknown field "(spec\.colour|colour)"/, differs: true },
  {
    args: 'create -f unknown-field.yaml --validate=false --dry-run=server',
    stdout: 'pod/unknown created (server dry run)\n',
  },
  {
    args: 'create -f host.yaml',
    code: 1,
    stderr: /pods "host" is forbidden: violates PodSecurity .*--allow-host-namespaces/,
  },
  { args: 'create -f web.yaml -n nowhere', code: 1, stderr: /namespaces "nowhere" not found/ },
  { args: 'taint node podscope a=b:NoSchedule', code: 1, stderr: /this node has no scheduler/ },
  { args: 'label node podscope place=here --overwrite', stdout: /^node\/podscope (not )?labeled\n$/, differs: true },

  { args: 'apply -f settings.yaml --dry-run=server', stdout: 'configmap/settings created (server dry run)\n' },
  { args: 'apply -f settings.yaml --dry-run=client', stdout: 'configmap/settings created (dry run)\n' },
  { args: 'get configmap settings', code: 1, stderr: /configmaps "settings" not found/ },
  { args: 'apply --server-side -f settings.yaml', stdout: 'configmap/settings serverside-applied\n' },
  { args: 'apply --server-side -f settings.yaml', stdout: 'configmap/settings serverside-applied\n' },
  {
    args: 'apply --server-side --field-manager=other -f settings-blue.yaml',
    code: 1,
    stderr: /Apply failed with 1 conflict: conflict with "kubectl": \.data\.colour/,
  },
  {
    args: 'apply --server-side --field-manager=other --force-conflicts -f settings-blue.yaml',
    stdout: 'configmap/settings serverside-applied\n',
  },
  { args: "get configmap settings -o jsonpath='{.data.colour}'", stdout: 'blue' },
  { args: 'diff -f settings-blue.yaml --server-side --force-conflicts --field-manager=other', stdout: '' },
  {
    args: 'diff -f settings.yaml --server-side --force-conflicts',
    code: 1,
    stdout: /-\s+colour: blue\n\+\s+colour: red\n/,
    differs: true,
  },
  { args: 'apply --server-side -f two.yaml --force-conflicts', stdout: 'pod/two serverside-applied\n' },
  { args: 'apply -f flock.yaml --prune -l flock=sheep', stdout: 'configmap/black created\nconfigmap/white created\n' },
  {
    args: 'apply -f flock-black.yaml --prune -l flock=sheep',
    stdout: 'configmap/black unchanged\nconfigmap/white pruned\n',
  },
  { args: 'delete configmap black', stdout: /^configmap "black" deleted/, differs: true },
  {
    args: 'apply -f flock.yaml --prune --applyset=flock -n NAMESPACE',
    stdout: 'configmap/black created\nconfigmap/white created\n',
    environment: { KUBECTL_APPLYSET: 'true' },
    since: 27,
  },
  {
    args: 'apply -f flock-black.yaml --prune --applyset=flock -n NAMESPACE',
    stdout: 'configmap/black unchanged\nconfigmap/white pruned\n',
    environment: { KUBECTL_APPLYSET: 'true' },
    since: 27,
  },
  {
    args: 'create deployment web --image=busybox:1.36',
    code: 1,
    stderr:
      /deployments.apps is forbidden: .* a Deployment needs a controller that creates its pods: submit the pod in its spec.template/,
  },
  { args: 'get deployments,ingresses', stderr: /No resources found in kubectl-\d namespace/ },
  { args: 'replace -f settings.yaml', stdout: 'configmap/settings replaced\n' },
  { args: 'replace --force -f web.yaml', stdout: /pod "web" deleted[^\n]*\npod\/web replaced\n/, differs: true },
  { args: 'wait --for=condition=Ready pod/web --timeout=240s', stdout: 'pod/web condition met\n' },

  { args: 'create configmap more --from-literal=a=b --from-file=settings.yaml', stdout: 'configmap/more created\n' },
  { args: 'get configmap more', stdout: /^NAME +DATA +AGE\nmore +2 +\S+\n$/ },
  { args: 'create secret generic login --from-literal=password=x', stdout: 'secret/login created\n' },
  { args: "get secret login -o jsonpath='{.data.password} {.type}'", stdout: 'eA== Opaque' },
  { args: 'create serviceaccount robot', stdout: 'serviceaccount/robot created\n' },
  { args: 'get serviceaccount robot --no-headers', stdout: /^robot +0 +\S+\n$/ },
  {
    args: 'create configmap Bad_Name',
    code: 1,
    stderr:
      /ConfigMap "Bad_Name" is invalid: metadata\.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain/,
  },
];
