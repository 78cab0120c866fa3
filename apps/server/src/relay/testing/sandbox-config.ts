/** Contains the configuration of sandboxes that tests start through the relay. */

/** Returns the configuration of the sandbox of a pod in the namespace `default`. */
export const sandboxConfigOf = (name: string) => ({
  metadata: { name, uid: `uid-of-${name}`, namespace: 'default', attempt: 0 },
  hostname: '',
  logDirectory: '',
  labels: {},
  annotations: {},
  portMappings: [],
});
