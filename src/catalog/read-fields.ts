import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import type { Fault } from '../base/errors.ts';
import type { FieldSet } from './compiled-model.ts';
import { MOST_FAULTS } from './parameter-fault.ts';

export interface ReadFields {
  /** Every parameter, defaults filled in, in the entry's spelling. */
  readonly values: Record<string, JsonValue>;
  /** Parameters whose value was refused. */
  readonly refused: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Checks each field of a body by itself and adds what is wrong to `faults`. `taker` is who takes the fields, for messages. */
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
  const takes = set.names === '' ? 'It takes no fields.' : `It takes: ${set.names}.`;
  const param = name.toWellFormed().replaceAll('\0', '�').slice(0, 100);
  return { param, code: 'unsupported_field', message: `${taker} does not take '${param}'. ${takes}` };
}
