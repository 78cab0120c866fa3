/** The bar at the top: which node this is, whether it is there, and what concerns the whole page. */
import { useConnectionState, useNodeInfo } from '../run/use-run.ts';
import { setHelpOpen, setScenariosOpen, toggleInspector, togglePods, useInterface } from '../state/interface.ts';
import { setPreference, type ThemeChoice, usePreferences } from '../state/preferences.ts';
import { Button, IconButton, IconToggle } from '../ui/Button.tsx';
import { cx } from '../ui/cx.ts';
import type { IconName } from '../ui/Icon.tsx';
import { Mark } from './Mark.tsx';
import { NoticesButton } from './NoticesButton.tsx';
import { ShareButton } from './ShareButton.tsx';
import { TimeControl } from './TimeControl.tsx';
import styles from './TopBar.module.css';

const nextTheme: Readonly<Record<ThemeChoice, ThemeChoice>> = { system: 'light', light: 'dark', dark: 'system' };
const themeIcons: Readonly<Record<ThemeChoice, IconName>> = { system: 'system', light: 'sun', dark: 'moon' };

export const cycleTheme = (): void => setPreference({ theme: nextTheme[usePreferences.getState().theme] });

function Live() {
  const { phase } = useConnectionState();
  const word = { connecting: 'Connecting', away: 'Away', catchingUp: 'Catching up', live: 'Live' }[phase];
  return (
    <span className={cx(styles.connection, phase === 'live' && styles.on, phase === 'away' && styles.away)} role="status" aria-label={`Connection: ${word}`}>
      <span className={styles.dot} />
      {word}
    </span>
  );
}

function Node() {
  const node = useNodeInfo();
  if (!node) return null;
  const { runtime, profile, notices, nodeName, version } = node;
  return (
    <div className={styles.node}>
      <span className={styles.fact} title={`Podscope ${version}`}>
        {nodeName}
      </span>
      <span className={styles.fact}>
        {runtime.kind === 'sim' ? 'Simulator' : runtime.kind === 'docker' ? 'Docker' : runtime.name} {runtime.version}
      </span>
      <span className={styles.fact} title="The release of the kubelet whose decisions are followed">
        kubelet {profile}
      </span>
      {notices.length > 0 && <NoticesButton notices={notices} />}
    </div>
  );
}

export function TopBar() {
  const theme = usePreferences((preferences) => preferences.theme);
  const isPodsOpen = useInterface((state) => state.isPodsOpen);
  const isInspectorOpen = useInterface((state) => state.isInspectorOpen);
  return (
    <header className={styles.bar}>
      <span className={styles.brand}>
        <Mark />
        Podscope
      </span>
      <Node />
      <TimeControl />
      <span className={styles.gap} />
      <Button kind="quiet" icon="play" onPress={() => setScenariosOpen(true)}>
        Scenarios
      </Button>
      <ShareButton />
      <Live />
      <IconToggle icon="panelLeft" label="Pods panel" shortcut="P" isSelected={isPodsOpen} onChange={togglePods} />
      <IconToggle icon="panelRight" label="Inspector panel" shortcut="I" isSelected={isInspectorOpen} onChange={toggleInspector} />
      <IconButton icon={themeIcons[theme]} label={`Theme: ${theme}`} shortcut="T" onPress={cycleTheme} />
      <IconButton icon="help" label="Help" shortcut="?" onPress={() => setHelpOpen(true)} />
    </header>
  );
}
