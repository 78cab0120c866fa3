/** Reads colours and fonts from CSS custom properties, with defaults for light and dark themes. */
import type { ItemState } from '../model.ts';

interface StateColors {
  readonly fill: string;
  /** Text colour on the fill. */
  readonly ink: string;
}

export interface Theme {
  readonly isDark: boolean;
  readonly font: string;
  readonly fontMono: string;
  /** Scale factor of fonts and heights. */
  readonly scale: number;
  readonly bg: string;
  readonly bgAlt: string;
  readonly gutter: string;
  readonly border: string;
  readonly grid: string;
  readonly gridStrong: string;
  readonly text: string;
  readonly textMuted: string;
  readonly now: string;
  readonly cursor: string;
  readonly selection: string;
  readonly focus: string;
  readonly hover: string;
  readonly range: string;
  readonly backoffStripe: string;
  readonly marker: string;
  readonly markerWarning: string;
  readonly states: Readonly<Record<ItemState, StateColors>>;
}

const colors = (fill: string, ink: string): StateColors => ({ fill, ink });

const light: Theme = {
  isDark: false,
  font: '"Inter Variable", Inter, ui-sans-serif, system-ui, sans-serif',
  fontMono: '"JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace',
  scale: 1,
  bg: '#ffffff',
  bgAlt: '#fafbfd',
  gutter: '#f6f8fa',
  border: '#dfe4ea',
  grid: '#eff2f5',
  gridStrong: '#e1e6ec',
  text: '#16202e',
  textMuted: '#566273',
  now: '#d1331f',
  cursor: '#2257c5',
  selection: '#16202e',
  focus: '#2257c5',
  hover: '#16202e',
  range: 'rgb(34 87 197 / 0.12)',
  backoffStripe: '#e2a21b',
  marker: '#5b6b80',
  markerWarning: '#b45309',
  states: {
    pending: colors('#e4e9f0', '#3c4a5d'),
    pulling: colors('#2a66cf', '#ffffff'),
    creating: colors('#7a5cc4', '#ffffff'),
    running: colors('#0c7a68', '#ffffff'),
    stopping: colors('#6a7789', '#ffffff'),
    succeeded: colors('#9aa7b6', '#465366'),
    error: colors('#c7321c', '#ffffff'),
    backoff: colors('#fdf1d6', '#6b4200'),
    waiting: colors('#eef1f5', '#566273'),
    worker: colors('#d7dfea', '#263548'),
    sync: colors('#44689f', '#ffffff'),
    step: colors('#8eabd4', '#0e1d33'),
    call: colors('#c3d3ea', '#1d2f4a'),
    hook: colors('#9c4a86', '#ffffff'),
    paused: colors('#ffd84d', '#3a2e00'),
    probe: colors('#c3d3ea', '#1d2f4a'),
  },
};

const dark: Theme = {
  ...light,
  isDark: true,
  bg: '#0f141b',
  bgAlt: '#121820',
  gutter: '#131a23',
  border: '#273140',
  grid: '#1a222d',
  gridStrong: '#253040',
  text: '#e7ecf3',
  textMuted: '#98a5b7',
  now: '#ff7462',
  cursor: '#7fb0ff',
  selection: '#ffffff',
  focus: '#7fb0ff',
  hover: '#cfd9e6',
  range: 'rgb(127 176 255 / 0.16)',
  backoffStripe: '#b9831b',
  marker: '#93a3b8',
  markerWarning: '#f0a93b',
  states: {
    pending: colors('#263040', '#c3cedd'),
    pulling: colors('#5c9bff', '#06152d'),
    creating: colors('#a98ff5', '#170b38'),
    running: colors('#25a88f', '#021a15'),
    stopping: colors('#77869b', '#0b1119'),
    succeeded: colors('#5d6b7e', '#b7c3d2'),
    error: colors('#ff7561', '#2a0600'),
    backoff: colors('#352807', '#ffdf9a'),
    waiting: colors('#1c2430', '#98a5b7'),
    worker: colors('#29354a', '#c9d6e8'),
    sync: colors('#6c94d6', '#06152b'),
    step: colors('#3e5f95', '#eaf1ff'),
    call: colors('#2b4168', '#cfe0fb'),
    hook: colors('#d58bc0', '#2b0a22'),
    paused: colors('#ffd84d', '#2b2200'),
    probe: colors('#2b4168', '#cfe0fb'),
  },
};

/** Returns the red, green and blue of a painted pixel, from 0 to 255; undefined for an invalid colour. */
function paintedColor(color: string): readonly number[] | undefined {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return alpha === 0 ? undefined : [red, green, blue];
}

/** Returns the lightness of a colour from 0 to 1; undefined for an invalid colour. */
function lightness(color: string): number | undefined {
  // Reading a painted pixel blocks until the browser's canvas is ready, which can take hundreds of milliseconds.
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color)?.slice(1);
  const [red, green = 0, blue = 0] = hex?.map((digits) => Number.parseInt(digits, 16)) ?? paintedColor(color) ?? [];
  return red === undefined ? undefined : (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/** Reads the `--tl-…` properties that apply to `element`. README.md lists them. */
export function readTheme(element: Element): Theme {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(`--tl-${name}`).trim();
  const background = read('bg');
  const isDark = background ? (lightness(background) ?? 1) < 0.5 : style.colorScheme === 'dark';
  const base = isDark ? dark : light;
  const states = Object.fromEntries(
    Object.entries(base.states).map(([state, { fill, ink }]) => [
      state,
      colors(read(state) || fill, read(`${state}-ink`) || ink),
    ]),
  ) as Record<ItemState, StateColors>;
  const named = Object.fromEntries(
    Object.entries(base)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(([name, value]) => [name, read(name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)) || value]),
  );
  return { ...base, ...named, scale: Number(read('scale')) || 1, states };
}
