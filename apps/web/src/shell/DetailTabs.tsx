/** The tabs below the timeline. */
import { type ComponentType, lazy, Suspense } from 'react';
import { useT } from '../i18n/i18n.ts';
import { tabs } from '../state/view-address.ts';
import { useView } from '../state/view-store.ts';
import { StepsTab } from '../steps/StepsTab.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { shellMessages, tabTitleMessages } from './messages.en.ts';

// Loaded when first looked at.
const CodeTab = lazy(() => import('../code/CodeTab.tsx'));
const CompareTab = lazy(() => import('../compare/CompareTab.tsx'));
const EventsTab = lazy(() => import('../tables/EventsTab.tsx'));
const LogsTab = lazy(() => import('../logs/LogsTab.tsx'));
const ResultsTab = lazy(() => import('../tables/ResultsTab.tsx'));
const SpecTab = lazy(() => import('../spec/SpecTab.tsx'));

const contents: Readonly<Record<(typeof tabs)[number], ComponentType>> = {
  steps: StepsTab,
  code: CodeTab,
  results: ResultsTab,
  events: EventsTab,
  logs: LogsTab,
  spec: SpecTab,
  compare: CompareTab,
};

export function DetailTabs() {
  const tab = useView((view) => view.tab);
  const t = useT();
  const Content = contents[tab];
  const definitions = tabs.map((id) => ({ id, title: t(tabTitleMessages[id]) }));
  return (
    <Tabs label={t(shellMessages.details)} tabs={definitions} selected={tab} onSelect={(id) => useView.getState().show({ tab: id })}>
      <Suspense fallback={<EmptyState busy title={t(shellMessages.loading)} />}>
        <Content />
      </Suspense>
    </Tabs>
  );
}
