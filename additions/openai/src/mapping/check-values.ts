import type { Fault, JsonObject, JsonValue } from '@darkroom-service/contract';
import { readSize } from '@darkroom-service/contract/catalog';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';
import type { Catalog } from '@darkroom-service/darkroom/kernel-views';

/** Values that OpenAI documents for its fields of one word. */
const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  quality: ['auto', 'low', 'medium', 'high', 'xhigh', 'max', 'standard', 'hd'],
  output_format: ['png', 'jpeg', 'webp', 'gif', 'svg'],
  background: ['auto', 'transparent', 'opaque'],
  moderation: ['auto', 'low'],
  style: ['vivid', 'natural'],
  input_fidelity: ['low', 'high'],
};
const MOST_COMPRESSION = 100;

/**
 * Finds values that no model could have, such as a size of `huge`: mapping them to the nearest one would charge for a
 * typing error. Values that only this model lacks are no fault. All values of a form are text.
 */
export function findImpossibleValues(catalog: Catalog, body: JsonObject): Fault[] {
  const faults: Fault[] = [];
  const judge = (param: string, accepts: (value: JsonValue) => boolean, expected: string) => {
    const value = body[param] ?? null;
    if (value === null || accepts(value)) return;
    const message = `${param}: expected ${expected}, found ${describeValue(value)}.`;
    faults.push({ param, code: 'unsupported_value', message });
  };
  judge('size', (value) => value === 'auto' || readSize(value) !== null, 'auto, or WIDTHxHEIGHT such as 1024x1024');
  for (const [param, documented] of Object.entries(DOCUMENTED)) {
    const isKnown = (word: string) => documented.includes(word) || valuesOfModels(catalog, param).includes(word);
    judge(param, (value) => typeof value !== 'object' && isKnown(String(value)), documented.join(', '));
  }
  const isCompression = (value: JsonValue) =>
    typeof value !== 'object' && /^\d{1,3}$/.test(String(value)) && Number(value) <= MOST_COMPRESSION;
  judge('output_compression', isCompression, `a whole number from 0 to ${MOST_COMPRESSION}`);
  return faults;
}

function valuesOfModels(catalog: Catalog, param: string): string[] {
  return catalog.models.flatMap(({ parameters }) => {
    const { enum: values = [] } = (parameters[param] ?? {}) as { readonly enum?: readonly unknown[] };
    return values.map(String);
  });
}
