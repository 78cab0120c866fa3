/** A field of the pod and what it says; leads to it in the spec, where there is one. */
import { createContext, use } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { showField } from '../../spec/spec-target.ts';
import { cx } from '../../ui/cx.ts';
import styles from './FieldLink.module.css';
import { whyMessages } from './messages.en.ts';

/** The last two members of a path say enough in a narrow panel; the whole is its title. */
const shortPath = (path: string): string => {
  const parts = path.split('.');
  return parts.length > 2 ? `…${parts.slice(-2).join('.')}` : path;
};

const longestValue = 80;

/** What leads to a field. Without it fields are told, and lead nowhere: the pod is not on the page. */
export const ShowFieldContext = createContext<((path: string) => void) | undefined>(showField);

export function FieldLink({ path, value, name }: { readonly path: string; readonly value: string; readonly name?: string }) {
  const t = useT();
  const show = use(ShowFieldContext);
  const said = (
    <>
      <span className={styles.path}>{name ?? shortPath(path)}</span>
      <code className={styles.value}>{value.length > longestValue ? `${value.slice(0, longestValue - 1)}…` : value}</code>
    </>
  );
  if (!show) {
    return (
      <span className={cx(styles.link, styles.told)} title={`${path}: ${value}`}>
        {said}
      </span>
    );
  }
  return (
    // A title describes where there is a name: what is seen is also what is said.
    <button type="button" className={styles.link} title={`${t(whyMessages.showField, { path })}: ${value}`} onClick={() => show(path)}>
      {said}
    </button>
  );
}
