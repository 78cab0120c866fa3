/** Buttons: with text, with an icon and a tooltip, and toggles. */
import { type ReactNode, type Ref, useId } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  ToggleButton as AriaToggleButton,
  type ToggleButtonProps as AriaToggleButtonProps,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components';
import { cx } from '../marks/cx.ts';
import { Icon, type IconName } from '../marks/Icon.tsx';
import { SpokenText } from '../marks/SpokenText.tsx';
import styles from './Button.module.css';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  readonly kind?: Kind;
  readonly icon?: IconName;
  readonly ref?: Ref<HTMLButtonElement>;
  /** Reason why the action is unavailable; disables the button. */
  readonly refusal?: string | undefined;
  readonly children: ReactNode;
}

/** Shows the reason as a tooltip around the button, because a disabled button receives no pointer events. */
function Refused({ refusal, children }: { readonly refusal: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <span className={styles.refused} title={refusal}>
      {children(id)}
      <span id={id}>
        <SpokenText>{refusal}</SpokenText>
      </span>
    </span>
  );
}

export function Button({ kind = 'plain', icon, refusal, children, ...props }: ButtonProps) {
  const button = (more: AriaButtonProps) => (
    <AriaButton {...props} {...more} className={cx(styles.button, styles[kind])}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </AriaButton>
  );
  return refusal === undefined ? (
    button({})
  ) : (
    <Refused refusal={refusal}>{(id) => button({ isDisabled: true, 'aria-describedby': id })}</Refused>
  );
}

interface TipProps {
  readonly label: string;
  /** Keyboard shortcut of the button's command, shown in the tooltip. */
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
  readonly ref?: Ref<HTMLButtonElement>;
  /** Reason why the action is unavailable; disables the button. */
  readonly refusal?: string | undefined;
}

/** An icon button with its name as a tooltip. */
export function IconButton({ icon, label, shortcut, refusal, ...props }: IconButtonProps) {
  if (refusal !== undefined) {
    return (
      <Refused refusal={refusal}>
        {(id) => (
          <AriaButton
            {...props}
            isDisabled
            aria-label={label}
            aria-describedby={id}
            className={cx(styles.button, styles.quiet, styles.square)}
          >
            <Icon name={icon} />
          </AriaButton>
        )}
      </Refused>
    );
  }
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

/** A text button that is on or off. */
export function Toggle({ icon, children, ...props }: ToggleProps) {
  return (
    <AriaToggleButton {...props} className={cx(styles.button, styles.quiet)}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </AriaToggleButton>
  );
}
