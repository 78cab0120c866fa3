/** Recognizes programs whose version doesn't fit their data, their platform or the pod's mesh. */
import { textOf } from '@podscope/trace/explain';
import { type Recognizer, rollBack } from './recognizer.ts';

const incompatible =
  /UnsupportedClassVersionError|incompatible with (?:server|this version)|not compatible with this version|initialized by \S+ version|requires (?:at least )?(?:version|Node|Python|Java|go) ?v?\d|unsupported (?:version|database file|data format|file version)|(?:version|format)[^\n]{0,40}(?:is )?(?:too (?:old|new)|not supported|mismatch|incompatible)|upgrad\w+ from [^\n]*not supported|cannot (?:be )?downgrade|downgrade[^\n]*not (?:supported|allowed)|newer than (?:this|the) (?:binary|version|server)|invalid featureCompatibilityVersion|Wrong (?:mongod )?version/i;

/** Returns the lines that name the versions, cut to a limited length. */
function linesOf(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /version|incompatib|downgrade|not supported|too (?:old|new)/i.test(line));
  const said = lines.slice(0, 3).join(' ');
  return said.length > 400 ? `${said.slice(0, 399)}…` : said;
}

/** Returns the version that made the data; undefined if none is named. */
const dataVersion = (text: string): string | undefined =>
  /(?:initialized|created|built|written) by (?:\w+ )?version (?<data>\d+(?:\.\d+)*)/i.exec(text)?.groups?.['data'];

/** Returns the version of the server or data to which a client or program must fit; undefined if none is named. */
const neededVersion = (text: string): string | undefined =>
  /server version:? (?<server>\d+(?:\.\d+)*)/i.exec(text)?.groups?.['server'] ?? dataVersion(text);

/** The recognizers. The first one that matches decides. */
export const versionCauses: readonly Recognizer[] = [
  [
    incompatible,
    (exit, _groups, text) => {
      const all = { ...exit.values, what: linesOf(text) };
      const needed = neededVersion(text);
      const made = dataVersion(text);
      const image = exit.container.spec.image ?? '';
      // The official image has a tag for each major version.
      const official =
        made === undefined || exit.container.role !== 'main'
          ? undefined
          : /^(?<name>(?:docker\.io\/)?(?:library\/)?postgres):\d[\d.]*(?<variant>-alpine)?$/.exec(image)?.groups;
      return {
        title: textOf('runVersionTitle', all),
        cause: [
          textOf('runVersion', all),
          ...(made === undefined ? [] : [textOf('runVersionData', { ...all, version: made, image })]),
        ],
        next:
          needed === undefined
            ? [...rollBack(exit), ...exit.it.change('runVersionFix', all)]
            : [
                ...(official === undefined
                  ? exit.it.change('runVersionNeeds', { ...all, version: needed })
                  : exit.it.set(
                      'runVersionNeeds',
                      { ...all, version: needed },
                      (ref) =>
                        `image ${ref} ${exit.container.name}=${official['name']}:${needed}${official['variant'] ?? ''}`,
                    )),
                ...(made !== undefined && /PostgreSQL/.test(text)
                  ? [
                      {
                        why: textOf('runVersionMigrate', { ...all, version: made }),
                        command: exit.it.kubectl(
                          `exec ${exit.it.name} -c ${exit.container.name} -- ` +
                            `sh -c 'pg_dumpall -U "\${POSTGRES_USER:-postgres}"' > all.sql`,
                        ),
                      },
                    ]
                  : []),
              ],
        origin: 'configuration',
      };
    },
  ],
  [
    /iptables validation failed|workload is not ready for Istio|iptables rules (?:are )?(?:not found|missing)/i,
    ({ it, values }) => ({
      title: textOf('meshRulesTitle', values),
      cause: [textOf('meshRules', values)],
      next: [
        {
          why: textOf('meshRulesCni', values),
          command: `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | grep cni`,
        },
        ...(it.owner.replaces
          ? [{ why: textOf('meshRulesNew', values), command: it.kubectl(`delete pod ${it.name}`) }]
          : []),
      ],
      origin: 'node',
    }),
  ],
];
