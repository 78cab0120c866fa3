/** Buttons of every kind: with words, with an icon only (then with a tooltip), and those that stay pressed. */
import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  ToggleButton as AriaToggleButton,
  type ToggleButtonProps as AriaToggleButtonProps,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components';
import styles from './Button.module.css';
import { cx } from './cx.ts';
import { Icon, type IconName } from './Icon.tsx';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  readonly kind?: Kind;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

export function Button({ kind = 'plain', icon, children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={cx(styles.button, styles[kind])}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </AriaButton>
  );
}

interface TipProps {
  readonly label: string;
  /** The key that does the same. */
  readonly shortcut?: string | undefined;
}

function Tip({ label, shortcut }: TipProps) {
  return (
    <Tooltip className={styles.tooltip} offset={6}>
      {label}
      {shortcut && <kbd className={styles.key}>{shortcut}</kbd>}
    </Tooltip>
  );
}

interface IconButtonProps extends TipProps, Omit<AriaButtonProps, 'className' | 'children'> {
  readonly icon: IconName;
}

/** A button whose name shows as a tooltip. */
export function IconButton({ icon, label, shortcut, ...props }: IconButtonProps) {
  return (
    <TooltipTrigger delay={400} closeDelay={0}>
      <AriaButton {...props} aria-label={label} className={cx(styles.button, styles.quiet, styles.square)}>
        <Icon name={icon} />
      </AriaButton>
      <Tip label={label} shortcut={shortcut} />
    </TooltipTrigger>
  );
}

interface IconToggleProps extends TipProps, Omit<AriaToggleButtonProps, 'className' | 'children'> {
  readonly icon: IconName;
}

/** An icon button that is on or off. */
export function IconToggle({ icon, label, shortcut, ...props }: IconToggleProps) {
  return (
    <TooltipTrigger delay={400} closeDelay={0}>
      <AriaToggleButton {...props} aria-label={label} className={cx(styles.button, styles.quiet, styles.square)}>
        <Icon name={icon} />
      </AriaToggleButton>
      <Tip label={label} shortcut={shortcut} />
    </TooltipTrigger>
  );
}

interface ToggleProps extends Omit<AriaToggleButtonProps, 'className' | 'children'> {
  readonly icon?: IconName;
  readonly children: ReactNode;
}

/** A button with words that is on or off. */
export function Toggle({ icon, children, ...props }: ToggleProps) {
  return (
    <AriaToggleButton {...props} className={cx(styles.button, styles.quiet)}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </AriaToggleButton>
  );
}
