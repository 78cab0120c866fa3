/** Offers the runs to compare with. */
import { FileTrigger } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { Select } from '../../base/ui/fields/Select.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { type Comparand, fromFile, fromStore } from './comparand.ts';
import { compareMessages } from './messages.en.ts';
import { useOtherRuns } from './use-other-runs.ts';

interface RunChoicesProps {
  readonly isBusy: boolean;
  readonly load: (loading: () => Promise<Comparand>) => Promise<void>;
  /** The release with which the scenario can be played for the comparison; undefined if it can't be played. */
  readonly other: string | undefined;
  readonly onPlayOther: () => void;
  /** Switches to the comparison of two syncs; undefined if the pod has fewer than two. */
  readonly onSyncs: (() => void) | undefined;
}

export function RunChoices({ isBusy, load, other, onPlayOther, onSyncs }: RunChoicesProps) {
  const t = useT();
  const { connection } = useSession();
  const others = useOtherRuns();
  return (
    <>
      {other !== undefined && (
        <Button isDisabled={isBusy} onPress={onPlayOther}>
          {t(compareMessages.playAs, { profile: other })}
        </Button>
      )}
      {others && others.length > 0 && (
        <Select
          label={t(compareMessages.with)}
          value={undefined}
          options={others.map(({ id, title, startedAt }) => ({
            id,
            label: title ?? new Date(startedAt).toLocaleString(),
          }))}
          onChange={(id) => {
            const run = others.find((each) => each.id === id);
            void load(() => fromStore(connection, id, run?.title ?? id, new AbortController().signal));
          }}
        />
      )}
      <FileTrigger
        onSelect={(files) => {
          const file = files?.[0];
          if (file) void load(() => fromFile(file));
        }}
      >
        <Button icon="file" isDisabled={isBusy}>
          {t(compareMessages.openRun)}
        </Button>
      </FileTrigger>
      {onSyncs && <Button onPress={onSyncs}>{t(compareMessages.syncs)}</Button>}
    </>
  );
}
