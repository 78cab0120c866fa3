/** What can be taken away from here: the link to this view, the run as a file, a picture of the timeline. */
import type { SaveFormat } from '../files/save-run.ts';
import type { Message } from '../i18n/define-messages.ts';
import { translate } from '../i18n/i18n.ts';
import type { NodeSession } from '../run/node-session.ts';
import { notify } from '../state/interface.ts';
import { shareMessages } from './messages.en.ts';

/** Says what was done, or why it could not be. */
const attempt =
  (action: (session: NodeSession) => Promise<string>) =>
  async (session: NodeSession): Promise<void> => {
    try {
      notify('success', await action(session));
    } catch (error) {
      notify('error', error instanceof Error ? error.message : String(error));
    }
  };

const save = (format: SaveFormat) =>
  attempt(async (session) => {
    const { download, runAsFile } = await import('../files/save-run.ts');
    const { blob, name } = await runAsFile(session, format);
    download(blob, name);
    return translate(shareMessages.saved, { name });
  });

const pictureName = 'podscope-timeline.png';

async function picture(): Promise<Blob> {
  const { timelinePicture } = await import('../timeline/timeline-picture.ts');
  return timelinePicture();
}

/** The address of this view, for others. */
function linkToView(): URL {
  const link = new URL(location.href);
  // A token lets people in: it does not travel in links.
  link.searchParams.delete('token');
  return link;
}

/** @throws Error where there is no clipboard: a page that is not served securely */
function clipboard(): Clipboard {
  if (!isSecureContext) throw new Error(translate(shareMessages.noClipboard));
  return navigator.clipboard;
}

function embedCode(): string {
  const link = linkToView();
  link.searchParams.set('embed', '');
  const address = link.href.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replace('embed=', 'embed');
  return `<iframe src="${address}" width="100%" height="560" style="border: 0" title="Podscope" allow="clipboard-write"></iframe>`;
}

interface ShareAction {
  readonly id: keyof typeof shareMessages;
  readonly title: Message;
  readonly run: (session: NodeSession) => Promise<void>;
}

const copyLink = attempt(async () => {
  await clipboard().writeText(linkToView().href);
  return translate(shareMessages.linkCopied);
});

const embed: ShareAction = {
  id: 'embed',
  title: shareMessages.embed,
  run: attempt(async () => {
    await clipboard().writeText(embedCode());
    return translate(shareMessages.embedCopied);
  }),
};

/** In the order of the menu. A server forbids framing; only the page that stands alone can be embedded. */
export const shareActions: readonly ShareAction[] = [
  { id: 'link', title: shareMessages.link, run: copyLink },
  ...(import.meta.env.MODE === 'site' ? [embed] : []),
  { id: 'file', title: shareMessages.file, run: save('file') },
  { id: 'perfetto', title: shareMessages.perfetto, run: save('perfetto') },
  { id: 'otlp', title: shareMessages.otlp, run: save('otlp') },
  {
    id: 'picture',
    title: shareMessages.picture,
    run: attempt(async () => {
      const { download } = await import('../files/save-run.ts');
      download(await picture(), pictureName);
      return translate(shareMessages.saved, { name: pictureName });
    }),
  },
  {
    id: 'copyPicture',
    title: shareMessages.copyPicture,
    run: attempt(async () => {
      await clipboard().write([new ClipboardItem({ 'image/png': picture() })]);
      return translate(shareMessages.pictureCopied);
    }),
  },
];
