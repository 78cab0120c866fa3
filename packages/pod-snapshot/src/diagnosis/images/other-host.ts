/**
 * Explains pulls that fail at another host than the registry: a registry refers to other hosts for tokens, and
 * redirects to other hosts for the layers.
 */
import { textOf } from '@podscope/trace/explain';
import type { PodCase } from '../pod-case.ts';
import { onNode } from '../runtime.ts';
import type { Explained } from './credentials.ts';

/** Returns the host of the failed request in a message, if it isn't the registry itself; else undefined. */
export function otherHost(registry: string, message: string): string | undefined {
  const host = [...message.matchAll(/(?:Get|Head|Post|GET|HEAD|from|to) "?https?:\/\/(?<host>[\w.-]+(?::\d+)?)\//g)].at(
    -1,
  )?.groups?.['host'];
  // The URL of the image's own repository is replaced by `URL` before the message is read.
  if (host === undefined || host === registry || host.endsWith('URL') || /^(?:localhost|127\.)/.test(host))
    return undefined;
  return registry === 'docker.io' && /^(?:registry-1|index)\.docker\.io$/.test(host) ? undefined : host;
}

type Values = Readonly<Record<string, string>> & { readonly host: string };

/** Explains a host that the node can't reach. */
export const otherHostUnreachable = (it: PodCase, values: Values): Explained => ({
  title: textOf('imgOtherTitle', values),
  cause: [textOf('imgOther', values)],
  next: [
    { why: textOf('imgOtherTry', values), command: onNode(it, `curl -vI https://${values.host}/`) },
    ...it.change('imgOtherFix', values),
  ],
  origin: 'network',
});

/** Explains a host that answers the request for a layer with 403. */
export const otherHostRefuses = (it: PodCase, values: Values): Explained => ({
  title: textOf('imgOtherRefusesTitle', values),
  cause: [textOf('imgOtherRefuses', values)],
  next: [
    { why: textOf('imgOtherTry', values), command: onNode(it, `curl -vI https://${values.host}/`) },
    { why: textOf('imgOtherClock', values), command: onNode(it, 'timedatectl') },
  ],
  origin: 'network',
  certainty: 'likely',
});
