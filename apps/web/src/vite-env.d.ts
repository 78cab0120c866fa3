/// <reference types="vite/client" />

/** Version of the product, put in when the page is built. */
declare const __PODSCOPE_VERSION__: string;
