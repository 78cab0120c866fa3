/** What can be taken away from here: the link to this view, the run as a file, a picture of the timeline. */
import { breakpointWord, writeBreakpoints } from '../debug/breakpoint-link.ts';
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

/** The address of this view, for others, with the breakpoints; `left` says that they are too many for an address. */
function linkToView({ debug: { state } }: NodeSession): { readonly link: URL; readonly breakpoints: number; readonly left: boolean } {
  const link = new URL(location.href);
  // A token lets people in: it does not travel in links.
  link.searchParams.delete('token');
  const written = state && writeBreakpoints(state);
  if (written) link.searchParams.set(breakpointWord, written.text);
  const set = state ? state.breakpoints.length + state.filters.length : 0;
  return { link, breakpoints: written?.count ?? 0, left: !written && set > 0 };
}

/** @throws Error where there is no clipboard: a page that is not served securely */
function clipboard(): Clipboard {
  if (!isSecureContext) throw new Error(translate(shareMessages.noClipboard));
  return navigator.clipboard;
}

function embedCode(session: NodeSession): string {
  const { link } = linkToView(session);
  link.searchParams.set('embed', '');
  const address = link.href.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replace('embed=', 'embed');
  return `<iframe src="${address}" width="100%" height="560" style="border: 0" title="Podscope" allow="clipboard-write"></iframe>`;
}

interface ShareAction {
  readonly id: keyof typeof shareMessages;
  readonly title: Message;
  readonly run: (session: NodeSession) => Promise<void>;
}

const copyLink = attempt(async (session) => {
  const { link, breakpoints, left } = linkToView(session);
  await clipboard().writeText(link.href);
  if (left) return translate(shareMessages.linkCopiedWithout);
  return breakpoints > 0 ? translate(shareMessages.linkCopiedWith, { count: breakpoints }) : translate(shareMessages.linkCopied);
});

const embed: ShareAction = {
  id: 'embed',
  title: shareMessages.embed,
  run: attempt(async (session) => {
    await clipboard().writeText(embedCode(session));
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
