/** Diagnoses shares of Windows, Samba and Azure Files that can't be mounted. Upstream: mount.cifs, the CSI drivers. */
import { textOf } from '@podscope/trace/explain';
import { factsOf, type PodCase } from '../pod-case.ts';
import { onNode } from '../runtime.ts';
import { type Explained, volumeOf } from './volume-case.ts';

/** Explains the error of a mount over SMB by its number. */
export function smbMount(it: PodCase, message: string, { groups }: RegExpExecArray): Explained | undefined {
  const code = Number(groups?.['code'] ?? 0);
  const { path, volume, claim } = volumeOf(it, message);
  const share = /mount (?<share>\/\/[^\s]+?) on|(?<unc>\/\/[\w.-]+\/[\w.$/-]+)/.exec(message)?.groups;
  const source = share?.['share'] ?? share?.['unc'] ?? claim ?? '';
  const server = /^\/\/(?<server>[^/]+)/.exec(source)?.groups?.['server'] ?? 'SERVER';
  const isAzure = /file\.core\.windows\.net|file\.csi\.azure/.test(message);
  const values = {
    share: source,
    server,
    node: it.node,
    said: `mount error(${code}): ${groups?.['said'] ?? ''}`.trim(),
  };
  const base = { origin: 'storage', facts: factsOf([path, volume?.name]) } as const;
  if (code === 13)
    return {
      ...base,
      title: textOf('smbDeniedTitle', values),
      cause: [textOf(isAzure ? 'smbDeniedAzure' : 'smbDenied', values)],
      next: isAzure
        ? [
            { why: textOf('smbAzureKey'), command: 'az storage account keys list --account-name ACCOUNT -o table' },
            {
              why: textOf('smbAzureSecret', values),
              command: it.kubectl('get secrets -o name') + " | grep 'azure-storage-account'",
            },
            {
              why: textOf('smbAzureRules'),
              command:
                'az storage account show --name ACCOUNT ' +
                "--query '{rules:networkRuleSet,keys:allowSharedKeyAccess,public:publicNetworkAccess}'",
            },
          ]
        : [
            { why: textOf('smbSecret', values), command: it.kubectl('get secrets') },
            ...(claim === undefined
              ? []
              : [{ why: textOf('smbSecretName'), command: `kubectl get pv -o yaml | grep -A 3 -i SecretRef` }]),
          ],
    };
  if (code === 2)
    return {
      ...base,
      title: textOf('smbGoneTitle', values),
      cause: [textOf('smbGone', values)],
      next: [
        ...(claim === undefined
          ? []
          : [{ why: textOf('claimDescribe', { claim }), command: it.kubectl(`describe pvc ${claim}`) }]),
        ...it.change('smbGoneFix', values),
      ],
    };
  if ([110, 111, 112, 113, 115].includes(code))
    return {
      ...base,
      origin: 'network',
      title: textOf('smbDownTitle', values),
      cause: [textOf('smbDown', values)],
      next: [{ why: textOf('smbReach', values), command: onNode(it, `nc -zv ${server} 445`) }],
    };
  return undefined;
}
