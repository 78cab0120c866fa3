/**
 * Recognizes programs that ended because of credentials, permissions of a service account, certificates or missing
 * data.
 */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import { accountOf, vaultLook } from '../cloud-rights.ts';
import { type ContainerCase, logsCommand } from '../pod-case.ts';
import { type ExitCase, lineOf, logs, plain, type Recognized, type Recognizer } from './recognizer.ts';

const secretNames = ({ spec }: ContainerCase): readonly string[] => [
  ...new Set([
    ...(spec.env ?? []).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
    ...(spec.envFrom ?? []).flatMap(({ secretRef }) => secretRef?.name ?? []),
  ]),
];

/** Returns the variable that most likely has the password, with its Secret and key; undefined without one. */
function passwordOf({
  spec,
}: ContainerCase): { readonly variable: string; readonly secret: string; readonly key: string } | undefined {
  const read = (spec.env ?? []).flatMap(({ name, valueFrom }) => {
    const { name: secret, key } = valueFrom?.secretKeyRef ?? {};
    return secret === undefined || key === undefined ? [] : [{ variable: name, secret, key }];
  });
  const named = read.filter(({ variable, key }) => /pass|pwd/i.test(`${variable} ${key}`));
  // With several passwords, the variable doesn't tell which one the server refuses.
  const [first, ...others] = named.length > 0 ? named : read;
  return others.length === 0 ? first : undefined;
}

/**
 * Returns how to compare the password in the Secret with that of the server. A container reads its variables when it
 * starts, so one that is restarted anyway needs no further restart.
 */
function compare({ it, container, values }: ExitCase, user: string): readonly NextCommand[] {
  const password = passwordOf(container);
  if (!password || user === '') return [];
  const all = { ...values, ...password, user };
  const path = password.key.replaceAll('.', String.raw`\.`);
  return [
    {
      why: textOf('runLoginCompare', all),
      command: it.kubectl(`get secret ${password.secret} -o jsonpath='{.data.${path}}' | base64 -d`),
    },
    { why: textOf('runLoginCorrect', all), command: it.kubectl(`edit secret ${password.secret}`) },
  ];
}

function credentials(exit: ExitCase, user: string, isWithout = false, isPassword = false): Recognized {
  const { it, container, values } = exit;
  const secrets = secretNames(container);
  const all = { ...values, user, secrets: secrets.join(', ') };
  const compared = isWithout || container.runningSince !== undefined ? [] : compare(exit, user);
  return {
    title: textOf('runLoginTitle', all),
    cause: [
      textOf(user === '' ? 'runLogin' : isPassword ? 'runLoginPassword' : 'runLoginUser', all),
      ...(isWithout ? [textOf('runNoPassword', all)] : []),
      ...(secrets.length > 0 ? [textOf('runLoginFrom', all)] : []),
    ],
    next: [
      ...(compared.length > 0
        ? compared
        : secrets.length > 0
          ? [
              {
                why: textOf(container.runningSince === undefined ? 'runLoginSecret' : 'runLoginSecretRestart', all),
                command: it.kubectl(`edit secret ${secrets[0]}`),
              },
            ]
          : [{ why: textOf('runLoginSecrets', all), command: it.kubectl('get secrets') }]),
      ...it.change(isWithout ? 'runNoPasswordFix' : 'runLoginFix', all),
    ],
    origin: 'configuration',
  };
}

/** The recognizers for credentials, then for data, RBAC and certificates. The first one that matches decides. */
export const credentialCauses: readonly Recognizer[] = [
  [
    /password authentication failed for user "?(?<user>[^"\s]+)"?|Access denied for user '(?<mysql>[^']+)'|Login failed for user '(?<mssql>[^']+)'/i,
    (exit, { user, mysql, mssql }, text) =>
      credentials(
        exit,
        user ?? mysql ?? mssql ?? '',
        /using password: NO|no password (?:supplied|was given)/i.test(text),
        /password authentication failed/i.test(text),
      ),
  ],
  [/(?<what>role "[^"]+" does not exist)/i, plain('runDatabase', 'configuration')],
  [
    /(?<method>GET|PUT|POST|HEAD) (?<url>https?:\/\/[^\s"']+)[\s\S]{0,200}?(?:Code:|status(?: code)?:?|HTTP\/[\d.]+|responded with|returned|=>|:) ?(?<code>40[13])\b/i,
    ({ it, container, values }, { url = '', code = '' }) => {
      const host = url.replace(/^\w+:\/\/(?:[^@/]*@)?/, '').split('/')[0] ?? '';
      const account = accountOf(it);
      const all = { ...values, url, code, host, account };
      const role =
        it.pod.metadata.annotations?.['vault.hashicorp.com/role'] ??
        container.spec.env?.find(({ name }) => /VAULT_(?:K8S_|KUBERNETES_)?(?:AUTH_)?ROLE/.test(name))?.value ??
        'ROLE';
      const login = vaultLook(it, url, role);
      const isAccount = /auth\/kubernetes|\/token|serviceaccount|oidc|jwt/i.test(url);
      return {
        title: textOf('runDeniedTitle', all),
        cause: [textOf('runDenied', all), ...(isAccount ? [textOf('runDeniedAccount', all)] : [])],
        next: [
          ...(login ? [login] : []),
          isAccount
            ? { why: textOf('runDeniedRole', all), command: it.kubectl(`get serviceaccount ${account} -o yaml`) }
            : { why: textOf('runLoginSecrets', all), command: it.kubectl('get secrets') },
          ...it.change(isAccount ? 'runDeniedAccountFix' : 'runLoginFix', all),
          { why: textOf('lookLogs', values), command: logsCommand(it, container) },
        ],
        origin: 'configuration',
        heals: true,
      };
    },
  ],
  [
    /WRONGPASS|NOAUTH|InvalidAccessKeyId|Access Key Id you provided does not exist|Unable to validate credentials|invalid username-password|Authentication failed|AuthenticationFailed|invalid credentials|SASL authentication|ACCESS_REFUSED|401 Unauthorized|InvalidAccessKeyId|SignatureDoesNotMatch/i,
    (exit) => credentials(exit, ''),
  ],
  [
    /(?<what>database "[^"]+" does not exist|Unknown database '[^']+'|relation "[^"]+" does not exist|no such table: \S+|Table '[^']+' doesn't exist)/i,
    plain('runDatabase', 'configuration'),
  ],
  [
    /(?<what>\S+ is forbidden: User "system:serviceaccount:[^"]+" cannot [^\n]+)/i,
    (exit, { what = '' }) => {
      const { it, values } = exit;
      const {
        account = '',
        verb = '',
        resource = '',
      } = /serviceaccount:(?<account>[^"]+)" cannot (?<verb>\w+) resource "(?<resource>[^"]+)"/.exec(what)?.groups ??
      {};
      const all = { ...values, what, account, verb, resource };
      const [space = it.namespace, name = 'default'] = account.split(':');
      const group = /API group "(?<group>[^"]*)"/.exec(what)?.groups?.['group'] ?? '';
      const isCluster = /at the cluster scope/.test(what);
      const target = /in the namespace "(?<target>[^"]+)"/.exec(what)?.groups?.['target'] ?? space;
      const role = `${name}-${resource}`.replaceAll('/', '-');
      // A program that gets objects with an informer also lists and watches them.
      const verbs = /^(?:get|list|watch)$/.test(verb) ? 'get,list,watch' : verb;
      const rule = `--verb=${verbs} --resource=${resource.split('/')[0]}${group === '' ? '' : `.${group}`}${
        resource.includes('/') ? `/${resource.split('/')[1]}` : ''
      }`;
      const scope = isCluster ? '' : ` -n ${target}`;
      return {
        title: textOf('runRbacTitle', all),
        cause: [textOf('runRbac', all)],
        next: [
          {
            why: textOf('runRbacCheck', all),
            command:
              `kubectl auth can-i ${verb} ${resource.split('/')[0]}${group === '' ? '' : `.${group}`} ` +
              `--as=system:serviceaccount:${space}:${name}${isCluster ? ' -A' : ` -n ${target}`}`,
          },
          {
            why: textOf('runRbacFix', all),
            command: `kubectl create ${isCluster ? 'clusterrole' : 'role'} ${role} ${rule}${scope}`,
          },
          {
            why: textOf('runRbacBind', all),
            command:
              `kubectl create ${isCluster ? 'clusterrolebinding' : 'rolebinding'} ${role} ` +
              `--${isCluster ? 'clusterrole' : 'role'}=${role} --serviceaccount=${space}:${name}${scope}`,
          },
        ],
        origin: 'configuration',
      };
    },
  ],
];

/** Returns the host of a repository: of `git@host:path`, `ssh://host` or `https://host`. */
const hostOf = (text: string): string =>
  /(?:git@|(?:ssh|https?|git):\/\/(?:[^@/\s]*@)?)(?<host>[\w.-]+\.\w+)/.exec(text)?.groups?.['host'] ?? '';

/** Returns the Secrets that the container mounts or reads variables from. */
function secretsOf({ it, container: { spec } }: ExitCase): readonly string[] {
  const mounted = (spec.volumeMounts ?? []).flatMap(
    ({ name }) => it.pod.spec.volumes?.find((each) => each.name === name)?.secret?.secretName ?? [],
  );
  const read = (spec.env ?? []).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []);
  return [...new Set([...mounted, ...read])];
}

const refused =
  (id: 'gitHost' | 'gitKey' | 'gitLogin', pattern: RegExp): Recognizer[1] =>
  (exit, _groups, text): Recognized => {
    const { it, container } = exit;
    const words = [text, ...(container.spec.env ?? []).map(({ value = '' }) => value), ...(container.spec.args ?? [])];
    const host = words.map(hostOf).find((each) => each !== '') ?? '';
    const [secret] = secretsOf(exit);
    const all = { ...exit.values, what: lineOf(text, pattern), host: host || 'HOST', secret: secret ?? '' };
    return {
      title: textOf(`${id}Title`, all),
      cause: [textOf(id, all), ...(secret === undefined ? [] : [textOf('runLoginFrom', { ...all, secrets: secret })])],
      next: [
        ...(id === 'gitHost'
          ? [{ why: textOf('gitScan', all), command: `ssh-keyscan ${all.host} > known_hosts` }]
          : []),
        secret === undefined
          ? { why: textOf('runLoginSecrets', all), command: it.kubectl('get secrets') }
          : { why: textOf(`${id}Secret`, all), command: it.kubectl(`edit secret ${secret}`) },
        ...(secret === undefined ? it.change(`${id}Fix`, all) : []),
        logs(exit),
      ],
      origin: 'configuration',
    };
  };

const hostKey =
  /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED|knownhosts: key (?:is unknown|mismatch)|no hostkey alg/i;
const publicKey =
  /Permission denied \((?:[\w,-]*)publickey|no supported methods remain|Load key [^\n]*(?:invalid format|error in libcrypto)/i;
const login =
  /could not read (?:Username|Password) for|Authentication failed for 'https?:|terminal prompts disabled|remote: (?:HTTP Basic: Access denied|Invalid username or (?:password|token)|Repository not found)/i;

/** The recognizers of refused connections to Git and SSH servers. */
export const gitFailures: readonly Recognizer[] = [
  [hostKey, refused('gitHost', hostKey)],
  [publicKey, refused('gitKey', publicKey)],
  [login, refused('gitLogin', login)],
];
