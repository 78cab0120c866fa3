/**
 * Lets xterm work under a content security policy without inline styles. It puts its rules into style elements and the colours of some cells
 * into style attributes, which such a policy refuses; here they go into constructed style sheets and the CSSOM, which it permits. xterm's
 * option `documentOverride` does not reach all of its parts (6.0).
 */

/** Cells are spans. For a span the two ways to set a style come to the same, except for the policy. */
Object.defineProperty(HTMLSpanElement.prototype, 'setAttribute', {
  value(this: HTMLSpanElement, name: string, value: string): void {
    if (name === 'style') this.style.cssText = value;
    else Element.prototype.setAttribute.call(this, name, value);
  },
  configurable: true,
  writable: true,
});

/** Stands where a style element would: its text becomes a constructed style sheet. */
function styleStandIn(): HTMLElement {
  const sheet = new CSSStyleSheet();
  const element = document.createElement('span');
  element.hidden = true;
  let text = '';
  Object.defineProperty(element, 'textContent', {
    get: () => text,
    set: (css: string) => {
      text = css;
      sheet.replaceSync(css);
    },
  });
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const remove = element.remove.bind(element);
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    remove();
  };
  return element;
}

/** Runs `body`; style elements that it makes are stand-ins. */
export function withPermittedStyles(body: () => void): void {
  const own = document.createElement.bind(document);
  const create = (tag: string): HTMLElement => {
    if (tag !== 'style') return own(tag);
    // The stand-in is made of an ordinary element.
    Reflect.deleteProperty(document, 'createElement');
    try {
      return styleStandIn();
    } finally {
      Object.defineProperty(document, 'createElement', { value: create, configurable: true });
    }
  };
  Object.defineProperty(document, 'createElement', { value: create, configurable: true });
  try {
    body();
  } finally {
    Reflect.deleteProperty(document, 'createElement');
  }
}
