/** Lists the kubectl steps that read objects, logs and usage. */
import type { Step } from './step.ts';

export const inspectingSteps: readonly Step[] = [
  { args: 'version', stdout: /Server Version: .*v1\.36/, differs: true },
  { args: 'cluster-info', stdout: /control plane.* is running at/, differs: true },
  {
    args: 'api-versions',
    stdout: /authentication.k8s.io\/v1\nauthorization.k8s.io\/v1\nbatch\/v1\n[^]*metrics.k8s.io\/v1beta1\n[^]*v1\n$/,
  },
  { args: 'api-resources', stdout: /pods +po +v1 +true +Pod\n/ },
  {
    args: 'api-resources --verbs=create --namespaced=true -o name',
    stdout: /^configmaps\npods\nsecrets\nserviceaccounts\n/,
  },
  { args: 'explain pods', stdout: /KIND: +Pod\n/, differs: true },
  { args: 'explain pods.spec.containers', stdout: /imagePullPolicy\s+<string>/, differs: true },
  { args: 'explain pod.spec.containers.resources --recursive', stdout: /limits/, differs: true },
  { args: 'explain pod.spec.colour', code: 1, stderr: /field "colour" does not exist/, differs: true },

  { args: 'create -f web.yaml', stdout: 'pod/web created\n' },
  {
    args: 'create -f web.yaml',
    code: 1,
    stderr: /Error from server \(AlreadyExists\): error when creating "web.yaml": pods "web" already exists\n/,
  },
  { args: 'apply -f two.yaml', stdout: 'pod/two created\n' },
  { args: 'apply -f two.yaml', stdout: 'pod/two unchanged\n' },
  { args: 'apply -f limited.yaml -f crash.yaml', stdout: 'pod/limited created\npod/crash created\n' },
  { args: 'create -f generated.yaml', stdout: /^pod\/generated-[a-z0-9]{5} created\n$/, differs: true },
  { args: 'wait --for=condition=Ready pod/web pod/two pod/limited --timeout=240s', stdout: /pod\/web condition met\n/ },
  {
    args: "wait --for=jsonpath='{.status.phase}'=Running pod/web --timeout=240s",
    stdout: 'pod/web condition met\n',
    since: 23,
  },

  {
    args: 'get pods web two',
    stdout: /^NAME +READY +STATUS +RESTARTS +AGE\nweb +1\/1 +Running +0 +\S+\ntwo +2\/2 +Running +0 +\S+\n$/,
  },
  {
    args: 'get pod web -o wide',
    stdout:
      /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\nweb +1\/1 +Running +0 +\S+ +\d+\.\d+\.\d+\.\d+ +podscope +<none> +<none>\n/,
  },
  { args: 'get pod web -o name', stdout: 'pod/web\n' },
  { args: 'get pod web -o json', stdout: /"kind": "Pod"/, differs: true },
  { args: 'get pod web -o yaml', stdout: /^apiVersion: v1\nkind: Pod\n/, differs: true },
  { args: "get pod web -o jsonpath='{.status.containerStatuses[0].containerID}'", stdout: /^docker:\/\/[0-9a-f]{64}$/ },
  { args: "get pod web -o go-template='{{.metadata.name}} {{.status.phase}}'", stdout: 'web Running' },
  {
    args: 'get pods web two -o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName',
    stdout: /^NAME +NODE\nweb +podscope\ntwo +podscope\n$/,
  },
  { args: 'get pods -l app=web -o name', stdout: 'pod/web\n' },
  { args: "get pods -l 'app in (web,two),!tier' -o name", stdout: 'pod/two\npod/web\n' },
  { args: 'get pods -l app=nobody', stderr: /No resources found in kubectl-\d namespace/ },
  { args: 'get pods --field-selector=metadata.name=two -o name', stdout: 'pod/two\n' },
  {
    args: 'get pods --field-selector=spec.nodeName=podscope,status.phase=Running,metadata.name!=two -l app -o name',
    stdout: /pod\/web\n/,
    differs: true,
  },
  { args: "get pods -l 'app in (web,two)' --sort-by=.metadata.name --no-headers", stdout: /^two .*\nweb .*\n$/ },
  { args: 'get pods -A --chunk-size=1 -o name', stdout: /pod\/web\n/, differs: true },
  { args: 'get pods web --show-labels', stdout: /LABELS\nweb .* app=web\n$/ },
  { args: 'get pod,configmap,secret,serviceaccount', stdout: /serviceaccount\/default +0/, differs: true },
  { args: 'get all', stdout: /pod\/web/, differs: true },
  { args: 'get pod nobody', code: 1, stderr: /^Error from server \(NotFound\): pods "nobody" not found\n$/ },
  { args: 'get widgets', code: 1, stderr: /the server doesn't have a resource type "widgets"/ },
  { args: 'get pods --field-selector=spec.colour=red', code: 1, stderr: /field label not supported: spec.colour/ },
  { args: 'get nodes', stdout: /^NAME +STATUS +ROLES +AGE +VERSION\npodscope +Ready +<none> +\S+ +v1\.\d+\.\d+\n$/ },
  { args: 'get leases -n kube-node-lease', stdout: /podscope +podscope/ },

  {
    args: 'describe pod web',
    stdout: /Status: +Running[^]*Normal +Created +.*kubelet[^]*Normal +Started/,
    differs: true,
  },
  {
    args: 'describe node podscope',
    stdout: /HolderIdentity: +podscope[^]*Ready +True[^]*Allocatable:[^]*Non-terminated Pods:[^]*web/,
    differs: true,
  },
  { args: 'describe namespace default', stdout: /Status: +Active/ },
  { args: 'describe serviceaccount default', stdout: /Name: +default/ },
  {
    args: 'get events --field-selector involvedObject.name=web,reason=Started -o name',
    stdout: /^event\/web\.[0-9a-f]+\n$/,
    differs: true,
  },
  { args: 'events --for pod/web --types=Normal', stdout: /Normal +Started +Pod\/web/, since: 26 },

  { args: 'logs web', stdout: 'hello\nagain\n' },
  { args: 'logs pod/web --tail=1', stdout: 'again\n' },
  { args: 'logs web --timestamps --tail=1', stdout: /^\d{4}-\d\d-\d\dT[\d:]+\.\d{9}Z again\n$/ },
  { args: 'logs web --since=1h --limit-bytes=7', stdout: 'hello\na' },
  { args: 'logs web --since-time=2100-01-01T00:00:00Z', stdout: '' },
  { args: 'logs web --since-time=2020-01-01T00:00:00Z', stdout: 'hello\nagain\n' },
  { args: 'logs two -c second', stdout: 'from second\n' },
  // A rate requires two measurements, so this step is repeated.
  { args: 'logs two --all-containers', stdout: /^(?=[^]*from first\n)(?=[^]*from second\n)/, differs: true },
  {
    args: 'logs two --all-containers --prefix',
    stdout: /^(?=[^]*\[pod\/two\/first\] from first\n)(?=[^]*\[pod\/two\/second\] from second\n)/,
    differs: true,
  },
  {
    args: "logs -l 'app in (web,two)' --all-containers --tail=1",
    stdout: /^(?=[^]*from first\n)(?=[^]*from second\n)(?=[^]*again\n)/,
    differs: true,
  },
  { args: 'logs two -c third', code: 1, stderr: /container third is not valid for pod two/ },
  { args: 'logs web --previous', code: 1, stderr: /previous terminated container "app" in pod "web" not found/ },
  {
    args: 'get pod crash --no-headers',
    stdout: /^crash +0\/1 +CrashLoopBackOff +[1-9]/,
    eventually: true,
    differs: true,
  },
  { args: 'logs crash --previous', eventually: true, stdout: /^about to fail\n$/ },
  { args: "get pod crash -o jsonpath='{.status.containerStatuses[0].lastState.terminated.exitCode}'", stdout: '3' },

  // A rate requires two measurements, so this step is repeated.
  {
    args: 'top node',
    stdout: /^NAME +CPU\(cores\) +CPU\(?%\)? +MEMORY\(bytes\) +MEMORY\(?%\)? *\npodscope +\d+m/,
    eventually: true,
    differs: true,
  },
  {
    args: 'top pod web',
    stdout: /^NAME +CPU\(cores\) +MEMORY\(bytes\) *\nweb +\d+m +\d+Mi/,
    eventually: true,
    differs: true,
  },
  {
    args: 'top pod two --containers',
    stdout: /two +first +\d+m +\d+Mi[^]*two +second +\d+m +\d+Mi/,
    eventually: true,
    differs: true,
  },
  { args: 'top pod -l app=web', stdout: /web +\d+m/, eventually: true, differs: true },

  {
    args: 'create token default --audience=vault --duration=10m',
    stdout: /^[\w-]+\.[\w-]+\.[\w-]+$/,
    since: 24,
    differs: true,
  },
  { args: 'create token nobody', code: 1, stderr: /serviceaccounts "nobody" not found/, since: 24 },
  {
    args:
      'get pod web --show-managed-fields -o ' +
      `jsonpath='{.metadata.managedFields[?(@.subresource=="status")].manager}'`,
    stdout: 'kubelet',
    since: 21,
  },
  { args: 'auth can-i create pods', stdout: 'yes\n' },
  { args: 'auth can-i --list', stdout: /\*\.\* +\[\] +\[\] +\[\*\]/ },
  { args: 'auth whoami', stdout: /Username +podscope/, since: 27 },
  { args: 'get --raw /healthz', stdout: 'ok' },
  { args: 'get --raw /api/v1/nodes/podscope/proxy/configz', stdout: /"kind":"KubeletConfiguration"/ },
  {
    args: 'get --raw /metrics',
    stdout: /kubelet_runtime_operations_total\{operation_type="run_podsandbox"\} \d+\n/,
    differs: true,
  },
];
