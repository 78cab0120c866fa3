/** The library of teaching pods: one click plays a scenario in this page. Default export: loaded when first opened. */
import { type Scenario, type ScenarioCategory, scenarioCategories, scenarios } from '@podscope/scenarios';
import { useMemo, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { setScenariosOpen, useInterface } from '../state/interface.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import styles from './ScenariosDialog.module.css';

const titles: Readonly<Record<ScenarioCategory, string>> = {
  start: 'Starting',
  images: 'Images',
  configuration: 'Configuration',
  commands: 'Commands',
  crashes: 'Crashes',
  init: 'Init containers and sidecars',
  probes: 'Probes',
  hooks: 'Lifecycle hooks',
  sandbox: 'Sandbox and network',
  outside: 'Trouble from outside',
  changes: 'Changes to the pod',
  deletion: 'Deletion',
  admission: 'Admission',
  restartRules: 'Restart rules',
};

/** Where a scenario plays: this page with an engine of its own. */
const addressOf = ({ id }: Scenario, profile: string): string => `${location.pathname}?scenario=${id}${profile === 'v1.36' ? '' : `&profile=${profile}`}`;

function Content() {
  const [search, setSearch] = useState('');
  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return scenarios.filter(({ id, title, summary }) => words.every((word) => `${id} ${title.en} ${summary.en} ${title.zh}`.toLowerCase().includes(word)));
  }, [search]);
  return (
    <>
      <div className={styles.search}>
        <SearchField label="Search scenarios" value={search} onChange={setSearch} />
      </div>
      <div className={styles.body}>
        {scenarioCategories.map((category) => {
          const members = found.filter((scenario) => scenario.category === category);
          if (members.length === 0) return null;
          return (
            <section key={category} aria-labelledby={`scenarios-${category}`}>
              <h3 id={`scenarios-${category}`} className={styles.heading}>
                {titles[category]}
              </h3>
              <ul className={styles.cards}>
                {members.map((scenario) => (
                  <li key={scenario.id} className={styles.card}>
                    <a className={styles.link} href={addressOf(scenario, scenario.profiles[0] ?? 'v1.36')}>
                      <span className={styles.name}>{scenario.title.en}</span>
                      <span className={styles.summary}>{scenario.summary.en}</span>
                    </a>
                    {scenario.profiles.length > 1 && (
                      <a className={styles.profile} href={addressOf(scenario, 'v1.20')} aria-label={`${scenario.title.en}, as kubelet v1.20`}>
                        v1.20
                      </a>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
        {found.length === 0 && <p className={styles.none}>No scenario has these words.</p>}
      </div>
    </>
  );
}

export default function ScenariosDialog() {
  const isOpen = useInterface(({ isScenariosOpen }) => isScenariosOpen);
  return (
    <ModalOverlay className={styles.veil} isOpen={isOpen} onOpenChange={setScenariosOpen} isDismissable>
      <Modal className={styles.modal}>
        <Dialog className={styles.dialog}>
          <header className={styles.head}>
            <Icon name="play" />
            <Heading slot="title" className={styles.title}>
              Scenarios
            </Heading>
            <IconButton icon="close" label="Close" onPress={() => setScenariosOpen(false)} />
          </header>
          <Content />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
