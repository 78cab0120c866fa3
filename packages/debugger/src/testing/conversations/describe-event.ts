/** Describes the events that a conversation records: those of the debugger, and the kubelet's reactions. */
import type { TraceEvent } from '@podscope/trace';

/** Reasons of Kubernetes events that are unrelated to the pods of a scenario. */
const noise: ReadonlySet<string> = new Set(['MissingClusterDNS']);

/** Returns one line, or undefined if the event is omitted from conversations. */
export function describeEvent(event: TraceEvent): string | undefined {
  switch (event.type) {
    case 'stopped':
      return `stopped (${event.reason}): ${event.text ?? ''}`;
    case 'continued':
      return `continued (${event.reason ?? ''})`;
    case 'intervention':
      return (
        `intervention ${event.id} by ${event.origin}${event.name === undefined ? '' : ` ${event.name}`}: ` + event.text
      );
    case 'output':
      return event.category === undefined ? undefined : `${event.category}: ${event.message}`;
    case 'kubernetesEvent':
      return noise.has(event.reason) ? undefined : `${event.eventType} ${event.reason}: ${event.message}`;
    case 'syncResult':
      return event.error === undefined
        ? undefined
        : `${event.action} ${event.target}: ${event.error}: ${event.message ?? ''}`;
    case 'backOff':
      return `back-off of ${event.container} ${event.state}: ${event.seconds} s`;
    case 'spanEnded': {
      const intervention = event.attributes?.intervention;
      return intervention === undefined
        ? undefined
        : `span marked with intervention ${JSON.stringify(intervention)} ends: ${event.error?.reason ?? event.outcome}`;
    }
    default:
      return undefined;
  }
}
