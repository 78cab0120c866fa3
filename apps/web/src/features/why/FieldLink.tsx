/** Shows a field of the pod with a link to it in the spec, or an event or log without a link. */
import { elided } from '@podscope/trace/explain';
import { createContext, use } from 'react';
import { type translate, useT } from '../../base/i18n/i18n.ts';
import { cx } from '../../base/ui/marks/cx.ts';
import { showField } from '../spec/index.ts';
import styles from './FieldLink.module.css';
import { whyMessages } from './messages.en.ts';

/** Returns the last two members of a path, which fit into a narrow panel. The tooltip shows the whole path. */
const shortPath = (path: string): string => {
  const parts = path.split('.');
  return parts.length > 2 ? `…${parts.slice(-2).join('.')}` : path;
};

/** Returns the name of a source that isn't a field: an event or a log; undefined for a field. */
function nameOfSource(t: typeof translate, path: string): string | undefined {
  const [, kind, name = '', count = '1'] = /^(event|log of) (\S+)(?: \((\d+) times\))?$/.exec(path) ?? [];
  if (kind === undefined) return undefined;
  return t(kind === 'event' ? whyMessages.eventSource : whyMessages.logSource, { name, count: Number(count) });
}

const longestValue = 80;

/**
 * Opens a field in the Spec tab. If undefined, fields are shown as plain text, because the page doesn't show the pod.
 */
export const ShowFieldContext = createContext<((path: string) => void) | undefined>(showField);

export function FieldLink({
  path,
  value,
  name,
}: {
  readonly path: string;
  readonly value: string;
  readonly name?: string;
}) {
  const t = useT();
  const showInSpec = use(ShowFieldContext);
  const source = nameOfSource(t, path);
  const show = source === undefined ? showInSpec : undefined;
  const said = (
    <>
      <span className={styles.path}>{name ?? source ?? shortPath(path)}</span>
      <code className={styles.value}>{elided(value, longestValue)}</code>
    </>
  );
  if (!show) {
    return (
      <span className={cx(styles.link, styles.reported)} title={`${source ?? path}: ${value}`}>
        {said}
      </span>
    );
  }
  return (
    // Use the attribute `title`. Unlike `aria-label`, it doesn't replace the visible text as the accessible name.
    <button
      type="button"
      className={styles.link}
      title={`${t(whyMessages.showField, { path })}: ${value}`}
      onClick={() => show(path)}
    >
      {said}
    </button>
  );
}
