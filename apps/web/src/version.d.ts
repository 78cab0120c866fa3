/** Version of the product. The build inserts it into the page and the engine's worker. */
declare const podscopeVersion: string;
