/** Lists the scenarios; one click plays a scenario in this page. Default export: loaded when first opened. */
import { type Scenario, scenarioCategories, scenarios } from '@podscope/scenarios';
import { useMemo } from 'react';
import { useLanguage, useT } from '../../base/i18n/i18n.ts';
import { SearchField } from '../../base/ui/fields/SearchField.tsx';
import { PageDialog } from '../../base/ui/layout/PageDialog.tsx';
import { closeDialog, useSearchText } from '../../node/view/interface.ts';
import { scenarioMessages as texts } from './messages.en.ts';
import { scenarioLink } from './play-scenario.ts';
import styles from './ScenariosDialog.module.css';

function Card({ scenario: { id, title, summary, profiles } }: { readonly scenario: Scenario }) {
  const t = useT();
  const words = useLanguage() === 'zh-CN' ? 'zh' : 'en';
  const [usual, ...others] = profiles;
  return (
    <li className={styles.card}>
      <a className={styles.link} {...scenarioLink(id, usual)}>
        <span className={styles.name}>{title[words]}</span>
        <span className={styles.summary}>{summary[words]}</span>
      </a>
      {others.length > 0 && (
        <span className={styles.profiles}>
          {others.map((profile) => (
            <a
              key={profile}
              className={styles.profile}
              {...scenarioLink(id, profile)}
              aria-label={t(texts.asRelease, { title: title[words], release: profile })}
            >
              {profile}
            </a>
          ))}
          <a
            className={styles.profile}
            {...scenarioLink(id, usual, { compare: true })}
            aria-label={t(texts.bothReleases, { title: title[words] })}
          >
            {t(texts.sideBySide)}
          </a>
        </span>
      )}
    </li>
  );
}

function Content() {
  const t = useT();
  const [search, setSearch] = useSearchText();
  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return scenarios.filter(({ id, title, summary }) =>
      words.every((word) => `${id} ${title.en} ${summary.en} ${title.zh} ${summary.zh}`.toLowerCase().includes(word)),
    );
  }, [search]);
  return (
    <>
      <div className={styles.search}>
        <SearchField label={t(texts.search)} value={search} onChange={setSearch} takesFocus />
      </div>
      <div className={styles.body}>
        {scenarioCategories.map((category) => {
          const members = found.filter((scenario) => scenario.category === category);
          if (members.length === 0) return null;
          return (
            <section key={category} aria-labelledby={`scenarios-${category}`}>
              <h3 id={`scenarios-${category}`} className={styles.heading}>
                {t(texts[category])}
              </h3>
              <ul className={styles.cards}>
                {members.map((scenario) => (
                  <Card key={scenario.id} scenario={scenario} />
                ))}
              </ul>
            </section>
          );
        })}
        {found.length === 0 && <p className={styles.none}>{t(texts.none)}</p>}
      </div>
    </>
  );
}

export default function ScenariosDialog() {
  const t = useT();
  return (
    <PageDialog title={t(texts.title)} icon="play" size="large" onClose={closeDialog}>
      <Content />
    </PageDialog>
  );
}
