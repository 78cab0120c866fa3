/** Handles the command that describes the node's objects: Node, ConfigMaps and Secrets. */
import type { Storage } from '@podscope/apiserver';
import { decodeBase64 } from '@podscope/k8s';
import type { NodeInventory } from '@podscope/protocol';
import type { CommandHandlers } from './command-table.ts';

/** The maximum number of characters of a ConfigMap's value in the response. */
const maxText = 2_000;

type Data = Readonly<Record<string, string>> | undefined;

const byteLength = (text: string): number => new TextEncoder().encode(text).length;
/** Masks secrets before the value is cut, because half a secret isn't recognized. */
function masked(value: string, mask: (json: string) => string): string {
  const result: unknown = JSON.parse(mask(JSON.stringify(value)));
  return typeof result === 'string' ? result : '';
}

const decodedLength = (base64: string): number => decodeBase64(base64)?.length ?? 0;

/**
 * Returns the handler.
 * @param mask masks secrets in a JSON text
 */
export const inventoryCommandHandlers = (
  storage: Storage,
  nodeName: string,
  mask: (text: string) => string,
): CommandHandlers => ({
  getNode: (): NodeInventory => {
    const { managedFields: _, ...metadata } = storage.mustGet('Node', undefined, nodeName).metadata;
    return {
      node: { ...storage.mustGet('Node', undefined, nodeName), metadata },
      configMaps: storage.list('ConfigMap').map(({ metadata: { namespace = '', name }, data, binaryData }) => ({
        namespace,
        name,
        entries: [
          ...entriesOf(data, (key, value) => ({
            key,
            bytes: byteLength(value),
            text: masked(value, mask).slice(0, maxText),
          })),
          ...entriesOf(binaryData, (key, value) => ({ key, bytes: decodedLength(value) })),
        ],
      })),
      secrets: storage.list('Secret').map(({ metadata: { namespace = '', name }, type = 'Opaque', data }) => ({
        namespace,
        name,
        type,
        entries: entriesOf(data, (key, value) => ({ key, bytes: decodedLength(value) })),
      })),
    };
  },
});

const entriesOf = <T>(data: Data, make: (key: string, value: string) => T): T[] =>
  Object.entries(data ?? {}).map(([key, value]) => make(key, value));
