/// <reference types="vite/client" />

/** Version of the product. The build inserts it. */
declare const podscopeVersion: string;
/** Whether the documentation is served in `docs/` beside the page. Not defined in tests. */
declare const podscopeHasDocs: boolean | undefined;
