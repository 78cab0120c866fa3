/** Shows the scopes of a stopped frame. Members load when they are opened, page by page. */
import type { Variable } from '@podscope/protocol';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type translate, useT } from '../../../base/i18n/i18n.ts';
import { cx } from '../../../base/ui/marks/cx.ts';
import { Icon } from '../../../base/ui/marks/Icon.tsx';
import { Twist } from '../../../base/ui/marks/Twist.tsx';
import { useSession } from '../../../node/run/node-session.ts';
import { scopeMessages, stopMessages as texts } from './messages.en.ts';
import { SetVariable } from './SetVariable.tsx';
import styles from './Variables.module.css';

const pageSize = 100;

const scopeTitles = new Map(Object.values(scopeMessages).map((message) => [message.message, message]));

/** Translates the title of a scope; names from the code stay unchanged. */
function translateScope(t: typeof translate, english: string): string {
  const message = scopeTitles.get(english);
  return message ? t(message) : english;
}

interface StopProps {
  /** Number of the stop. Cached values of other stops are not valid. */
  readonly stop: number;
}

function Members({ reference, depth, stop }: StopProps & { readonly reference: number; readonly depth: number }) {
  const t = useT();
  const { connection } = useSession();
  const query = useInfiniteQuery({
    queryKey: ['variables', stop, reference],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      connection.command<'variables'>(
        { command: 'variables', variablesReference: reference, start: pageParam, count: pageSize },
        signal,
      ),
    getNextPageParam: (last, pages) => {
      const have = pages.reduce((sum, { variables }) => sum + variables.length, 0);
      return have < last.total && last.variables.length > 0 ? have : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const indent = { paddingLeft: `${0.25 + depth * 0.875}rem` };
  if (query.isPending)
    return (
      <p style={indent} className={styles.quiet}>
        …
      </p>
    );
  if (query.isError)
    return (
      <p style={indent} className={styles.quiet}>
        {query.error.message}
      </p>
    );
  const variables = query.data.pages.flatMap((page) => page.variables);
  const total = query.data.pages[0]?.total ?? 0;
  if (variables.length === 0)
    return (
      <p style={indent} className={styles.quiet}>
        {t(texts.nothing)}
      </p>
    );
  return (
    <ul>
      {variables.map((variable) => (
        <Row key={variable.name} variable={variable} reference={reference} depth={depth} stop={stop} />
      ))}
      {query.hasNextPage && (
        <li style={indent}>
          <button type="button" className={styles.more} onClick={() => void query.fetchNextPage()}>
            {t(texts.more, { count: Math.min(pageSize, total - variables.length), total })}
          </button>
        </li>
      )}
    </ul>
  );
}

interface RowProps extends StopProps {
  readonly variable: Variable;
  /** Reference of the value whose member the variable is. */
  readonly reference: number;
  readonly depth: number;
}

function Row({ variable, reference, depth, stop }: RowProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const { name, value, type, variablesReference, changed, changeable } = variable;
  const indent = { paddingLeft: `${0.25 + depth * 0.875}rem` };
  const text = (
    <>
      <span className={styles.name}>{name}</span>
      <span className={cx(styles.value, type === 'string' && styles.string, type === 'number' && styles.number)}>
        {value}
      </span>
      {changed && (
        <span className={styles.badge} title={t(texts.changedTitle)}>
          {t(texts.changed)}
        </span>
      )}
    </>
  );
  const edit = changeable && (
    <button
      type="button"
      className={styles.changeable}
      aria-label={t(texts.setValue, { name })}
      title={t(texts.setValue, { name })}
      onClick={() => setEditing(true)}
    >
      <Icon name="edit" size={11} />
    </button>
  );
  if (isEditing) {
    return (
      <li className={styles.row} style={indent}>
        <Twist />
        <span className={styles.name}>{name}</span>
        <SetVariable name={name} value={value} reference={reference} stop={stop} onDone={() => setEditing(false)} />
      </li>
    );
  }
  if (variablesReference === 0) {
    return (
      <li className={styles.row} style={indent} title={value}>
        <Twist />
        {text}
        {edit}
      </li>
    );
  }
  return (
    <li className={styles.member}>
      <button
        type="button"
        className={cx(styles.row, styles.fold)}
        style={indent}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Twist isOpen={isOpen} />
        {text}
      </button>
      {edit}
      {isOpen && <Members reference={variablesReference} depth={depth + 1} stop={stop} />}
    </li>
  );
}

/** Shows the scopes of one frame. Only the first scope is expanded initially. */
export function Scopes({ thread, frame, stop }: StopProps & { readonly thread: string; readonly frame: number }) {
  const { connection } = useSession();
  const { data, error } = useQuery({
    queryKey: ['scopes', stop, frame],
    queryFn: ({ signal }) => connection.command<'scopes'>({ command: 'scopes', thread, frame }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <p className={styles.quiet}>{error.message}</p>;
  return (
    <div className={styles.tree}>
      {data?.scopes.map((scope, index) => (
        <Scope
          key={scope.name}
          name={scope.name}
          reference={scope.variablesReference}
          stop={stop}
          initially={index === 0 && !scope.expensive}
        />
      ))}
    </div>
  );
}

function Scope({
  name,
  reference,
  stop,
  initially,
}: StopProps & { readonly name: string; readonly reference: number; readonly initially: boolean }) {
  const t = useT();
  const [isOpen, setOpen] = useState(initially);
  return (
    <div>
      <button
        type="button"
        className={cx(styles.row, styles.fold, styles.scope)}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Twist isOpen={isOpen} />
        {translateScope(t, name)}
      </button>
      {isOpen && <Members reference={reference} depth={1} stop={stop} />}
    </div>
  );
}
