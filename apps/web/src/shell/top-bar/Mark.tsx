/** Renders Podscope's logo: a pulse in a lens. */
export function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <g fill="none" stroke="var(--accent-ink)" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="16" cy="16" r="9" />
        <path d="M3.5 16h7l2.5-5 4.5 10 3-5h8" />
      </g>
    </svg>
  );
}
