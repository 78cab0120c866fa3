/** Renders the top bar: node, connection state and page-wide commands. */
import { useT } from '../../base/i18n/i18n.ts';
import { type ThemeChoice, usePreferences } from '../../base/preferences/preferences.ts';
import { cycleTheme } from '../../base/theme/theme.ts';
import { Button, IconButton, IconToggle } from '../../base/ui/fields/Button.tsx';
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import { cx } from '../../base/ui/marks/cx.ts';
import { Icon, type IconName } from '../../base/ui/marks/Icon.tsx';
import { Keys } from '../../base/ui/marks/Keys.tsx';
import { SpokenText } from '../../base/ui/marks/SpokenText.tsx';
import { PresenterButton } from '../../features/classroom/index.ts';
import { ShareButton } from '../../features/share/index.ts';
import { addressedClass } from '../../node/address/address.ts';
import { useView } from '../../node/address/view-store.ts';
import { returnToNode, useIsElsewhere } from '../../node/run/open-node.ts';
import { useConnectionState, useNodeInfo } from '../../node/run/use-run.ts';
import { openDialog, toggleInspector, togglePods, useInterface } from '../../node/view/interface.ts';
import { shownChord } from '../commands/key-chord.ts';
import { shellMessages as texts } from '../messages.en.ts';
import { togglePresentation } from '../presentation.ts';
import { Mark } from './Mark.tsx';
import { Navigation } from './Navigation.tsx';
import { NoticesButton } from './NoticesButton.tsx';
import { useObservedNotices } from './observed-notices.ts';
import { TimeControl } from './TimeControl.tsx';
import styles from './TopBar.module.css';

const ObservedKubelet = lazyPart(() => import('./ObservedKubelet.tsx'));

const themeIcons: Readonly<Record<ThemeChoice, IconName>> = { system: 'system', light: 'sun', dark: 'moon' };

export function Live() {
  const { phase } = useConnectionState();
  const node = useNodeInfo();
  // A recording is read-only and has no kubeconfig. A read-only server has a kubeconfig and is still live.
  const isRecording = node?.readOnly === true && node.kubeconfig === undefined;
  const t = useT();
  const word = t(isRecording && phase === 'live' ? texts.recording : texts[phase]);
  return (
    <span
      className={cx(
        styles.connection,
        phase === 'live' && (isRecording ? styles.still : styles.on),
        phase === 'away' && styles.away,
      )}
      role="status"
      aria-label={t(texts.connection, { word })}
    >
      <span className={styles.dot} />
      {word}
    </span>
  );
}

function Node() {
  const node = useNodeInfo();
  const isElsewhere = useIsElsewhere();
  const about = useObservedNotices(node);
  const t = useT();
  if (!node) return null;
  const { runtime, profile, notices, nodeName, version, readOnly, kubeconfig, observed } = node;
  return (
    <div className={styles.node}>
      {observed ? (
        <ObservedKubelet observed={observed} runtime={runtime} about={about} />
      ) : (
        <>
          <button
            type="button"
            className={cx(styles.fact, styles.nodeName)}
            aria-label={t(texts.nodeNamed, { name: nodeName })}
            title={t(texts.openNode, { version })}
            aria-haspopup="dialog"
            data-noise=""
            onClick={() => openDialog('node')}
          >
            {nodeName}
          </button>
          <span className={styles.fact}>
            {runtime.kind === 'sim' ? t(texts.simulator) : runtime.kind === 'docker' ? 'Docker' : runtime.name}{' '}
            {runtime.version}
          </span>
          <span className={styles.fact} title={t(texts.release)}>
            kubelet {profile}
          </span>
        </>
      )}
      {/* A recording is always read-only and is labeled elsewhere. */}
      {readOnly && kubeconfig !== undefined && (
        <span className={styles.fact} title={t(texts.readOnlyReason)} role="note">
          {t(texts.readOnly)}
        </span>
      )}
      {notices.length + about.length > 0 && <NoticesButton notices={[...notices, ...about]} />}
      {isElsewhere && (
        <Button kind="quiet" icon="close" onPress={returnToNode}>
          {t(texts.backToNode)}
        </Button>
      )}
    </div>
  );
}

/** Opens the palette; styled like a search field. */
function Search() {
  const t = useT();
  return (
    <button
      type="button"
      className={styles.search}
      aria-haspopup="dialog"
      onClick={() => openDialog('palette')}
      data-noise=""
    >
      <Icon name="search" size={13} />
      <SpokenText>{t(texts.search)}: </SpokenText>
      <span className={styles.placeholder}>{t(texts.searchPlaceholder)}</span>
      <Keys keys={shownChord('Mod+k')} quiet />
    </button>
  );
}

function Tools() {
  const theme = usePreferences((preferences) => preferences.theme);
  const isPodsOpen = useInterface((state) => state.isPodsOpen);
  const isInspectorOpen = useInterface((state) => state.isInspectorOpen);
  const t = useT();
  return (
    <>
      <span className={styles.tools} data-noise="">
        <ShareButton />
      </span>
      <Live />
      <IconToggle
        icon="panelLeft"
        label={t(texts.podsPanel)}
        shortcut="P"
        isSelected={isPodsOpen}
        onChange={togglePods}
      />
      <IconToggle
        icon="panelRight"
        label={t(texts.inspectorPanel)}
        shortcut="I"
        isSelected={isInspectorOpen}
        onChange={toggleInspector}
      />
      <span className={styles.tools} data-noise="">
        <IconButton icon={themeIcons[theme]} label={t(texts.theme, { theme })} shortcut="T" onPress={cycleTheme} />
        <IconButton icon="settings" label={t(texts.settings)} shortcut="O" onPress={() => openDialog('settings')} />
        <IconButton icon="help" label={t(texts.help)} shortcut="?" onPress={() => openDialog('help')} />
      </span>
    </>
  );
}

function Brand() {
  const node = useNodeInfo();
  const facts = node && `${node.nodeName} · ${node.runtime.name} ${node.runtime.version} · kubelet ${node.profile}`;
  return (
    <span className={styles.brand} title={facts}>
      <Mark />
      <span className={styles.wordmark}>Podscope</span>
    </span>
  );
}

export function TopBar() {
  const isPresenting = useView(({ present }) => present);
  const t = useT();
  return (
    <header className={styles.bar}>
      <Brand />
      <Navigation />
      <Node />
      <TimeControl />
      <span className={styles.gap} />
      <Search />
      <Tools />
      {isPresenting && addressedClass === undefined && <PresenterButton />}
      {isPresenting && (
        <IconButton icon="close" label={t(texts.endPresentation)} shortcut="V" onPress={togglePresentation} />
      )}
    </header>
  );
}
