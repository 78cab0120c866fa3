/** Shows decisions. Default export: loaded when first shown. */
import type { DecisionRecord } from '@podscope/trace';
import { useT } from '../../../base/i18n/i18n.ts';
import { Section } from '../../../base/ui/layout/Section.tsx';
import { whyMessages } from '../messages.en.ts';
import { DecisionList } from './DecisionList.tsx';

export default function Decisions({ decisions }: { readonly decisions: readonly DecisionRecord[] }) {
  const t = useT();
  if (decisions.length === 0) return null;
  return (
    <Section title={t(whyMessages.why)} count={decisions.length}>
      <DecisionList decisions={decisions} />
    </Section>
  );
}
