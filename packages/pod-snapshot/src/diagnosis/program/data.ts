/**
 * Recognizes programs that ended because of their data (locked, of another program, partly migrated, not empty),
 * because the cluster lacks a kind of object, or because they lack rights in a cloud.
 */
import { textOf } from '@podscope/trace/explain';
import { accountLook, accountOf, roleRemedies } from '../cloud-rights.ts';
import { onNode } from '../runtime.ts';
import { dataPlace } from './places.ts';
import { type ExitCase, firstLineOf, logs, plain, type Recognized, type Recognizer, rollBack } from './recognizer.ts';

/**
 * Returns a recognizer that uses the texts `<id>Title`, `<id>` and `<id>Fix`. The matching line is their value `what`.
 */
const quoting =
  (id: 'runForeign' | 'runMigration' | 'runDataDir' | 'runLocked', pattern: RegExp): Recognizer[1] =>
  (exit, _groups, text): Recognized => {
    const { it, container, values } = exit;
    const mount = container.spec.volumeMounts?.find(({ mountPath }) => text.includes(mountPath));
    const all = {
      ...values,
      what: firstLineOf(text, pattern),
      volume: mount?.name ?? '',
      path: mount?.mountPath ?? '',
    };
    // Scripts in a ConfigMap are corrected there; the image doesn't contain them.
    const scripts = id === 'runMigration' ? scriptsOf(exit) : undefined;
    if (scripts !== undefined)
      return {
        title: textOf('runMigrationTitle', all),
        cause: [textOf('runMigration', all)],
        next: [
          {
            why: textOf('runMigrationMap', { ...all, name: scripts }),
            command: it.kubectl(`edit configmap ${scripts}`),
          },
          ...it.change('runMigrationRepair', all),
        ],
        origin: 'configuration',
      };
    return {
      title: textOf(`${id}Title`, all),
      cause: [textOf(id, all)],
      next: [...(id === 'runMigration' ? rollBack(exit) : [logs(exit)]), ...it.change(`${id}Fix`, all)],
      origin: 'configuration',
    };
  };

/** Returns the ConfigMap that contains the container's migration scripts; undefined if the image contains them. */
function scriptsOf({ it, container: { spec } }: ExitCase): string | undefined {
  const mount = spec.volumeMounts?.find(({ mountPath }) =>
    /sql|migrat|flyway|liquibase|changelog|schema/i.test(mountPath),
  );
  return it.pod.spec.volumes?.find(({ name }) => name === mount?.name)?.configMap?.name;
}

/** Explains that a member of an etcd cluster has lost its data. The commands run in another pod of the StatefulSet. */
function emptyMember(exit: ExitCase, member: string): Recognized {
  const { it, container, values } = exit;
  const [, set = it.name, ordinal = '0'] = /^(.*)-(\d+)$/.exec(it.name) ?? [];
  const peer = `${set}-${ordinal === '0' ? 1 : 0}`;
  const etcdctl = (words: string): string => it.kubectl(`exec ${peer} -c ${container.name} -- etcdctl ${words}`);
  const all = { ...values, member };
  return {
    title: textOf('runMemberTitle', all),
    cause: [textOf('runMember', all)],
    next: [
      { why: textOf('runMemberRemove', all), command: etcdctl(`member remove ${member}`) },
      { why: textOf('runMemberAdd', all), command: etcdctl(`member add ${it.name} --peer-urls=PEER_URL`) },
      ...it.change('runMemberFix', all),
    ],
    origin: 'storage',
  };
}

/** Explains that AWS denies a role an action on a resource, in the words of its IAM. */
function roleDenied({ it, values }: ExitCase, groups: Readonly<Record<string, string | undefined>>): Recognized {
  const { role = '', session = '', action = '', object = '' } = groups;
  // The session of a node's role has the id of the instance as its name.
  const isNode = /^i-[\da-f]+$/.test(session);
  const all = { ...values, role, action, object, account: accountOf(it) };
  return {
    title: textOf('runCloudTitle', all),
    cause: [textOf('runRole', all), ...(isNode ? [textOf('runRoleNode', all)] : [])],
    next: roleRemedies(it, values['container'] ?? '', { role, action, object }, isNode),
    origin: 'configuration',
  };
}

/** The predefined roles of Google Cloud that contain a permission, by the beginning of its name. */
const googleRoles: Readonly<Record<string, string>> = {
  'cloudsql.instances.': 'roles/cloudsql.client',
  'storage.objects.get': 'roles/storage.objectViewer',
  'storage.objects.list': 'roles/storage.objectViewer',
  'storage.objects.': 'roles/storage.objectUser',
  'secretmanager.versions.': 'roles/secretmanager.secretAccessor',
  'pubsub.topics.publish': 'roles/pubsub.publisher',
  'pubsub.subscriptions.': 'roles/pubsub.subscriber',
  'bigquery.jobs.': 'roles/bigquery.jobUser',
  'bigquery.tables.': 'roles/bigquery.dataViewer',
  'cloudkms.cryptoKeyVersions.': 'roles/cloudkms.cryptoKeyEncrypterDecrypter',
  'datastore.': 'roles/datastore.user',
};

/** Explains that Google Cloud denies a permission; undefined for an action whose role isn't known. */
function googleDenied({ it, values }: ExitCase, action: string, text: string): Recognized | undefined {
  const role = Object.entries(googleRoles).find(([start]) => action.startsWith(start))?.[1];
  if (role === undefined) return undefined;
  const project =
    /(?:projects\/|connection name = "|instances?[ =:"]+)(?<project>[a-z][\w-]{4,})[/:]/.exec(text)?.groups?.[
      'project'
    ] ?? 'PROJECT';
  const all = { ...values, action, role, account: accountOf(it) };
  return {
    title: textOf('runCloudTitle', all),
    cause: [textOf('runCloud', all)],
    next: [
      {
        why: textOf('runCloudGoogle', all),
        command:
          `gcloud projects add-iam-policy-binding ${project} --role=${role} ` +
          '--member=serviceAccount:GOOGLE_SERVICE_ACCOUNT',
      },
      accountLook(it),
    ],
    origin: 'configuration',
    heals: true,
  };
}

function cloudDenied(exit: ExitCase, action: string, text = ''): Recognized {
  const known = googleDenied(exit, action, text);
  if (known) return known;
  const { it, values } = exit;
  const all = { ...values, action, account: accountOf(it) };
  return {
    title: textOf('runCloudTitle', all),
    cause: [textOf('runCloud', all)],
    next: [accountLook(it), ...it.change('runCloudFix', all)],
    origin: 'configuration',
  };
}

const locked =
  /(?:lock(?:ing)? (?:DB |data |the )?(?:directory|file)|LOCK|flock|lock file)[^\n]*(?:temporarily unavailable|already|held|in use|locked)|is (?:already )?locked by|being used by another process|another (?:instance|process|node)[^\n]*(?:is )?(?:running|using|holds)|Unable to lock/i;
/** The words of a lock that a running process holds; the kernel releases it when the process ends. */
const held = /[Ll]ock[^\n]*(?:[Rr]esource temporarily unavailable|EAGAIN|EWOULDBLOCK|Unable to lock)/;

/** Explains a lock that another running process holds. In a rolling update that is the pod of the revision before. */
function heldLock(exit: ExitCase, text: string): Recognized {
  const { it, values } = exit;
  const claim = dataPlace(exit, text)?.claim;
  const isRolling = it.owner.kind === 'Deployment';
  const all = { ...values, what: firstLineOf(text, held), owner: it.owner.label, claim: claim ?? '' };
  return {
    title: textOf('runLockedTitle', all),
    cause: [textOf('runLockedHeld', all), ...(isRolling ? [textOf('runLockedRolling', all)] : [])],
    next: [
      ...(isRolling ? it.change('runLockedRecreate', all) : []),
      claim === undefined
        ? { why: textOf('runLockedPods', all), command: it.kubectl('get pods -o wide') }
        : { why: textOf('runLockedClaim', all), command: it.kubectl(`describe pvc ${claim}`) },
      ...(isRolling
        ? [{ why: textOf('runLockedOld', all), command: it.kubectl('delete pod POD') }]
        : it.change('runLockedOwn', all)),
    ],
    origin: 'configuration',
  };
}
const foreign =
  /(?:(?:cluster|node|server|system|instance|tenant)[ ._-]?(?:id|uuid|identifier))[^\n]*(?:mismatch|expected|differ|doesn't match|does not match|but (?:read|got|found|have))|(?:mismatch|invalid|wrong|unexpected)[^\n]{0,20}(?:cluster|node|server|system)[ ._-]?(?:id|uuid)/i;
const migration =
  /(?:flyway|liquibase|migration|changeset|changelog|schema_history|databasechangelog)[\s\S]{0,200}checksum mismatch|checksum mismatch[\s\S]{0,200}(?:flyway|liquibase|migration|changeset|changelog)|migrations? [^\n]*(?:failed|mismatch|validation)|Dirty database version|Can't locate revision|Detected (?:failed|applied) migration|inconsistent migration history|pending migrations?/i;
const dataDirectory =
  /data ?dir(?:ectory)?[^\n]*(?:has files|not empty|isn't empty|exists but|unusable)|exists but is not empty|directory [^\n]*is not empty/i;

/** The recognizers. The first one that matches decides. */
export const dataCauses: readonly Recognizer[] = [
  [
    /(?:change ?log|migrations?) lock|lock (?:to run|for) (?:the )?migrations?|migrations?(?: table)? is (?:already )?locked/i,
    (exit, _groups, text) => {
      const holder = /locked by (?<holder>[\w.-]+(?: \([\w.:-]+\))?(?: since [^\n]+)?)/i.exec(text)?.groups?.['holder'];
      const pod = holder?.split(' ')[0] ?? '';
      const unlock = /['"`](?<unlock>[^'"`\n]*(?:unlock|release)[^'"`\n]*)['"`]/i.exec(text)?.groups?.['unlock'];
      const all = { ...exit.values, holder: (holder ?? '').replace(/\.$/, '') };
      return {
        title: textOf('runChangelogTitle', exit.values),
        cause: [textOf('runChangelog', exit.values), ...(holder === undefined ? [] : [textOf('runLockHolder', all)])],
        next: [
          holder === undefined
            ? { why: textOf('runChangelogPods', exit.values), command: exit.it.kubectl('get pods -o wide') }
            : {
                why: textOf('runLockHolderLook', { ...all, holder: pod }),
                command: exit.it.kubectl(`get pods -o wide | grep -E 'NAME|${pod}'`),
              },
          ...exit.it.change(unlock === undefined ? 'runChangelogFix' : 'runChangelogUnlock', {
            ...all,
            unlock: unlock ?? '',
          }),
        ],
        origin: 'program',
        heals: true,
      };
    },
  ],
  [
    locked,
    (exit, groups, text) => (held.test(text) ? heldLock(exit, text) : quoting('runLocked', locked)(exit, groups, text)),
  ],
  [/member (?<member>[\w-]+) has already been bootstrapped/i, (exit, { member = '' }) => emptyMember(exit, member)],
  [foreign, quoting('runForeign', foreign)],
  [
    /(?:P3009|failed migrations in the target database)[\s\S]*?`(?<prisma>\w+)` migration[^\n]*failed|Dirty database version (?<dirty>\d+)|Detected failed migration to version (?<flyway>[\w.]+)/,
    (exit, { prisma, dirty, flyway }) => {
      const migration = prisma ?? dirty ?? flyway ?? '';
      const tool =
        prisma !== undefined
          ? `prisma migrate resolve --rolled-back ${migration}`
          : dirty !== undefined
            ? `migrate force ${Number(dirty) - 1}`
            : 'flyway repair';
      const all = { ...exit.values, migration, tool };
      return {
        title: textOf('runStuckTitle', all),
        cause: [textOf('runStuck', all)],
        next: [...exit.it.change('runStuckFix', all), logs(exit)],
        origin: 'configuration',
      };
    },
  ],
  [
    /duplicate key value violates unique constraint \\?"(?<key>[^"\\]+)|Duplicate entry (?<entry>'[^']*' for key '[^']+')|UNIQUE constraint failed: (?<column>[\w.]+)|E11000 duplicate key error collection: (?<set>[\w.-]+)/,
    (exit, { key, entry, column, set }, text) => {
      const row = /Key (?<row>\([^)]+\)=\([^)]+\)) already exists/.exec(text)?.groups?.['row'];
      const all = { ...exit.values, what: [key ?? entry ?? column ?? set ?? '', ...(row ? [row] : [])].join(', ') };
      return {
        title: textOf('runDuplicateTitle', all),
        cause: [textOf('runDuplicate', all)],
        next: [...exit.it.change('runDuplicateFix', all), logs(exit)],
        origin: 'program',
      };
    },
  ],
  [migration, quoting('runMigration', /mismatch|dirty|revision|migration version|pending|inconsistent/i)],
  [dataDirectory, quoting('runDataDir', dataDirectory)],
  [
    /CustomResourceDefinition\.apiextensions\.k8s\.io \\?"(?<crd>[\w.-]+)\\?" not found|no matches for kind \\?"(?<kind>\w+)\\?" in (?:version|group) \\?"(?<version>[\w./-]+)|could not find the requested resource \((?:get|list|watch) (?<resource>[\w.]+)\)|no kind "(?<other>\w+)" is registered for version "(?<group>[^"]+)"/i,
    ({ it, values }, { crd, kind, version, resource, other, group }) => {
      const all = {
        ...values,
        kind: kind ?? other ?? resource ?? crd?.split('.')[0] ?? '',
        version: version ?? group ?? crd?.replace(/^\w+\./, '') ?? '',
      };
      return {
        title: textOf('runCrdTitle', all),
        cause: [textOf('runCrd', all)],
        next: [
          {
            why: textOf('runCrdLook', all),
            command: `kubectl get crd | grep -i '${(all.version.split('/')[0] ?? '') || all.kind}'`,
          },
          { why: textOf('runCrdInstall', all), command: `kubectl apply --server-side -f CRDS.yaml` },
          ...it.change('runVersionFix', all),
        ],
        origin: 'configuration',
        heals: true,
      };
    },
  ],
  [
    /assumed-role\/(?<role>[\w+=,.@-]+)\/(?<session>[\w+=,.@-]+) is not authorized to perform: (?<action>[\w-]+:\w+)(?: on resource: "?(?<object>[^\s"]+))?/,
    roleDenied,
  ],
  [
    /\(AccessDenied\w*\) when calling the (?<call>\w+)/,
    (exit, { call = '' }) => cloudDenied(exit, `${call} (AccessDenied)`),
  ],
  [
    /is not authorized to perform:? (?<action>[\w:*-]+)/,
    (exit, { action = '' }) => cloudDenied(exit, action.replace(/:$/, '')),
  ],
  [
    /AccessDenied(?:Exception)?\b[^\n]*?(?:calling the (?<call>\w+))?|AuthorizationFailed[^\n]*?action '(?<azure>[^']+)'|does not have (?<vault>secrets \w+ permission on key vault '[\w-]+)|does not have (?<google>[\w.]+) (?:access|permission)|Permission '(?<permission>[\w.]+)' denied|(?:missing|lacks?|requires?|needs?) (?:the )?permission:? [`'"]?(?<lacked>[a-z]\w*\.[\w.]*\w)/,
    (exit, { call, azure, vault, google, permission, lacked }, text) =>
      cloudDenied(
        exit,
        azure ??
          vault?.replace(" permission on key vault '", ' on key vault ') ??
          google ??
          permission ??
          lacked ??
          call ??
          'AccessDenied',
        text,
      ),
  ],
  [
    /lookup (?<host>[\w.-]+) on (?<server>[\d.]+)(?::53)?: [^\n]*(?:i\/o timeout|connection refused|no route to host)|(?:connection timed out; no servers could be reached|DNS (?:request|query) timed out)/i,
    ({ it, values }, { host = '', server = '' }) => {
      const all = { ...values, host, server };
      return {
        title: textOf('runDnsDownTitle', all),
        cause: [textOf('runDnsDown', all)],
        next: [
          { why: textOf('runDnsPods', all), command: 'kubectl -n kube-system get pods -l k8s-app=kube-dns -o wide' },
          { why: textOf('runDnsPolicies', all), command: it.kubectl('get networkpolicies') },
          {
            why: textOf('runDnsNode', all),
            command:
              `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | ` +
              "grep -iE 'kube-proxy|cni|calico|cilium'",
          },
        ],
        origin: 'network',
        heals: true,
      };
    },
  ],
  [
    /current time (?<now>[\dTZ:.+-]+) is before/,
    ({ it, values }, { now = '' }) => ({
      title: textOf('clockTitle', values),
      cause: [textOf('clock', { ...values, now })],
      next: [
        {
          why: textOf('clockFix', values),
          command: onNode(it, 'timedatectl'),
        },
      ],
      origin: 'node',
    }),
  ],
  [
    /Missing [`'"](?<missing>[\w.:-]+)['"`]|(?:Parameter|argument|parameter name:) ['"`]?(?<parameter>connectionString|[\w]*(?:[Uu]rl|[Uu]ri|[Hh]ost|[Kk]ey|[Tt]oken|[Ss]ecret|[Pp]assword|[Ss]tring))['"`]?\)?|(?:setting|property|option|config(?:uration)? (?:key|value)) ['"`](?<setting>[\w.:-]+)['"`] (?:is |was )?(?:not (?:set|found|configured|defined)|missing|required)|[`'"](?<required>[\w.:-]+)['"`] (?:is required|must be (?:set|configured|specified|provided)|is not (?:set|configured))/,
    (exit, { missing, parameter, setting, required }) => {
      const name = missing ?? parameter ?? setting ?? required ?? '';
      const all = { ...exit.values, name };
      return {
        title: textOf('runSettingTitle', all),
        cause: [textOf('runSetting', all)],
        next: [
          ...exit.it.change('runSettingFix', all),
          { why: textOf('runEnvSecret', all), command: exit.it.kubectl('get secrets,configmaps') },
        ],
        origin: 'configuration',
      };
    },
  ],
  [/memory locking requested|mlock(?:all)?[^\n]*(?:failed|cannot)|memlock/i, plain('runMemlock', 'configuration')],
];
