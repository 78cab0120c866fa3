/** Renders a switch that takes effect at once. */
import { Switch as AriaSwitch } from 'react-aria-components';
import styles from './Switch.module.css';

interface SwitchProps {
  readonly label: string;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
}

export function Switch({ label, isSelected, onChange, isDisabled = false }: SwitchProps) {
  return (
    <AriaSwitch
      aria-label={label}
      className={styles.switch}
      isSelected={isSelected}
      onChange={onChange}
      isDisabled={isDisabled}
    >
      <span className={styles.track} />
    </AriaSwitch>
  );
}
