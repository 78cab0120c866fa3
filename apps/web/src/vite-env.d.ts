/// <reference types="vite/client" />

/** Version of the product, put in when the page is built. */
declare const podscopeVersion: string;
