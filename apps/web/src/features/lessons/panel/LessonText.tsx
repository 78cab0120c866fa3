/** Renders the Markdown of a lesson. A link to a term of the glossary opens its explanation in place. */
import { isGlossaryTerm, termOf, termOfLink } from '@podscope/lessons/glossary';
import { type ComponentProps, useId, useState } from 'react';
import Markdown, { defaultUrlTransform } from 'react-markdown';
import { useLanguage } from '../../../base/i18n/i18n.ts';
import styles from './LessonText.module.css';

function Link({ href = '', children }: ComponentProps<'a'>) {
  const language = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const note = useId();
  const id = termOfLink(href);
  if (id === undefined)
    return (
      <a href={href} target="_blank" rel="noreferrer">
        {children}
      </a>
    );
  if (!isGlossaryTerm(id)) return children;
  const { name, text } = termOf(id, language);
  return (
    <>
      <button
        type="button"
        className={styles.term}
        aria-expanded={isOpen}
        aria-controls={note}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <span id={note} role="note" className={styles.note}>
          <strong>{name}</strong>: {text}
        </span>
      )}
    </>
  );
}

const components = { a: Link };

/** Keeps links to the glossary. react-markdown would remove them, because their URL scheme is unknown to it. */
const transform = (url: string): string => (termOfLink(url) === undefined ? defaultUrlTransform(url) : url);

export function LessonText({ children }: { readonly children: string }) {
  return (
    <Markdown components={components} urlTransform={transform}>
      {children}
    </Markdown>
  );
}
