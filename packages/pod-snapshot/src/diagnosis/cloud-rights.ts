/**
 * Contains the remedies for rights that a cloud, Vault or a secret store denies the identity of a pod. A pod has the
 * identity of its service account, or of its node.
 */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import type { PodCase } from './pod-case.ts';

/** Returns the name of the pod's service account. */
export const accountOf = ({ pod }: PodCase): string => pod.spec.serviceAccountName ?? 'default';

/** Returns the command that shows the service account, whose annotations name its cloud role. */
export const accountLook = (it: PodCase): NextCommand => ({
  why: textOf('runCloudAccount', { account: accountOf(it) }),
  command: it.kubectl(`get serviceaccount ${accountOf(it)} -o yaml`),
});

/** Returns the command that gives a role of AWS further rights. @param policyName the name of the new inline policy */
function grantAws(
  values: Readonly<Record<'role' | 'action' | 'object', string>>,
  actions: readonly string[],
  resource: string,
  policyName: string,
): NextCommand {
  const policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: actions, Resource: resource }],
  });
  return {
    why: textOf('vaultAws', values),
    command:
      `aws iam put-role-policy --role-name ${values.role} --policy-name ${policyName} ` +
      `--policy-document '${policy}'`,
  };
}

/**
 * Returns the command that shows the role of a login to Vault; undefined if the text names no login.
 * @param role the role that the pod itself names
 */
export function vaultLook(it: PodCase, text: string, role?: string): NextCommand | undefined {
  const mount = /\/v1\/auth\/(?<mount>[^\s'"]+)\/login/.exec(text)?.groups?.['mount'];
  if (mount === undefined) return undefined;
  const named = role ?? /role(?: name)?:? "(?<role>[\w-]+)"/.exec(text)?.groups?.['role'] ?? 'ROLE';
  const values = { mount, role: named, account: accountOf(it), namespace: it.namespace };
  return { why: textOf('runDeniedVault', values), command: `vault read auth/${mount}/role/${named}` };
}

/**
 * Returns the commands after a program was denied an action by AWS in the words of its IAM.
 * @param isNode whether the role is that of the node
 */
export function roleRemedies(
  it: PodCase,
  container: string,
  values: Readonly<Record<'role' | 'action' | 'object', string>>,
  isNode: boolean,
): readonly NextCommand[] {
  const account = accountOf(it);
  const { action, object } = values;
  return isNode
    ? [
        {
          why: textOf('runRoleAccount', { ...values, account }),
          command: it.kubectl(`annotate serviceaccount ${account} eks.amazonaws.com/role-arn=ROLE_ARN`),
        },
        ...it.change('runRoleRestart', { ...values, account, container }),
      ]
    : [grantAws(values, [action], object.startsWith('arn:') ? object : '*', container), accountLook(it)];
}

/** Returns the secret store of a cloud that a message comes from. */
export function storeOf(message: string): string {
  if (/secretsmanager|arn:aws/i.test(message)) return 'AWS Secrets Manager';
  if (/ssm:GetParameter/i.test(message)) return 'AWS Parameter Store';
  return /secretmanager\.|projects\/[\w-]+\/secrets/i.test(message) ? 'Google Secret Manager' : 'of its provider';
}

/** Returns the command that grants the identity in a message the secret that it lacks; undefined if none is named. */
export function secretGrant(it: PodCase, message: string): NextCommand | undefined {
  const app = /appid=(?<app>[\da-f-]{36})/i.exec(message)?.groups?.['app'];
  const vault = /(?<vault>[\w-]+)\.vault\.azure\.net/.exec(message)?.groups?.['vault'];
  if (app !== undefined && vault !== undefined)
    return {
      why: textOf('vaultAzure', { app, vault }),
      command:
        `az role assignment create --assignee ${app} --role 'Key Vault Secrets User' ` +
        `--scope $(az keyvault show -n ${vault} --query id -o tsv)`,
    };
  const login = vaultLook(it, message);
  if (login) return login;
  const aws =
    /:assumed-role\/(?<role>[\w+=,.@-]+)\/\S+ is not authorized to perform: (?<action>[\w:]+)(?: on resource: (?<object>\S+))?/.exec(
      message,
    )?.groups;
  if (aws) {
    const { role = '', action = '', object = '' } = aws;
    const resource = object.startsWith('arn:') ? object : `arn:aws:secretsmanager:*:*:secret:${object}-*`;
    return grantAws({ role, action, object }, [action, 'secretsmanager:DescribeSecret'], resource, 'secrets-store');
  }
  const google =
    /'(?<right>secretmanager\.[\w.]+)' denied[^\n]*?projects\/(?<project>[\w-]+)\/secrets\/(?<secret>[\w-]+)/.exec(
      message,
    )?.groups;
  if (!google) return undefined;
  const { project = '', secret = '', right = '' } = google;
  return {
    why: textOf('vaultGoogle', { account: accountOf(it), right, secret }),
    command:
      `gcloud secrets add-iam-policy-binding ${secret} --project ${project} ` +
      '--role roles/secretmanager.secretAccessor ' +
      `--member "principal://iam.googleapis.com/projects/PROJECT_NUMBER/locations/global/workloadIdentityPools/` +
      `${project}.svc.id.goog/subject/ns/${it.namespace}/sa/${accountOf(it)}"`,
  };
}
