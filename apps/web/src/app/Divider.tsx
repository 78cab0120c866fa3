/** The line between two panels; it is dragged, or moved with the arrow keys. */
import { Separator } from 'react-resizable-panels';
import styles from './Divider.module.css';

export function Divider({ label }: { readonly label: string }) {
  return <Separator className={styles.divider} aria-label={label} />;
}
