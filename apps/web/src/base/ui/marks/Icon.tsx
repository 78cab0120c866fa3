/**
 * Renders icons on a grid of 16 by 16 units. They are hidden from screen readers; the control around an icon has the
 * accessible name.
 */
import styles from './Icon.module.css';

const paths = {
  plus: 'M8 3v10M3 8h10',
  close: 'm4 4 8 8m0-8-8 8',
  check: 'm3.5 8.5 3 3 6-7',
  chevronLeft: 'm10 3.5-4.5 4.5L10 12.5',
  chevronRight: 'm6 3.5 4.5 4.5L6 12.5',
  chevronUp: 'm3.5 10 4.5-4.5 4.5 4.5',
  chevronDown: 'm3.5 6 4.5 4.5L12.5 6',
  last: 'm4 3.5 4.5 4.5L4 12.5M12 3.5v9',
  waterfall: 'M2 3.5h6M5 6.5h6M8 9.5h5.5M10.5 12.5h3',
  filter: 'M2 3.5h12L9.5 8.7v3.8l-3 1.5V8.7L2 3.5Z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2m-6 0 .6 9h6.8l.6-9M6.7 7v4m2.6-4v4',
  edit: 'm3 13 .7-3L11 2.7 13.3 5 6 12.3 3 13Z',
  help: 'M6 6.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.5m0 2v.1',
  system: 'M2.5 3.5h11v7h-11zM6 13h4',
  sun:
    'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.3m0 10.4v1.3M1.5 8h1.3m10.4 0h1.3M3.4 3.4l.9.9m7.4 ' +
    '7.4.9.9m0-9.2-.9.9m-7.4 7.4-.9.9',
  moon: 'M13 9.6A5.4 5.4 0 0 1 6.4 3 5.4 5.4 0 1 0 13 9.6Z',
  warning: 'M8 2.5 14 13H2L8 2.5Zm0 4v3m0 1.8v.1',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-6.5v3.5m0-6v.1',
  error: 'M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5L5.5 2ZM8 5v3.7m0 2v.1',
  copy: 'M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z',
  panelLeft: 'M2 3h12v10H2zM6 3v10',
  panelRight: 'M2 3h12v10H2zM10 3v10',
  fit: 'M2 5.5V2h3.5M10.5 2H14v3.5M14 10.5V14h-3.5M5.5 14H2v-3.5M5 8h6',
  zoomIn: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2M7 5v4M5 7h4',
  zoomOut: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2M5 7h4',
  follow: 'M2 8h8m-3-3 3 3-3 3m6-8v10',
  sort: 'M2 4h12M4 8h8M6.5 12h3',
  pods: 'M2 3.5h7M2 8h12M2 12.5h9',
  lanes: 'M2 3h12v4H2zM2 10.5h12M2 13.5h12',
  pin: 'M6 2h4l-.5 5L12 9.5H4L6.5 7 6 2ZM8 9.5V14',
  shown: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  hidden: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM3 13.5l10-11',
  fold: 'M2 4v8M14 4v8M4 8h2.5m-1.5-2 2 2-2 2M12 8H9.5M11 6 9 8l2 2',
  table: 'M2 3h12v10H2zM2 6.5h12M2 10h12M6.5 3v10',
  wrap: 'M2 4h12M2 8h9.5a2 2 0 0 1 0 4.5H8.5m1.5-2-2 2 2 2M2 12.5h3.5',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.6',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  terminal: 'M2 3h12v10H2zM4.5 6l2.2 2-2.2 2M8.5 10.2h3',
  play: 'M5 3.2v9.6L12.5 8 5 3.2Z',
  stepOver: 'M2.5 9a5.5 5.5 0 0 1 10.7-1.8m0-3.2v3.4H9.8M8 12.5v.1',
  stepIn: 'M8 2v6.5m-3-3 3 3 3-3M8 12.5v.1',
  stepOut: 'M8 8.5V2m-3 3 3-3 3 3M8 12.5v.1',
  restart: 'M12.7 5.2A5.5 5.5 0 1 0 13.5 8M13 2.2v3.2H9.8',
  bolt: 'M9 1.8 3.5 9H8l-1 5.2L12.5 7H8l1-5.2Z',
  breakpoint: 'M8 12.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Z',
  first: 'm12 3.5-4.5 4.5L12 12.5M4 3.5v9',
  reverse: 'M13 3.2v9.6L7.5 8 13 3.2ZM7.5 3.2v9.6L2 8l5.5-4.8Z',
  share: 'M8 10V2.5m-3 3 3-3 3 3M3 9v4.5h10V9',
  hand:
    'M5 9V4.2a1 1 0 0 1 2 0V7m0-.2V2.9a1 1 0 0 1 2 0V7' +
    'm0-3a1 1 0 0 1 2 0v5.2c0 2.6-1.4 4.8-4 4.8-2.2 0-3-1-4.4-3.4l-.8-1.5c-.4-.8.7-1.5 1.3-.8L5 9.7',
  pause: 'M5.5 3.5v9m5-9v9',
  nextEvent: 'M3.5 3.2v9.6L10 8 3.5 3.2ZM12.5 3.2v9.6',
  skip: 'M3 8h10',
  settings:
    'M6.9 1.8h2.2l.4 1.7 1.2.5 1.5-.9 1.6 1.6-.9 1.5.5 1.2 1.7.4v2.2l-1.7.4-.5 1.2.9 1.5-1.6 ' +
    '1.6-1.5-.9-1.2.5-.4 1.7H6.9l-.4-1.7-1.2-.5-1.5.9-1.6-1.6.9-1.5-.5-1.2-1.7-.4V7.8l1.7-.4.5-1.2-.9-1.5 ' +
    '1.6-1.6 1.5.9 1.2-.5Zm1.1 8.4a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z',
  present: 'M1.5 2.5h13M2.5 2.5v8h11v-8M8 10.5v3m-3 0h6',
  node: 'M2 3h12v4H2zM2 9h12v4H2zM4.5 5v.1m0 5.9v.1',
  runs: 'M2 4h12M2 8h12M2 12h8',
  lesson: 'M8 4.2C6.5 3 4.5 2.8 2 3v9.5c2.5-.2 4.5 0 6 1.2 1.5-1.2 3.5-1.4 6-1.2V3c-2.5-.2-4.5 0-6 1.2Zm0 0v9.5',
  link: 'M6.5 9.5h3M6 5H4.8a3 3 0 0 0 0 6H6m4-6h1.2a3 3 0 0 1 0 6H10',
  print: 'M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z',
  download: 'M8 2.5V10m-3-3 3 3 3-3M3 12v1.5h10V12',
  external: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7',
  tag: 'M2.5 2.5h5l6 6-5 5-6-6v-5Zm2.8 2.7v.1',
  compare: 'M5 2.5v11m6-11v11M2 5l3-2.5L8 5m0 6 3 2.5 3-2.5',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      className={styles.icon}
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
