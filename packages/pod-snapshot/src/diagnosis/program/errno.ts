/** Recognizes failures by system errors that have one usual cause in a pod, in the words of any program. */
import { textOf } from '@podscope/trace/explain';
import { onNode } from '../runtime.ts';
import { dataPlace, pathsIn } from './places.ts';
import { type ExitCase, firstLineOf, logs, type Recognized, type Recognizer } from './recognizer.ts';

function storage(id: 'runStale' | 'runIo', pattern: RegExp): Recognizer {
  return [
    pattern,
    (exit, _groups, text): Recognized => {
      const place = dataPlace(exit, text);
      const all = {
        ...exit.values,
        what: firstLineOf(text, pattern),
        volume: place?.volume ?? '',
        claim: place?.claim ?? '',
      };
      return {
        title: textOf(`${id}Title`, all),
        cause: [textOf(id, all), ...(place?.claim === undefined ? [] : [textOf('runDataIn', all)])],
        next: [
          { why: textOf('badFsLook', all), command: onNode(exit.it, "sh -c 'dmesg | tail -50; lsblk -f'") },
          ...(place?.claim === undefined
            ? []
            : [{ why: textOf('claimDescribe', all), command: exit.it.kubectl(`describe pvc ${place.claim}`) }]),
          ...(id === 'runStale' && exit.it.owner.replaces
            ? [{ why: textOf('runStaleNew', all), command: exit.it.kubectl(`delete pod ${exit.it.name}`) }]
            : []),
          logs(exit),
        ],
        origin: 'storage',
      };
    },
  ];
}

const simple =
  (id: 'runLinks' | 'runLinksLong' | 'runBind' | 'runFamily', pattern: RegExp): Recognizer[1] =>
  ({ it, values }: ExitCase, groups, text) => {
    const all = { ...values, what: firstLineOf(text, pattern), name: groups['name'] ?? '' };
    return {
      title: textOf(`${id}Title`, all),
      cause: [textOf(id, all)],
      next: it.change(`${id}Fix`, all),
      origin: 'configuration',
    };
  };

const links = /(?:pars|convert|invalid|int|number|port|NumberFormat)[^\n]*"?tcp:\/\/[\d.]+:\d+/i;
const long = /argument list too long|E2BIG/i;
const bind = /cannot assign requested address|EADDRNOTAVAIL|can't assign requested address/i;
const family = /address family not supported|EAFNOSUPPORT/i;
const directory = /EISDIR|[Ii]s a directory/;

/** The recognizers. The first one that matches decides. */
export const errnoFailures: readonly Recognizer[] = [
  storage('runStale', /stale (?:NFS )?file handle|ESTALE/i),
  storage('runIo', /input\/output error|\bEIO\b/i),
  [links, simple('runLinks', links)],
  [long, simple('runLinksLong', long)],
  [bind, simple('runBind', bind)],
  [family, simple('runFamily', family)],
  [
    directory,
    (exit, _groups, text) => {
      const line = firstLineOf(text, directory);
      const [path = ''] = pathsIn(line);
      const mount = exit.container.spec.volumeMounts?.find(
        ({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`),
      );
      const all = { ...exit.values, what: line, path, volume: mount?.name ?? '' };
      if (path === '') return undefined;
      return {
        title: textOf('runDirectoryTitle', all),
        cause: [textOf('runDirectory', all), ...(mount ? [textOf('runDirectoryMount', all)] : [])],
        next: exit.it.change(mount ? 'runDirectoryMountFix' : 'runFileFix', all),
        origin: 'configuration',
      };
    },
  ],
];
