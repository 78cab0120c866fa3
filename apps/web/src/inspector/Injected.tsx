/** The mark of what did not happen by itself: a fault, or a person at a stop, had a hand in it. */
import { type InterventionRecord, interventionsBehind, type PodTrack } from '@podscope/trace';
import { useT } from '../i18n/i18n.ts';
import { useSession } from '../run/node-session.ts';
import { usePodValue } from '../run/use-run.ts';
import { useSelectedUid } from '../state/use-selected-pod.ts';
import { Chip } from '../ui/Chip.tsx';
import { Icon } from '../ui/Icon.tsx';
import { uiMessages } from '../ui/messages.en.ts';

export function Injected({ by }: { readonly by: readonly Pick<InterventionRecord, 'text'>[] }) {
  const t = useT();
  if (by.length === 0) return null;
  return (
    <span title={by.map(({ text }) => text).join('\n')}>
      <Chip tone="stopped" mark={false}>
        <Icon name="bolt" size={10} />
        {t(uiMessages.injected)}
      </Chip>
    </span>
  );
}

const countInterventions = (pod: PodTrack | undefined): number => pod?.interventions.length ?? 0;

/** The mark beside something that was said, as in a result or an event; `span` is where it was said. */
export function InjectedBehind({ text, span }: { readonly text: string | undefined; readonly span?: number | undefined }) {
  const { run } = useSession();
  const uid = useSelectedUid();
  // Rows of long lists have this mark: they render anew only when somebody had a hand in something.
  const hasAny = usePodValue(uid, countInterventions) > 0;
  const pod = run.pod(uid);
  if (!pod || !hasAny) return null;
  return <Injected by={interventionsBehind(pod, text, run.span(span), (id) => run.span(id))} />;
}
