import { type Static, Type } from 'typebox';
import { closedObject, Nullable, refTo, Text, Time, type Wire } from './parts.ts';

/** Names of upstreams: engines of the catalog's routes, or named instances of the operator. */
const Upstreams = { minItems: 1, maxItems: 50 } as const;
const Upstream = Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z0-9][a-z0-9_-]*$', examples: ['vertex'] });

/** A rule about the upstreams that may get an order, in an order, a client token, for a key or for an account. */
export const DataRule = closedObject(
  {
    only: Type.Optional(Type.Array(Upstream, { ...Upstreams, description: 'The only upstreams that may get orders.' })),
    except: Type.Optional(Type.Array(Upstream, { ...Upstreams, description: 'Upstreams that get no orders.' })),
    country: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Z]{2}$', maxLength: 2, examples: ['DE'] }), {
        minItems: 1,
        maxItems: 50,
        description: 'Countries where data may be processed: ISO 3166-1 codes such as DE.',
      }),
    ),
    retention: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 3650, description: 'Days for which an upstream may keep data; 0 = none.' }),
    ),
    training: Type.Optional(
      Type.Literal(false, { description: 'false = upstreams that train on data get no orders.' }),
    ),
  },
  {
    title: 'DataRule',
    description:
      'Which upstreams may get orders. All rules of an order hold: its own, and those of its key, account and client token.',
  },
);
export type DataRuleBody = Static<typeof DataRule>;

export const StoredDataRule = Type.Object(
  {
    subject: Type.String({
      description: '`account`, or the id of the key whose orders it limits.',
      examples: ['account'],
    }),
    data: DataRule,
    set_by: Type.String({ description: 'The key_id of the API key that set it.' }),
    set_at: Time,
  },
  { $id: 'StoredDataRule', description: 'A rule about the upstreams that may get the orders of an account or a key.' },
);
export type StoredDataRuleView = Wire<typeof StoredDataRule>;

export const DataRuleList = Type.Object(
  { items: Type.Array(refTo(StoredDataRule)) },
  { $id: 'DataRuleList', description: 'The rules of the account and of its keys. An order must fit all that apply.' },
);

export const DataRuleRemoval = Type.Object(
  { subject: Text, removed_at: Time },
  { $id: 'DataRuleRemoval', description: 'The confirmation that a rule was removed.' },
);

export const DataReceiver = Type.Object(
  {
    engine: Type.String({ description: 'The name of the upstream in rules and receipts.', examples: ['openai'] }),
    provider: Nullable(Text, 'The company behind it.'),
    in_service: Type.Boolean({
      description: 'Whether this service itself makes the orders, so that no data leaves it.',
    }),
    country: Nullable(Type.Array(Text), 'Where data is processed: ISO 3166-1 codes; null = unknown.'),
    retention_days: Nullable(Type.Number(), 'Days for which it keeps data at most; null = unknown.'),
    training: Nullable(Type.Boolean(), 'Whether it trains on data; null = unknown.'),
    passes_on: Type.Boolean({
      description: 'Whether it may pass orders on to the maker of the model; then it fits no rule about a fact.',
    }),
    terms: Nullable(Text, 'The address of its terms.'),
    source: Nullable(Text, 'The address of the page that states the facts.'),
    as_of: Nullable(Text, 'The day when that page was read.'),
    note: Nullable(Text, 'The conditions of the facts.'),
    excluded: Nullable(Text, 'Why the rules of the key and its account exclude it; null = they do not.'),
  },
  { $id: 'DataReceiver', description: 'An upstream that may get orders of a model, and what is known of it.' },
);
export type DataReceiverView = Wire<typeof DataReceiver>;

export const DataReceiverList = Type.Object(
  { items: Type.Array(refTo(DataReceiver)) },
  {
    $id: 'DataReceiverList',
    description: 'The upstreams that may get live orders of a model. An empty list: none is configured.',
  },
);
