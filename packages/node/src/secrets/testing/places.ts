/** Makes objects of the API with a text in a place that may contain secrets. */

/** Returns a pod with an environment variable. */
export const variable = (name: string, value: string) => ({
  spec: { containers: [{ name: 'app', env: [{ name, value }] }] },
});
/** Returns a container with a command line. */
export const command = (...words: string[]) => ({
  spec: { containers: [{ name: 'app', command: words.slice(0, 1), args: words.slice(1) }] },
});
/** Returns a container with a probe that runs a command. */
export const probe = (...words: string[]) => ({
  spec: { containers: [{ name: 'app', livenessProbe: { exec: { command: words } } }] },
});
/** Returns a status with a message. */
export const message = (text: string) => ({
  status: { containerStatuses: [{ name: 'app', lastState: { terminated: { exitCode: 1, message: text } } }] },
});
/** Returns a Kubernetes event. */
export const event = (text: string) => ({ kind: 'Event', reason: 'Unhealthy', message: text });
