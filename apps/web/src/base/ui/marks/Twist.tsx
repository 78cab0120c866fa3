/** Renders the arrow beside an element that opens and closes. */
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';
import styles from './Twist.module.css';

interface TwistProps {
  /** True if the row is open. Absent for a row without children: the arrow is hidden but keeps its space. */
  readonly isOpen?: boolean;
  /** Makes the arrow as high as the text around it. */
  readonly isSmall?: boolean;
}

export function Twist({ isOpen, isSmall = false }: TwistProps) {
  return (
    <span className={cx(styles.twist, isSmall && styles.small, isOpen && styles.open)}>
      {isOpen !== undefined && <Icon name="chevronRight" size={11} />}
    </span>
  );
}
