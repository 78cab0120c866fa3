/** Shows a field of the pod and links to it in the spec. */
import { elided } from '@podscope/trace/explain';
import { createContext, use } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { cx } from '../../base/ui/marks/cx.ts';
import { showField } from '../spec/index.ts';
import styles from './FieldLink.module.css';
import { whyMessages } from './messages.en.ts';

/** Returns the last two members of a path, which fit into a narrow panel. The tooltip shows the whole path. */
const shortPath = (path: string): string => {
  const parts = path.split('.');
  return parts.length > 2 ? `…${parts.slice(-2).join('.')}` : path;
};

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
  const show = use(ShowFieldContext);
  const said = (
    <>
      <span className={styles.path}>{name ?? shortPath(path)}</span>
      <code className={styles.value}>{elided(value, longestValue)}</code>
    </>
  );
  if (!show) {
    return (
      <span className={cx(styles.link, styles.reported)} title={`${path}: ${value}`}>
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
