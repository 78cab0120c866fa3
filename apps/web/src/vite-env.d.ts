/// <reference types="vite/client" />

/** Whether the documentation is served in `docs/` beside the page. Not defined in tests. */
declare const podscopeHasDocs: boolean | undefined;
