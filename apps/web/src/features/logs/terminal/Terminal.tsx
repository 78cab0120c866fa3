/** Renders a terminal with a shell in a container. Default export: a separate chunk, because xterm is large. */
import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal as Xterm } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { onThemeChange } from '../../../base/theme/theme.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { Chip } from '../../../base/ui/marks/Chip.tsx';
import { pageAddress } from '../../../node/address/address.ts';
import { terminalMessages } from '../messages.en.ts';
import { type ExecEnd, ExecStream, type ExecTarget, execUrl } from './exec-stream.ts';
import { withPermittedStyles } from './permitted-styles.ts';
import styles from './Terminal.module.css';

type Phase =
  | { readonly kind: 'opening' | 'open' }
  | { readonly kind: 'ended'; readonly end: ExecEnd; readonly wasOpen: boolean };

/** Returns the page's colors as values for the terminal's canvas. */
function themeOf(element: Element): ITheme {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const colours = {
    black: 'text-3',
    red: 'bad',
    green: 'ok',
    yellow: 'warn',
    blue: 'accent-text',
    magenta: 'busy',
    cyan: 'info',
    white: 'text',
  } as const;
  const named = Object.fromEntries(Object.entries(colours).map(([name, value]) => [name, token(value)]));
  const bright = Object.fromEntries(
    Object.entries(colours).map(([name, value]) => [`bright${name[0]?.toUpperCase()}${name.slice(1)}`, token(value)]),
  );
  return {
    background: token('surface'),
    foreground: token('text'),
    cursor: token('text'),
    selectionBackground: token('accent-soft'),
    ...named,
    ...bright,
  };
}

function Shell({ namespace, pod, container, command, onAgain }: ExecTarget & { readonly onAgain: () => void }) {
  const t = useT();
  const host = useRef<HTMLDivElement>(null);
  const [phase, setPhase] = useState<Phase>({ kind: 'opening' });
  const words = command.join('\0');
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const terminal = new Xterm({
      fontFamily: getComputedStyle(element).fontFamily,
      fontSize: 12,
      lineHeight: 1.35,
      cursorBlink: false,
      screenReaderMode: true,
      // Container output must not create clickable links, so OSC 8 links are shown as text.
      linkHandler: { activate: () => undefined },
      theme: themeOf(element),
    });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    withPermittedStyles(() => terminal.open(element));
    fit.fit();
    let wasOpen = false;
    const stream = new ExecStream(
      new WebSocket(
        execUrl({ namespace, pod, container, command: words.split('\0') }, pageAddress().href),
        'v5.channel.k8s.io',
      ),
      {
        opened: () => {
          wasOpen = true;
          setPhase({ kind: 'open' });
          stream.resize(terminal.cols, terminal.rows);
          terminal.focus();
        },
        output: (data) => terminal.write(data),
        ended: (end) => setPhase({ kind: 'ended', end, wasOpen }),
      },
    );
    const subscriptions = [
      terminal.onData((data) => stream.write(data)),
      terminal.onResize(({ cols, rows }) => stream.resize(cols, rows)),
    ];
    const resized = new ResizeObserver(() => fit.fit());
    resized.observe(element);
    const offTheme = onThemeChange(() => {
      terminal.options.theme = themeOf(element);
    });
    return () => {
      offTheme();
      resized.disconnect();
      for (const subscription of subscriptions) subscription.dispose();
      stream.close();
      terminal.dispose();
    };
  }, [namespace, pod, container, words]);
  return (
    <div className={styles.terminal}>
      <div className={styles.status} role="status">
        {phase.kind === 'ended' ? (
          <>
            <Chip tone={phase.end.code === 0 ? 'succeeded' : 'error'}>
              {phase.end.code === undefined
                ? t(phase.wasOpen ? terminalMessages.ended : terminalMessages.failed)
                : t(terminalMessages.endedWith, { code: phase.end.code })}
            </Chip>
            {phase.end.code !== 0 && phase.end.message && <span className={styles.message}>{phase.end.message}</span>}
            <Button icon="restart" onPress={onAgain}>
              {t(terminalMessages.again)}
            </Button>
          </>
        ) : (
          <Chip tone={phase.kind === 'open' ? 'running' : 'progressing'}>
            {t(phase.kind === 'open' ? terminalMessages.open : terminalMessages.opening)}
          </Chip>
        )}
      </div>
      <div
        ref={host}
        className={styles.host}
        role="group"
        aria-label={t(terminalMessages.shellIn, { name: container })}
      />
    </div>
  );
}

/** Each mount opens a new shell. */
export default function Terminal(target: ExecTarget) {
  const [round, setRound] = useState(0);
  return <Shell key={round} {...target} onAgain={() => setRound(round + 1)} />;
}
