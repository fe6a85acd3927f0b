import { type TSchema, Type } from 'typebox';
import { ERROR_TABLE } from '../base/errors.ts';
import { TASK_STATUSES } from '../tasks/task.ts';

/** What answers look like, for the documentation. Fields may be added within /v1; clients ignore those they do not know. */

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Text = Type.String();
const Whole = Type.Integer();
const Time = Type.String({ format: 'date-time', description: 'UTC with milliseconds' });
const Money = Type.String({ description: 'US dollars as a decimal string: two to six decimals', examples: ['0.04'] });
const Currency = Type.Literal('USD');
const AnyObject = Type.Object({}, { additionalProperties: true });

/** A reference to one of the schemas that `sharedSchemas` lists. */
export const refTo = (id: string) => Type.Unsafe<unknown>({ $ref: `${id}#` });

const PriceLine = Type.Object(
  { description: Text, unit: Text, quantity: Text, unit_price: Money, amount: Money },
  { $id: 'PriceLine' },
);

const Output = Type.Object(
  {
    url: Type.String({ format: 'uri', description: 'signed, good for a day at least; may be shown in a browser' }),
    url_expires_at: Time,
    content_url: Type.String({
      format: 'uri',
      description: 'the address to store: it takes the bearer and never runs out',
    }),
    content_type: Text,
    bytes: Whole,
    width: Nullable(Whole),
    height: Nullable(Whole),
    duration_seconds: Nullable(Type.Number()),
    fps: Nullable(Type.Number()),
    has_audio: Nullable(Type.Boolean()),
    sha256: Text,
    thumbnail_url: Nullable(Text),
    preview_url: Nullable(Type.String({ description: 'of a film: a dozen of its frames as a small moving WebP' })),
    tiles: Nullable(Whole),
    seed: Nullable(Whole),
    revised_prompt: Nullable(Text),
    explanation: Type.Optional(
      Type.Array(Text, { description: 'where a test key asked by simulate.explain: what was understood of the order' }),
    ),
  },
  { $id: 'Output' },
);

const Task = Type.Object(
  {
    task_id: Text,
    type: Type.Enum(['image', 'video']),
    status: Type.Enum(TASK_STATUSES),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: 'never falls' }),
    queue_position: Nullable(Type.Integer({ minimum: 1, description: '1 = next; null beyond 100 and in lists' })),
    estimated_seconds: Nullable(Type.Number({ description: 'from now to the end' })),
    revision: Type.Integer({ description: 'grows with every change' }),
    model_id: Text,
    action: Nullable(Text),
    parent_task_id: Nullable(Text),
    input: Type.Object({}, { additionalProperties: true, description: 'the request with its defaults filled in' }),
    outputs: Type.Array(refTo('Output')),
    error: Nullable(
      Type.Object({
        code: Text,
        message: Text,
        retry: Type.Enum(['never', 'new_order']),
        charged: Type.Literal(false),
      }),
    ),
    cost: Type.Object({
      state: Type.Enum(['held', 'charged', 'released']),
      amount: Money,
      quoted: Money,
      currency: Currency,
      lines: Type.Array(refTo('PriceLine')),
    }),
    available_actions: Type.Array(Type.Object({ action: Text, price: Money, parameters: AnyObject })),
    can_cancel: Type.Boolean(),
    cancel_requested_at: Nullable(Time),
    end_user: Nullable(Text),
    metadata: Type.Record(Text, Text),
    mode: Type.Enum(['live', 'test']),
    created_at: Time,
    started_at: Nullable(Time),
    completed_at: Nullable(Time),
    deadline_at: Time,
    expires_at: Time,
    urls: Type.Object({ self: Text, cancel: Text, events: Nullable(Text) }),
  },
  { $id: 'Task' },
);

const Quote = Type.Object(
  {
    model_id: Text,
    type: Type.Enum(['image', 'video']),
    action: Nullable(Text),
    currency: Currency,
    amount: Money,
    exact: Type.Boolean({
      description: 'false where the charge depends on media that must be measured first; never more is charged',
    }),
    lines: Type.Array(refTo('PriceLine')),
    input: AnyObject,
  },
  { $id: 'Quote' },
);

const Model = Type.Object(
  {
    model_id: Text,
    aliases: Type.Array(Text),
    name: Text,
    vendor: Text,
    type: Type.Enum(['image', 'video']),
    description: Text,
    status: Type.Enum(['active', 'paused', 'deprecated', 'retired']),
    sunset_at: Nullable(Text),
    replaced_by: Nullable(Text),
    default_config: AnyObject,
    parameters: Type.Object({}, { additionalProperties: true, description: 'JSON Schema (2020-12) of each parameter' }),
    required: Type.Array(Type.Array(Text), { description: 'any one of the lists must be present in full' }),
    constraints: Type.Array(AnyObject),
    supported_features: Type.Array(Text),
    actions: Type.Array(Text),
    limits: AnyObject,
    pricing: AnyObject,
    availability: Type.Object({ live: Type.Boolean(), test: Type.Boolean() }),
    typical_seconds: Nullable(Type.Object({ p50: Type.Number(), p80: Type.Number() })),
  },
  { $id: 'Model', additionalProperties: true },
);

const File = Type.Object(
  {
    file_id: Text,
    url: Text,
    url_expires_at: Time,
    content_type: Text,
    bytes: Whole,
    width: Nullable(Whole),
    height: Nullable(Whole),
    duration_seconds: Nullable(Type.Number()),
    sha256: Text,
    created_at: Time,
    expires_at: Time,
  },
  { $id: 'File' },
);

const ErrorSchema = Type.Object(
  {
    error: Type.Object({
      status: Whole,
      code: Type.Enum(Object.keys(ERROR_TABLE)),
      message: Text,
      param: Nullable(Text),
      details: Type.Array(AnyObject),
      retryable: Type.Boolean(),
      request_id: Text,
      docs_url: Text,
    }),
    timestamp: Time,
  },
  { $id: 'Error' },
);

const SpendLimit = Nullable(Type.Object({ limit: Money, spent: Money }));

const Account = Type.Object(
  {
    account_id: Text,
    name: Text,
    mode: Type.Enum(['live', 'test']),
    currency: Currency,
    balance: Money,
    held: Money,
    credit_limit: Nullable(Money),
    key: Type.Object({
      key_id: Text,
      name: Text,
      expires_at: Nullable(Time),
      models: Type.Array(Text),
      rpm: Whole,
      read_rpm: Whole,
      concurrency: Whole,
      queue: Whole,
      account_view: Type.Boolean(),
      spend_limits: Type.Object({ day: SpendLimit, month: SpendLimit, total: SpendLimit }),
    }),
  },
  { $id: 'Account' },
);

const UsageRow = Type.Object(
  {
    day: Type.Optional(Text),
    model_id: Type.Optional(Text),
    status: Type.Optional(Type.Enum(TASK_STATUSES)),
    end_user: Type.Optional(Nullable(Text)),
    tasks: Whole,
    charged: Money,
    held: Money,
    currency: Currency,
    seconds: Type.Optional(
      Type.Object(
        { p50: Nullable(Type.Number()), p95: Nullable(Type.Number()) },
        { description: 'with timing=true: from the order to its result' },
      ),
    ),
  },
  { $id: 'UsageRow' },
);

const LedgerEntry = Type.Object(
  {
    entry_id: Text,
    kind: Type.Enum(['credit', 'hold', 'release', 'charge']),
    amount: Money,
    currency: Currency,
    task_id: Nullable(Text),
    note: Nullable(Text),
    created_at: Time,
  },
  { $id: 'LedgerEntry' },
);

export const sharedSchemas: readonly TSchema[] = [
  PriceLine,
  Output,
  Task,
  Quote,
  Model,
  File,
  Account,
  UsageRow,
  LedgerEntry,
  ErrorSchema,
];
const failure = (description: string) => Type.Unsafe<unknown>({ ...refTo('Error'), description });
/** An answer that is no JSON, for the documentation. @param media its types */
export function plainAnswer(description: string, media: readonly string[], schema: object = { type: 'string' }) {
  return { description, content: Object.fromEntries(media.map((type) => [type, { schema }])) };
}
export const ErrorAnswer = {
  '4xx': failure('The request has to change, or to wait; `error` says how'),
  '5xx': failure('The service could not; `error.retryable` says whether to repeat'),
};
