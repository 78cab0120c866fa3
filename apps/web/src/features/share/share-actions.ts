/** Lists the share actions: link, file, export, image. */

import { errorMessage } from '@podscope/base';
import { copyText } from '../../base/clipboard.ts';
import type { Message } from '../../base/i18n/define-messages.ts';
import { translate } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { isStaticSite } from '../../base/static-site.ts';
import { isPageSource, type SharedTime, shareAddress } from '../../node/address/address.ts';
import type { SaveFormat } from '../../node/files/save-run.ts';
import type { NodeSession } from '../../node/run/node-session.ts';
import { isElsewhere } from '../../node/run/open-node.ts';
import { timelinePicture } from '../timeline/index.ts';
import { shareMessages } from './messages.en.ts';

/** Wraps an action: shows the text that the action returns, or its error. */
const attempt =
  (action: (session: NodeSession) => Promise<string>) =>
  async (session: NodeSession): Promise<void> => {
    try {
      notify('success', await action(session));
    } catch (error) {
      notify('error', errorMessage(error));
    }
  };

const save = (format: SaveFormat) =>
  attempt(async (session) => {
    const { download, runAsFile } = await import('../../node/files/save-run.ts');
    const { blob, name } = await runAsFile(session, format);
    download(blob, name);
    return translate(shareMessages.saved, { name });
  });

const pictureName = 'podscope-timeline.png';

/**
 * Returns the time of the page's own run. Returns undefined for a server, whose time all users share, and for a
 * recording.
 */
function sharedTime({ run, connection: { node } }: NodeSession): SharedTime | undefined {
  if (!isPageSource || isElsewhere() || !run.runTime || !node) return undefined;
  const { speed, paused } = run.runTime;
  return { speed, paused, elapsed: (run.liveNow() - node.startedAt) / 1_000 };
}

/** Returns the link to this view. `left` is true if the breakpoints don't fit into the link. */
function linkToView(session: NodeSession): {
  readonly link: URL;
  readonly breakpoints: number;
  readonly left: boolean;
} {
  const { state } = session.debug;
  const { link, count } = shareAddress(state, sharedTime(session));
  const set = state ? state.breakpoints.length + state.filters.length : 0;
  return { link, breakpoints: count, left: count === 0 && set > 0 };
}

/**
 * Copies text.
 * @throws Error with a readable message if the browser refuses
 */
const copy = (text: string): Promise<void> =>
  copyText(text).catch((error: unknown) => {
    throw new Error(translate(shareMessages.noClipboard), { cause: error });
  });

function embedCode(session: NodeSession): string {
  const { link } = linkToView(session);
  link.searchParams.set('embed', '');
  const address = link.href.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replace('embed=', 'embed');
  return (
    `<iframe src="${address}" width="100%" height="560" style="border: 0" title="Podscope" ` +
    'allow="clipboard-write"></iframe>'
  );
}

interface ShareAction {
  readonly id: keyof typeof shareMessages;
  readonly title: Message;
  readonly run: (session: NodeSession) => Promise<void>;
}

const copyLink = attempt(async (session) => {
  const { link, breakpoints, left } = linkToView(session);
  await copy(link.href);
  if (left) return translate(shareMessages.linkCopiedWithout);
  return breakpoints > 0
    ? translate(shareMessages.linkCopiedWith, { count: breakpoints })
    : translate(shareMessages.linkCopied);
});

const embed: ShareAction = {
  id: 'embed',
  title: shareMessages.embed,
  run: attempt(async (session) => {
    await copy(embedCode(session));
    return translate(shareMessages.embedCopied);
  }),
};

/** The actions in menu order. Only the static site can be embedded, because a server forbids framing. */
export const shareActions: readonly ShareAction[] = [
  { id: 'link', title: shareMessages.link, run: copyLink },
  ...(isStaticSite ? [embed] : []),
  { id: 'file', title: shareMessages.file, run: save('file') },
  { id: 'perfetto', title: shareMessages.perfetto, run: save('perfetto') },
  { id: 'otlp', title: shareMessages.otlp, run: save('otlp') },
  {
    id: 'picture',
    title: shareMessages.picture,
    run: attempt(async () => {
      const { download } = await import('../../node/files/save-run.ts');
      download(await timelinePicture(), pictureName);
      return translate(shareMessages.saved, { name: pictureName });
    }),
  },
  {
    id: 'copyPicture',
    title: shareMessages.copyPicture,
    run: attempt(async () => {
      // Without the clipboard API, a picture can't be copied.
      if (!('clipboard' in navigator)) throw new Error(translate(shareMessages.noClipboard));
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': timelinePicture() })]);
      return translate(shareMessages.pictureCopied);
    }),
  },
];
