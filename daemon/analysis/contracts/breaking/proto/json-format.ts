import type { SchemaFeatures } from '../../../../model/proto-schema.ts';
import type { Told } from './comparison.ts';

/** Whether a message or an enum is held to have JSON that can be read everywhere: what is taken back is missed, what is given is not. */
export function changeOfJsonFormat(
  kind: 'message' | 'enum',
  { jsonFormat: was }: SchemaFeatures,
  { jsonFormat: is }: SchemaFeatures,
): Pick<Told, 'id' | 'severity' | 'compatibility' | 'message'> | undefined {
  if (was === is) return undefined;
  const id = `${kind}-json-format-changed`;
  return is === 'ALLOW'
    ? { id, severity: 'safe', compatibility: [], message: `JSON of the ${kind} is held to be readable everywhere now` }
    : {
        id,
        severity: 'risky',
        compatibility: ['json'],
        message: `JSON of the ${kind} is no longer held to be readable everywhere`,
      };
}
