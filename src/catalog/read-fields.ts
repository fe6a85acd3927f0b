import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import type { Fault } from '../base/errors.ts';
import { didYouMean, suggestName } from '../base/nearest-name.ts';
import type { FieldSet } from './model.ts';
import { MOST_FAULTS } from './parameter-fault.ts';

interface ReadFields {
  /** All parameters, with defaults, in the entry's spelling. */
  readonly values: Record<string, JsonValue>;
  /** Parameters whose value was refused. */
  readonly refused: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
/** Fields that any order accepts besides those of its model. */
const SERVICE_FIELDS = ['model_id', 'metadata', 'end_user', 'webhook_url', 'max_price'];

/**
 * Checks each field of a body separately and adds faults to `faults`. `taker` names in messages what accepts the
 * fields.
 */
export function readFields(set: FieldSet, body: JsonObject, taker: string, faults: Fault[]): ReadFields {
  const values: Record<string, JsonValue> = { ...set.defaults };
  let refused: Set<string> | null = null;
  for (const name of Object.keys(body)) {
    const value = body[name];
    if (value === undefined) continue;
    if (faults.length >= MOST_FAULTS) break;
    const parameter = set.parameters.get(name);
    if (parameter === undefined) {
      faults.push(unsupportedField(set, name, taker));
      continue;
    }
    if (value === null && parameter.default === null) continue;
    const before = faults.length;
    const read = parameter.check(value, name, faults);
    if (faults.length === before) values[name] = read;
    else {
      refused ??= new Set();
      refused.add(name);
    }
  }
  return { values, refused: refused ?? NONE };
}

function unsupportedField(set: FieldSet, name: string, taker: string): Fault {
  const accepted = set.names === '' ? 'It accepts no fields.' : `Accepted fields: ${set.names}.`;
  const param = name.toWellFormed().replaceAll('\0', '�').slice(0, 100);
  const suggestion = suggestName(param, [...set.parameters.keys(), ...SERVICE_FIELDS]);
  const message = `${taker} does not accept '${param}'.${didYouMean(suggestion)} ${accepted}`;
  return { param, code: 'unsupported_field', message, ...(suggestion === null ? {} : { suggestion }) };
}
