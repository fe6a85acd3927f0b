import type { FakeCounts, FakeJob } from './fake-jobs.ts';

/** A fake of an upstream: a real server, written from what is known of the wire. */
export interface FakeUpstream {
  readonly url: string;
  readonly key: string;
  readonly jobs: ReadonlyMap<string, FakeJob>;
  counts(name: string): FakeCounts;
  /** Files that were handed to it, by the address it gave them. */
  readonly uploads: ReadonlyMap<string, Buffer>;
  /** What came with a key where none belongs, or without one where it does. */
  readonly misplacedKeys: readonly string[];
  forget(): void;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** What a field of a model's input may be. */
export interface FieldShape {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'url' | 'urls';
  readonly enum?: readonly unknown[];
  readonly required?: boolean;
}
export type InputShape = Readonly<Record<string, FieldShape>>;

export interface InputFault {
  readonly field: string;
  readonly kind: 'missing' | 'unknown' | 'type' | 'value';
  readonly message: string;
}

/** Everything wrong with an input, as strictly as an upstream would see it. */
export function judgeInput(shape: InputShape, input: Readonly<Record<string, unknown>>): InputFault[] {
  const faults: InputFault[] = [];
  for (const [field, { required = false }] of Object.entries(shape)) {
    if (required && input[field] === undefined) faults.push({ field, kind: 'missing', message: 'Field required' });
  }
  for (const [field, value] of Object.entries(input)) {
    const expected = shape[field];
    if (expected === undefined) faults.push({ field, kind: 'unknown', message: 'Extra inputs are not permitted' });
    else if (!isOf(expected, value))
      faults.push({ field, kind: 'type', message: `Input should be a valid ${expected.type}` });
    else if (expected.enum?.includes(value) === false) {
      faults.push({ field, kind: 'value', message: `Input should be one of ${expected.enum.join(', ')}` });
    }
  }
  return faults;
}

function isOf({ type }: FieldShape, value: unknown): boolean {
  if (type === 'url') return isAddress(value);
  if (type === 'urls') return Array.isArray(value) && value.every(isAddress);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^(https?:\/\/|data:[a-z]+\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]+=*$)/.test(value);
}
