/**
 * Renders the context menu of a step's dot: pods, condition, enabled, remove. Default export: loaded when first opened.
 */
import type { BreakpointSpec, BreakpointState } from '@podscope/protocol';
import { type Key, useRef } from 'react';
import { Menu, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components';
import { useT } from '../../../base/i18n/i18n.ts';
import { Icon } from '../../../base/ui/marks/Icon.tsx';
import { removeBreakpoint, saveBreakpoint } from '../../../node/debugger/debug-actions.ts';
import {
  type BreakpointScope,
  type ScopedPod,
  scopeFields,
  scopeFor,
  withScope,
} from '../../../node/debugger/step-scope.ts';
import { useSession } from '../../../node/run/node-session.ts';
import { editBreakpoint } from '../../../node/view/interface.ts';
import { stepMenuMessages as texts } from './messages.en.ts';
import styles from './StepMenu.module.css';

interface StepMenuProps {
  readonly point: string;
  readonly title: string;
  readonly pod: ScopedPod | undefined;
  /** The breakpoint of the dot; undefined while none is set. */
  readonly breakpoint: BreakpointState | undefined;
  /** Position of the pointer in the window. */
  readonly place: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
}

export default function StepMenu({ point, title, pod, breakpoint, place, onClose }: StepMenuProps) {
  const session = useSession();
  const t = useT();
  const anchor = useRef<HTMLSpanElement>(null);
  const scope = breakpoint && scopeFor(breakpoint.spec, pod);
  const spec: BreakpointSpec = breakpoint?.spec ?? { point, ...scopeFields('pod', pod) };
  const isEnabled = spec.enabled !== false;
  const choose = (next: BreakpointScope): void =>
    void saveBreakpoint(session, withScope(spec, next, pod), breakpoint?.id);
  const onAction = (key: Key): void => {
    if (key === 'edit') editBreakpoint({ id: breakpoint?.id, spec });
    else if (key === 'enable') void saveBreakpoint(session, { ...spec, enabled: !isEnabled }, breakpoint?.id);
    else if (key === 'remove' && breakpoint) void removeBreakpoint(session, breakpoint.id);
  };
  const scopes = [
    ...(pod ? [{ id: 'pod', label: t(texts.thisPod, { name: pod.name }) } as const] : []),
    { id: 'all', label: t(texts.allPods) } as const,
  ];
  return (
    <>
      <span ref={anchor} className={styles.anchor} style={{ left: place.x, top: place.y }} />
      <Popover
        className={styles.popover}
        triggerRef={anchor}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        placement="bottom start"
      >
        <Menu className={styles.menu} aria-label={t(texts.label, { title })} onAction={onAction} onClose={onClose}>
          <MenuSection
            selectionMode="single"
            selectedKeys={scope ? [scope] : []}
            disallowEmptySelection={scope !== undefined}
            aria-label={t(texts.scope)}
            onSelectionChange={(keys) => {
              for (const next of keys) if (next === 'pod' || next === 'all') choose(next);
            }}
          >
            {scopes.map(({ id, label }) => (
              <MenuItem key={id} id={id} className={styles.item} textValue={label}>
                <span className={styles.check}>{scope === id && <Icon name="check" size={12} />}</span>
                {label}
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className={styles.separator} />
          <MenuItem id="edit" className={styles.item}>
            <span className={styles.check} />
            {t(breakpoint ? texts.edit : texts.condition)}
          </MenuItem>
          {breakpoint && (
            <MenuItem id="enable" className={styles.item}>
              <span className={styles.check} />
              {t(isEnabled ? texts.disable : texts.enable)}
            </MenuItem>
          )}
          {breakpoint && (
            <MenuItem id="remove" className={styles.item}>
              <span className={styles.check} />
              {t(texts.remove)}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </>
  );
}
