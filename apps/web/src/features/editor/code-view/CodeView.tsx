/** Renders {@link CodeEditor} as a component. Default export: loaded when first needed. */
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import styles from './CodeView.module.css';
import { CodeEditor, type TextFault } from './code-editor.ts';

export interface CodeViewHandle {
  goTo(line: number, column?: number): void;
}

export interface CodeViewProps {
  readonly label: string;
  readonly text: string;
  readonly readOnly?: boolean;
  readonly faults?: readonly TextFault[];
  readonly focusFirst?: boolean;
  /** Line to scroll to first. */
  readonly startAt?: number | undefined;
  readonly onChange?: (text: string) => void;
  readonly onSubmit?: () => void;
  readonly ref?: Ref<CodeViewHandle>;
}

const noFaults: readonly TextFault[] = [];

export default function CodeView({
  label,
  text,
  readOnly = false,
  faults = noFaults,
  focusFirst = false,
  startAt,
  onChange,
  onSubmit,
  ref,
}: CodeViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>(undefined);
  const handlers = useRef({ onChange, onSubmit });
  useEffect(() => {
    handlers.current = { onChange, onSubmit };
  }, [onChange, onSubmit]);
  // The text that the editor reported last. It isn't written back to the editor, because the user may already have
  // typed more.
  const reported = useRef(text);
  const start = useRef(startAt);

  useEffect(() => {
    if (!host.current) return undefined;
    const made = new CodeEditor(host.current, {
      text: reported.current,
      label,
      readOnly,
      onChange: (changed) => {
        reported.current = changed;
        handlers.current.onChange?.(changed);
      },
      onSubmit: () => handlers.current.onSubmit?.(),
    });
    editor.current = made;
    if (focusFirst) made.focus();
    if (start.current !== undefined) made.goTo(start.current);
    return () => {
      editor.current = undefined;
      made.dispose();
    };
  }, [label, readOnly, focusFirst]);

  useEffect(() => {
    if (text === reported.current) return;
    reported.current = text;
    editor.current?.setText(text);
  }, [text]);

  useEffect(() => editor.current?.setFaults(faults), [faults]);
  useImperativeHandle(ref, () => ({ goTo: (line, column) => editor.current?.goTo(line, column) }), []);

  return <div ref={host} className={styles.host} />;
}
