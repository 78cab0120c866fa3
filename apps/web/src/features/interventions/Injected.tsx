/** Renders a mark on results that a fault or a user's override caused. */
import { type InterventionRecord, interventionsBehind, type PodTrack } from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { Chip } from '../../base/ui/marks/Chip.tsx';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { usePodValue } from '../../node/run/use-run.ts';
import { useSelectedUid } from '../../node/run/use-selected-pod.ts';
import { interventionMessages } from './messages.en.ts';

export function Injected({ by }: { readonly by: readonly Pick<InterventionRecord, 'text'>[] }) {
  const t = useT();
  if (by.length === 0) return null;
  return (
    <span title={by.map(({ text }) => text).join('\n')}>
      <Chip tone="stopped" mark={false}>
        <Icon name="bolt" size={10} />
        {t(interventionMessages.injected)}
      </Chip>
    </span>
  );
}

const countInterventions = (pod: PodTrack | undefined): number => pod?.interventions.length ?? 0;

/**
 * Marks a text, such as a result or an event, if an intervention caused it. `span` is the call that produced the text.
 */
export function InjectedBehind({
  text,
  span,
}: {
  readonly text: string | undefined;
  readonly span?: number | undefined;
}) {
  const { run } = useSession();
  const uid = useSelectedUid();
  // Render this mark again only if the pod has interventions, because rows of long lists use it.
  const hasAny = usePodValue(uid, countInterventions) > 0;
  const pod = run.pod(uid);
  if (!pod || !hasAny) return null;
  return <Injected by={interventionsBehind(pod, text, run.span(span), (id) => run.span(id))} />;
}
