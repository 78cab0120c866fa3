/** Shows the settings of the user and of the node's debugger. Default export: loaded when first opened. */
import type { DebugOptions } from '@podscope/protocol';
import type { ReactNode } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { languages } from '../../base/preferences/languages.ts';
import { contrasts, motions, setPreference, themes, usePreferences } from '../../base/preferences/preferences.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { Choice } from '../../base/ui/fields/Choice.tsx';
import { Switch } from '../../base/ui/fields/Switch.tsx';
import { PageDialog } from '../../base/ui/layout/PageDialog.tsx';
import { useView } from '../../node/address/view-store.ts';
import { setDebugOptions } from '../../node/debugger/debug-actions.ts';
import { useDebugState } from '../../node/debugger/use-debug.ts';
import { useSession } from '../../node/run/node-session.ts';
import { isRecording } from '../../node/run/refusal.ts';
import { useIsConnected } from '../../node/run/use-run.ts';
import { closeDialog } from '../../node/view/interface.ts';
import { togglePresentation } from '../presentation.ts';
import { settingsMessages as texts } from './messages.en.ts';
import styles from './SettingsDialog.module.css';

function Setting({
  label,
  note,
  children,
}: {
  readonly label: string;
  readonly note?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.setting}>
      <div>
        <div>{label}</div>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </div>
      {children}
    </div>
  );
}

function Appearance() {
  const t = useT();
  const { theme, language, motion, contrast } = usePreferences();
  const present = useView((view) => view.present);
  return (
    <section>
      <h3 className={styles.heading}>{t(texts.appearance)}</h3>
      <Setting label={t(texts.theme)}>
        <Choice
          label={t(texts.theme)}
          options={themes.map((id) => ({ id, label: t(texts.themeChoice, { choice: id }) }))}
          value={theme}
          onChange={(choice) => setPreference({ theme: choice })}
        />
      </Setting>
      <Setting label={t(texts.language)}>
        <Choice
          label={t(texts.language)}
          options={[
            { id: 'system', label: t(texts.languageSystem) },
            { id: 'en', label: languages.en },
            { id: 'zh-CN', label: languages['zh-CN'] },
          ]}
          value={language}
          onChange={(choice) => setPreference({ language: choice })}
        />
      </Setting>
      <Setting label={t(texts.motion)}>
        <Choice
          label={t(texts.motion)}
          options={motions.map((id) => ({ id, label: t(texts.motionChoice, { choice: id }) }))}
          value={motion}
          onChange={(choice) => setPreference({ motion: choice })}
        />
      </Setting>
      <Setting label={t(texts.contrast)}>
        <Choice
          label={t(texts.contrast)}
          options={contrasts.map((id) => ({ id, label: t(texts.contrastChoice, { choice: id }) }))}
          value={contrast}
          onChange={(choice) => setPreference({ contrast: choice })}
        />
      </Setting>
      <Setting label={t(texts.present)} note={t(texts.presentNote)}>
        <Switch label={t(texts.present)} isSelected={present} onChange={togglePresentation} />
      </Setting>
    </section>
  );
}

function Logs() {
  const t = useT();
  const { logWrap, logTimestamps } = usePreferences();
  return (
    <section>
      <h3 className={styles.heading}>{t(texts.logs)}</h3>
      <Setting label={t(texts.logWrap)}>
        <Switch label={t(texts.logWrap)} isSelected={logWrap} onChange={(on) => setPreference({ logWrap: on })} />
      </Setting>
      <Setting label={t(texts.logTimestamps)}>
        <Switch
          label={t(texts.logTimestamps)}
          isSelected={logTimestamps}
          onChange={(on) => setPreference({ logTimestamps: on })}
        />
      </Setting>
    </section>
  );
}

const onDisconnect = ['release', 'keep'] as const satisfies readonly DebugOptions['onDisconnect'][];
const probes = ['missed', 'held', 'made'] as const satisfies readonly DebugOptions['probes'][];

/** The settings of the debugger; hidden if the node has no debugger. */
function Debugger() {
  const t = useT();
  const session = useSession();
  const isConnected = useIsConnected();
  const options = useDebugState()?.options;
  if (!options || isRecording(session.connection.node)) return null;
  return (
    <section>
      <h3 className={styles.heading}>{t(texts.debugger)}</h3>
      <Setting label={t(texts.onDisconnect)} note={t(texts.onDisconnectNote)}>
        <Choice
          label={t(texts.onDisconnect)}
          options={onDisconnect.map((id) => ({ id, label: t(texts.onDisconnectChoice, { choice: id }) }))}
          value={options.onDisconnect}
          isDisabled={!isConnected}
          onChange={(choice) => void setDebugOptions(session, { onDisconnect: choice })}
        />
      </Setting>
      <Setting label={t(texts.probes)} note={t(texts.probesNote)}>
        <Choice
          label={t(texts.probes)}
          options={probes.map((id) => ({ id, label: t(texts.probesChoice, { choice: id }) }))}
          value={options.probes}
          isDisabled={!isConnected}
          onChange={(choice) => void setDebugOptions(session, { probes: choice })}
        />
      </Setting>
      <p className={styles.note}>{t(texts.ofNode)}</p>
    </section>
  );
}

export default function SettingsDialog() {
  const t = useT();
  return (
    <PageDialog title={t(texts.title)} icon="settings" onClose={closeDialog}>
      <div className={styles.body}>
        <Appearance />
        <Logs />
        <Debugger />
      </div>
      <footer className={styles.foot}>
        <span className={styles.note}>{t(texts.kept)}</span>
        <Button
          kind="quiet"
          icon="help"
          onPress={() => {
            setPreference({ hintsSeen: 0 });
            closeDialog();
          }}
        >
          {t(texts.hints)}
        </Button>
      </footer>
    </PageDialog>
  );
}
