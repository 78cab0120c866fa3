/** What can be taken away from here: the link to this view, the run as a file, a picture of the timeline. Default export: loaded when first opened. */
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { SaveFormat } from '../files/save-run.ts';
import { type NodeSession, useSession } from '../run/node-session.ts';
import { notify } from '../state/interface.ts';
import { timelinePicture } from '../timeline/timeline-picture.ts';
import { Button } from '../ui/Button.tsx';
import styles from './ShareMenu.module.css';

async function save(session: NodeSession, format: SaveFormat): Promise<void> {
  const { download, runAsFile } = await import('../files/save-run.ts');
  const { blob, name } = await runAsFile(session, format);
  download(blob, name);
  notify('success', `Saved ${name}`);
}

async function savePicture(): Promise<void> {
  const { download } = await import('../files/save-run.ts');
  download(await timelinePicture(), 'podscope-timeline.png');
}

async function copyLink(): Promise<void> {
  const link = new URL(location.href);
  // A token lets people in: it does not travel in links.
  link.searchParams.delete('token');
  await navigator.clipboard.writeText(link.href);
  notify('success', 'The link to this view is in the clipboard.');
}

const items = [
  { id: 'link', text: 'Copy the link to this view', run: copyLink },
  { id: 'file', text: 'Save the run as a file', run: (session: NodeSession) => save(session, 'file') },
  { id: 'perfetto', text: 'Export for Perfetto and Chrome', run: (session: NodeSession) => save(session, 'perfetto') },
  { id: 'otlp', text: 'Export as OTLP', run: (session: NodeSession) => save(session, 'otlp') },
  { id: 'picture', text: 'Save a picture of the timeline', run: savePicture },
] as const;

export default function ShareMenu() {
  const session = useSession();
  return (
    <MenuTrigger defaultOpen>
      <Button kind="quiet" icon="share">
        Share
      </Button>
      <Popover className={styles.popover} offset={4} placement="bottom end">
        <Menu
          className={styles.menu}
          aria-label="Share"
          onAction={(key) => {
            items
              .find(({ id }) => id === key)
              ?.run(session)
              .catch((error: unknown) => notify('error', error instanceof Error ? error.message : String(error)));
          }}
        >
          {items.map(({ id, text }) => (
            <MenuItem key={id} id={id} className={styles.item}>
              {text}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
