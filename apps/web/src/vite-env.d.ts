/// <reference types="vite/client" />

/** Version of the product. The build inserts it. */
declare const podscopeVersion: string;
