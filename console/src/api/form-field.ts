/** One field of a request, as a form asks for it. */
export interface FormField {
  /** `patterns`: a list of patterns; `windows`: amounts per day, per month and in total; `moment`: a time. */
  readonly kind: 'amount' | 'count' | 'flag' | 'moment' | 'patterns' | 'secret' | 'text' | 'windows';
  readonly maxLength?: number;
  readonly required?: boolean;
  /** Whether an empty field is sent as null. */
  readonly nullable?: boolean;
  /** Whether it is a parameter of the path. */
  readonly inPath?: boolean;
  /** Whether the windows have a time zone of their own. */
  readonly zoned?: boolean;
}

export type Amounts = Readonly<Record<'day' | 'month' | 'total', number | string>> & { readonly timezone?: string };
/** The content of a control. Times are local, in the format of `datetime-local`; patterns have commas. */
export type FieldInput = string | number | boolean | Amounts;

/** Converts a value of the API to the content of a control. */
export function toInput({ kind }: FormField, value: unknown): FieldInput {
  if (kind === 'flag') return value === true;
  if (kind === 'windows') return amountsOf((value ?? {}) as Parameters<typeof amountsOf>[0]);
  if (kind === 'patterns') return ((value ?? []) as readonly string[]).join(', ');
  if (kind === 'moment') return typeof value === 'string' ? localTime(new Date(value)) : '';
  return typeof value === 'number' || typeof value === 'string' ? value : '';
}

/** Converts the content of a control to a value of the API; undefined = nothing to send. */
export function toValue({ kind, nullable = false }: FormField, input: FieldInput): unknown {
  if (typeof input === 'boolean') return input;
  if (typeof input === 'object') return limitsOf(input);
  const text = String(input).trim();
  if (kind === 'count') return Number(text);
  if (text === '' && nullable) return null;
  if (kind === 'patterns') return patternsOf(text);
  if (text === '') return undefined;
  return kind === 'moment' ? isoTime(text) : text;
}

/** Converts a local time to the format of the API. What is none, such as one beyond all dates, stays: it is refused. */
export function isoTime(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? local : time.toISOString();
}

/** Parses `"flux-*, sketch"` to `['flux-*', 'sketch']`. */
export function patternsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function amountsOf(limits: Partial<Record<keyof Amounts, string | null>>): Amounts {
  const { day, month, total, timezone } = limits;
  return { day: day ?? '', month: month ?? '', total: total ?? '', timezone: timezone ?? '' };
}

function limitsOf({ day, month, total, timezone = '' }: Amounts) {
  const [a, b, c] = [day, month, total].map((amount) => (amount === '' ? null : String(amount)));
  return { day: a, month: b, total: c, ...(timezone.trim() === '' ? {} : { timezone: timezone.trim() }) };
}

/** Formats a time as `2026-11-20T14:05` in the reader's time zone. */
function localTime(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
