/** Renders the tabs below the timeline. */
import type { ComponentType, ReactNode } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { Tabs } from '../../base/ui/layout/Tabs.tsx';
import { CodeTab } from '../../features/code/index.ts';
import { CompareTab } from '../../features/compare/index.ts';
import { LogsTab } from '../../features/logs/index.ts';
import { MetricsTab } from '../../features/metrics/index.ts';
import { EventsTab, ResultsTab } from '../../features/results/index.ts';
import { SpecTab } from '../../features/spec/index.ts';
import { StepsTab } from '../../features/steps/index.ts';
import { tabs } from '../../node/address/view-address.ts';
import { useView } from '../../node/address/view-store.ts';
import { shellMessages, tabTitleMessages } from '../messages.en.ts';

const contents: Readonly<Record<(typeof tabs)[number], ComponentType<{ readonly fallback?: ReactNode }>>> = {
  steps: StepsTab,
  code: CodeTab,
  results: ResultsTab,
  events: EventsTab,
  logs: LogsTab,
  spec: SpecTab,
  metrics: MetricsTab,
  compare: CompareTab,
};

export function DetailTabs() {
  const tab = useView((view) => view.tab);
  const t = useT();
  const Content = contents[tab];
  const definitions = tabs.map((id) => ({ id, title: t(tabTitleMessages[id]) }));
  return (
    <Tabs
      label={t(shellMessages.details)}
      tabs={definitions}
      selected={tab}
      onSelect={(id) => useView.getState().show({ tab: id })}
    >
      <Content fallback={<EmptyState busy title={t(shellMessages.loading)} />} />
    </Tabs>
  );
}
