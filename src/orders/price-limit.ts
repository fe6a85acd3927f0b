import { type Fault, type JsonValue, MICROS_PER_DOLLAR, type Micros, parseMicros } from '@darkroom-service/contract';
import { describeValue } from './describe-value.ts';

/** Returns US dollars given as a string or a number; null if there are none, or a fault. */
export function readMaxPrice(value: JsonValue | undefined, faults: Fault[]): Micros | null {
  if (value === undefined || value === null) return null;
  const amount = typeof value === 'string' ? parseMicros(value) : typeof value === 'number' ? fromNumber(value) : null;
  if (amount !== null && amount >= 0) return amount;
  faults.push({
    param: 'max_price',
    code: 'invalid_request',
    message: `max_price: expected US dollars of at most six decimals, such as "0.96", found ${describeValue(value)}.`,
  });
  return null;
}

function fromNumber(value: number): Micros | null {
  const micros = Math.round(value * MICROS_PER_DOLLAR);
  const exact = Math.abs(value * MICROS_PER_DOLLAR - micros) < 1e-4;
  return exact && Number.isSafeInteger(micros) ? micros : null;
}

/** Returns whether an order may go to dearer routes; false if there is a fault. @param maxPrice the field beside it */
export function readAllowDearer(
  value: JsonValue | undefined,
  maxPrice: JsonValue | undefined,
  faults: Fault[],
): boolean {
  const invalid = (message: string) => {
    faults.push({ param: 'allow_dearer', code: 'invalid_request', message: `allow_dearer: ${message}` });
    return false;
  };
  if (value === undefined || value === null || value === false) return false;
  if (value !== true) return invalid(`expected true or false, found ${describeValue(value)}.`);
  if ((maxPrice ?? null) === null) return invalid('needs max_price beside it, the most that the order may cost.');
  return true;
}

/** Returns the part of a price limit that one of several equal orders may cost; null = no limit. */
export function limitOfEach(maxPrice: Micros | null, count: number): Micros | null {
  return maxPrice === null ? null : Math.floor(maxPrice / count);
}
