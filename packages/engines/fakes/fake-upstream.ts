import type { FakeCall } from './fake-callbacks.ts';
import type { FakeCounts, FakeJob } from './fake-jobs.ts';

/** A fake of an upstream: a real server, written from the published interface. */
export interface FakeUpstream {
  readonly url: string;
  readonly key: string;
  readonly jobs: ReadonlyMap<string, FakeJob>;
  counts(name: string): FakeCounts;
  /** Uploaded files, by the address that each got. */
  readonly uploads: ReadonlyMap<string, Buffer>;
  /** Requests that had a key where none belongs, or lacked one where it is required. */
  readonly misplacedKeys: readonly string[];
  /** The calls that it made; absent = it makes none. */
  readonly callbacks?: readonly FakeCall[];
  /** Makes the upstream forget all jobs. @returns a function that restores them */
  forget(): () => void;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** The values that a field of a model's input accepts. */
export interface FieldShape {
  /** `size`: one of the presets in `enum`, or `{ width, height }`; `any`: any value that `enum` lists. */
  readonly type:
    | ('string' | 'number' | 'integer' | 'boolean' | 'url' | 'any' | 'size' | 'object')
    | ('urls' | 'integers' | 'objects');
  readonly enum?: readonly unknown[];
  readonly required?: boolean;
  /** The least number. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** The longest text, in characters. */
  readonly max_length?: number;
  /** The longest list. */
  readonly max_items?: number;
  /** The fields of an object, or of each object of a list. */
  readonly fields?: InputShape;
  /** The number of which both sides of a size must be multiples, in pixels. */
  readonly multiple_of?: number;
  readonly max_side?: number;
  readonly min_pixels?: number;
  readonly max_pixels?: number;
}
export type InputShape = Readonly<Record<string, FieldShape>>;

interface InputFault {
  /** The field's path, with dots and indices: `shots.0.duration`. */
  readonly field: string;
  readonly kind: 'missing' | 'unknown' | 'type' | 'value';
  readonly message: string;
}

/** Returns all faults of an input, found as strictly as an upstream would. */
export function judgeInput(shape: InputShape, input: Readonly<Record<string, unknown>>, place = ''): InputFault[] {
  const faults: InputFault[] = [];
  for (const [name, { required = false }] of Object.entries(shape)) {
    if (required && input[name] === undefined) {
      faults.push({ field: place + name, kind: 'missing', message: 'Field required' });
    }
  }
  for (const [name, value] of Object.entries(input)) {
    const field = place + name;
    const expected = shape[name];
    if (expected === undefined) faults.push({ field, kind: 'unknown', message: 'Extra inputs are not permitted' });
    else if (!isOf(expected, value))
      faults.push({ field, kind: 'type', message: `Input should be a valid ${expected.type}` });
    else faults.push(...judgeValue(expected, value, field));
  }
  return faults;
}

function judgeValue(shape: FieldShape, value: unknown, field: string): InputFault[] {
  const wrong = wrongIn(shape, value);
  if (wrong !== null) return [{ field, kind: 'value', message: `Input should ${wrong}` }];
  if (shape.fields === undefined) return [];
  const objects = (Array.isArray(value) ? value : [value]) as Readonly<Record<string, unknown>>[];
  return objects.flatMap((one, index) =>
    judgeInput(shape.fields ?? {}, one, Array.isArray(value) ? `${field}.${index}.` : `${field}.`),
  );
}

/** Returns the fault of a value; null if there is none. */
function wrongIn(shape: FieldShape, value: unknown): string | null {
  if (shape.type === 'size' && typeof value === 'object') return wrongSize(shape, value as Size);
  if (shape.enum?.includes(value) === false) return `be one of ${shape.enum.join(', ')}`;
  const { minimum = -Infinity, maximum = Infinity, max_length = Infinity, max_items = Infinity } = shape;
  if (typeof value === 'number' && (value < minimum || value > maximum)) return `be from ${minimum} to ${maximum}`;
  if (typeof value === 'string' && value.length > max_length) return `have at most ${max_length} characters`;
  if (Array.isArray(value) && value.length > max_items) return `have at most ${max_items} items`;
  return null;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function wrongSize(shape: FieldShape, { width, height }: Size): string | null {
  const { multiple_of = 1, max_side = Infinity, min_pixels = 0, max_pixels = Infinity } = shape;
  if (width % multiple_of !== 0 || height % multiple_of !== 0) return `have sides that are multiples of ${multiple_of}`;
  if (Math.max(width, height) > max_side) return `have sides of at most ${max_side}`;
  if (width * height < min_pixels || width * height > max_pixels) return `have ${min_pixels} to ${max_pixels} pixels`;
  return null;
}

function isOf({ type }: FieldShape, value: unknown): boolean {
  if (type === 'any') return true;
  if (type === 'url') return isAddress(value);
  if (type === 'urls') return Array.isArray(value) && value.every(isAddress);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'integers') return Array.isArray(value) && value.every(Number.isInteger);
  if (type === 'objects') return Array.isArray(value) && value.every(isObject);
  if (type === 'size') return typeof value === 'string' || isSize(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSize(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { width, height, ...others } = value as Record<string, unknown>;
  return Number.isInteger(width) && Number.isInteger(height) && Object.keys(others).length === 0;
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^(https?:\/\/|data:[a-z]+\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]+=*$)/.test(value);
}
