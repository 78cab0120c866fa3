/** Lists the kubectl steps that delete objects. */
import type { Step } from './step.ts';

export const deletingSteps: readonly Step[] = [
  { args: 'delete pod nobody', code: 1, stderr: /pods "nobody" not found/ },
  { args: 'delete pod nobody --ignore-not-found', stdout: '' },
  { args: 'delete pod crash --grace-period=0 --force', stdout: /pod "crash" force deleted/, differs: true },
  { args: 'delete pod limited --grace-period=1 --wait=false', stdout: /^pod "limited" deleted/, differs: true },
  { args: 'wait --for=delete pod/limited --timeout=240s', differs: true },
  { args: 'get pod limited', code: 1, stderr: /pods "limited" not found/ },
  { args: 'delete pods -l app=generated --now', stdout: /^pod "generated-\w+" deleted/, differs: true },
  { args: 'delete -f two.yaml --cascade=background', stdout: /^pod "two" deleted/, differs: true, since: 20 },
  {
    args: 'delete configmap/settings configmap/more secret/login serviceaccount/robot --cascade=orphan',
    stdout: /configmap "settings" deleted[^]*serviceaccount "robot" deleted/,
    differs: true,
  },
  {
    args:
      "run once --image=busybox:1.36 --image-pull-policy=IfNotPresent --restart=Never --command -- sh -c 'echo " +
      "once'",
    stdout: 'pod/once created\n',
  },
  { args: "get pod once -o jsonpath='{.status.phase}'", stdout: /^Succeeded$/, eventually: true },
  { args: 'logs once', stdout: 'once\n' },
  { args: 'delete pod --all', stdout: /pod "once" deleted[^]*pod "web" deleted/, differs: true },
  { args: 'get pods', stderr: /No resources found in kubectl-\d namespace/ },
  {
    args: 'delete namespace kube-system',
    code: 1,
    stderr: /namespaces "kube-system" is forbidden: this namespace may not be deleted/,
  },
];
