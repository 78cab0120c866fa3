/** Renders the context menu of a source line. */
import { useRef } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import type { BreakpointScope } from '../../node/debugger/step-scope.ts';
import styles from './LineMenu.module.css';
import { codeMessages } from './messages.en.ts';

export interface LineMenuPlace {
  readonly line: number;
  readonly x: number;
  readonly y: number;
}

interface LineMenuProps {
  readonly place: LineMenuPlace;
  readonly hasBreakpoint: boolean;
  readonly isStoppable: boolean;
  readonly canRun: boolean;
  /** Sets the breakpoint for the selected pod or for all pods, or removes it. */
  readonly onToggle: (scope: BreakpointScope) => void;
  readonly onRunTo: () => void;
  readonly onClose: () => void;
}

export function LineMenu({
  place: { line, x, y },
  hasBreakpoint,
  isStoppable,
  canRun,
  onToggle,
  onRunTo,
  onClose,
}: LineMenuProps) {
  const t = useT();
  const anchor = useRef<HTMLSpanElement>(null);
  const disabled = [
    ...(isStoppable || hasBreakpoint ? [] : ['breakpoint', 'all']),
    ...(isStoppable && canRun ? [] : ['run']),
  ];
  return (
    <>
      <span ref={anchor} className={styles.anchor} style={{ left: x, top: y }} />
      <Popover
        className={styles.popover}
        triggerRef={anchor}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        placement="bottom start"
      >
        <Menu
          className={styles.menu}
          aria-label={t(codeMessages.lineMenu, { line })}
          disabledKeys={disabled}
          onClose={onClose}
          onAction={(key) => (key === 'run' ? onRunTo() : onToggle(key === 'all' ? 'all' : 'pod'))}
        >
          <MenuItem id="run" className={styles.item}>
            {t(codeMessages.runToHere)}
            <kbd>Ctrl F10</kbd>
          </MenuItem>
          <MenuItem id="breakpoint" className={styles.item}>
            {t(hasBreakpoint ? codeMessages.removeBreakpoint : codeMessages.setBreakpoint)}
            <kbd>F9</kbd>
          </MenuItem>
          {!hasBreakpoint && (
            <MenuItem id="all" className={styles.item}>
              {t(codeMessages.setForAllPods)}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </>
  );
}
