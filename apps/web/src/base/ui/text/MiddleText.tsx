/** Shows a name in one line and shortens it in the middle, because names of pods differ at the end. */
import styles from './MiddleText.module.css';

/**
 * Number of characters at the end that stay visible: the suffix by which the pods of a Deployment differ, such as
 * `-x2k4f` in `-6d8f7b9c45-x2k4f`, and a part of the name before it.
 */
const tailLength = 11;

export function MiddleText({ children }: { readonly children: string }) {
  // Don't split a short name, so that it isn't broken into two parts.
  const at = children.length > tailLength * 2 ? children.length - tailLength : children.length;
  return (
    <span className={styles.text} title={children}>
      <span className={styles.head}>{children.slice(0, at)}</span>
      {at < children.length && <span className={styles.tail}>{children.slice(at)}</span>}
    </span>
  );
}
