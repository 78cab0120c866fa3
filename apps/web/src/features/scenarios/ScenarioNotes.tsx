/**
 * Shows what users should watch for in the shown scenario; the notes can be collapsed. Default export: loaded only
 * while a scenario plays.
 */
import { type Act, findScenario, type LocalizedText, scenarios } from '@podscope/scenarios';
import { type translate, useLanguage, useT } from '../../base/i18n/i18n.ts';
import { setPreference, usePreferences } from '../../base/preferences/preferences.ts';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { actMessages, scenarioMessages as texts } from './messages.en.ts';
import { scenarioLink } from './play-scenario.ts';
import styles from './ScenarioNotes.module.css';

/** Describes an action of the scenario. */
function describeAct(act: Act, t: typeof translate): string {
  switch (act.do) {
    case 'deletePod':
      return act.gracePeriodSeconds === 0
        ? t(actMessages.deleteByForce, { pod: act.pod })
        : t(actMessages.deletePod, { pod: act.pod });
    case 'killContainer':
    case 'exitContainer':
      return t(actMessages[act.do], { container: act.container, code: act.do === 'exitContainer' ? act.code : 137 });
    case 'debug':
      return t(actMessages.debug, { container: act.container.name });
    case 'resize':
      return t(actMessages.resize, { container: act.container });
    case 'addImage':
    case 'removeImage':
      return t(actMessages[act.do], { image: act.image });
    case 'failNext':
      return t(actMessages.failNext, { operation: act.operation });
    case 'setNetworkReady':
      return t(act.ready ? actMessages.networkReady : actMessages.networkNotReady);
    case 'command':
      return t(actMessages.command, { command: act.command.command });
    case 'apply':
    case 'stopSandbox':
    case 'restartNode':
    case 'restartKubelet':
    case 'shutdownNode':
    case 'setStaticPods':
      return t(actMessages[act.do]);
  }
}

interface ScenarioNotesProps {
  readonly id: string;
  readonly profile: string;
}

export default function ScenarioNotes({ id, profile }: ScenarioNotesProps) {
  const t = useT();
  const words = useLanguage() === 'zh-CN' ? 'zh' : 'en';
  const isOpen = usePreferences(({ areNotesOpen }) => areNotesOpen);
  const scenario = findScenario(id);
  if (!scenario) return null;
  const localized = (text: LocalizedText): string => text[words];
  const { acts = [], differs, notice, profiles, summary, title } = scenario;
  const place = scenarios.indexOf(scenario);
  const neighbours = [scenarios[place - 1], scenarios[place + 1]];
  const other = profiles.find((each) => each !== profile);
  return (
    <details
      className={styles.notes}
      open={isOpen}
      onToggle={({ currentTarget }) => setPreference({ areNotesOpen: currentTarget.open })}
    >
      <summary className={styles.head}>
        <Icon name="chevronRight" size={12} />
        <span className={styles.title}>{localized(title)}</span>
        <span className={styles.place}>{t(texts.place, { number: place + 1, count: scenarios.length })}</span>
      </summary>
      <section className={styles.body} aria-label={t(texts.notes)}>
        <p className={styles.summary}>{localized(summary)}</p>
        <h3 className={styles.heading}>{t(texts.notice)}</h3>
        <ul className={styles.list}>
          {notice.map((text) => (
            <li key={text.en}>{localized(text)}</li>
          ))}
        </ul>
        {acts.length > 0 && (
          <>
            <h3 className={styles.heading}>{t(texts.acts)}</h3>
            <ol className={styles.acts}>
              {acts.map((act) => (
                <li key={`${act.at} ${act.do}`}>
                  <span className={styles.time}>{t(texts.second, { second: act.at })}</span>
                  {describeAct(act, t)}
                </li>
              ))}
            </ol>
          </>
        )}
        {differs && (
          <>
            <h3 className={styles.heading}>{t(texts.differs)}</h3>
            <p>{localized(differs)}</p>
          </>
        )}
        <p>
          {'onlySimulated' in scenario.docker
            ? t(texts.onlySimulated, { why: localized(scenario.docker.onlySimulated) })
            : t(texts.onDocker)}
        </p>
        <p className={styles.links}>
          {other && <a {...scenarioLink(id, other)}>{t(texts.playAs, { release: other })}</a>}
          {other && <a {...scenarioLink(id, profiles[0], { compare: true })}>{t(texts.sideBySide)}</a>}
        </p>
        <nav className={styles.neighbours} aria-label={t(texts.neighbours)}>
          {neighbours.map(
            (neighbour, index) =>
              neighbour && (
                <a
                  key={neighbour.id}
                  className={index === 0 ? styles.previous : styles.next}
                  {...scenarioLink(neighbour.id, neighbour.profiles[0])}
                >
                  {index === 0 && <Icon name="chevronLeft" size={12} />}
                  {localized(neighbour.title)}
                  {index === 1 && <Icon name="chevronRight" size={12} />}
                </a>
              ),
          )}
        </nav>
      </section>
    </details>
  );
}
