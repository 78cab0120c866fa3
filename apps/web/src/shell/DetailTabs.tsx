/** The tabs below the timeline. */
import { type ComponentType, lazy, Suspense } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { type TabId, tabs } from '../state/view-address.ts';
import { useView } from '../state/view-store.ts';
import { StepsTab } from '../steps/StepsTab.tsx';
import { EventsTab } from '../tables/EventsTab.tsx';
import { ResultsTab } from '../tables/ResultsTab.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import styles from './DetailTabs.module.css';

// Loaded when first looked at.
const LogsTab = lazy(() => import('../logs/LogsTab.tsx'));
const SpecTab = lazy(() => import('../spec/SpecTab.tsx'));

const contents: Readonly<Record<TabId, { readonly title: string; readonly Content: ComponentType }>> = {
  steps: { title: 'Steps', Content: StepsTab },
  results: { title: 'Results', Content: ResultsTab },
  events: { title: 'Events', Content: EventsTab },
  logs: { title: 'Logs', Content: LogsTab },
  spec: { title: 'Spec', Content: SpecTab },
};

export function DetailTabs() {
  const tab = useView((view) => view.tab);
  return (
    <Tabs
      className={styles.tabs}
      selectedKey={tab}
      onSelectionChange={(key) => {
        const chosen = tabs.find((id) => id === key);
        if (chosen) useView.getState().show({ tab: chosen });
      }}
    >
      <TabList className={styles.list} aria-label="Details">
        {tabs.map((id) => (
          <Tab key={id} id={id} className={styles.tab}>
            {contents[id].title}
          </Tab>
        ))}
      </TabList>
      {tabs.map((id) => {
        const { Content } = contents[id];
        return (
          <TabPanel key={id} id={id} className={styles.panel}>
            <Suspense fallback={<EmptyState busy title="Loading…" />}>
              <Content />
            </Suspense>
          </TabPanel>
        );
      })}
    </Tabs>
  );
}
