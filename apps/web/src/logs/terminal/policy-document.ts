/**
 * A document for xterm under a content security policy without inline styles. xterm writes its styles into style elements and style
 * attributes, which such a policy refuses; what it makes through this document goes into constructed style sheets and the CSSOM instead, which
 * it permits.
 */

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

/** Its style attribute is set through the CSSOM. */
function withStyleAttribute(element: HTMLElement): HTMLElement {
  const setAttribute = element.setAttribute.bind(element);
  element.setAttribute = (name, value) => {
    if (name === 'style') element.style.cssText = value;
    else setAttribute(name, value);
  };
  return element;
}

function createElement(tag: string): HTMLElement {
  if (tag === 'style') return styleStandIn();
  const element = document.createElement(tag);
  return tag === 'span' ? withStyleAttribute(element) : element;
}

/** The page's document, except for how elements are made. */
export const policyDocument: Document = new Proxy(document, {
  get(target, property) {
    if (property === 'createElement') return createElement;
    const value: unknown = Reflect.get(target, property, target);
    return typeof value === 'function' ? (value.bind(target) as unknown) : value;
  },
});
