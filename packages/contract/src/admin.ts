import { Type } from 'typebox';
import { ReconciliationKind } from './admin-task.ts';
import {
  AnyObject,
  Currency,
  Flag,
  MediaType,
  Mode,
  Money,
  Nullable,
  refTo,
  Text,
  Time,
  Whole,
  type Wire,
} from './parts.ts';

/** The objects that operators see: accounts, keys, tasks, failures, reconciliation, the audit log. */

export const AdminAccount = Type.Object(
  {
    account_id: Text,
    name: Text,
    created_at: Time,
    balance: Money,
    credit_limit: Nullable(Money, 'How far below zero the balance may go; null = no limit.'),
    currency: Currency,
    price_rules: Type.Array(Type.Object({ models: Text, multiplier: Text }), {
      description: 'The first rule whose pattern matches the model sets the multiplier of its price.',
    }),
    hidden_models: Type.Array(Text, { description: 'Patterns of models that the account does not see.' }),
    webhook_url: Nullable(Text),
    test_webhook_url: Nullable(Text),
  },
  { $id: 'AdminAccount', description: 'An account as operators see it.' },
);
export type AccountView = Wire<typeof AdminAccount>;

export const AdminCredit = Type.Object(
  {
    credit_id: Text,
    account_id: Text,
    amount: Money,
    currency: Currency,
    note: Nullable(Text),
    created_at: Time,
    taken_back_at: Nullable(Time, 'When it was taken back as a whole; null = it counts.'),
  },
  { $id: 'AdminCredit', description: 'What an operator added to the balance of an account.' },
);
export type CreditView = Wire<typeof AdminCredit>;

const key = {
  key_id: Text,
  account_id: Text,
  mode: Type.Enum(['live', 'test', 'admin']),
  name: Text,
  created_at: Time,
  expires_at: Nullable(Time),
  revoked_at: Nullable(Time),
  previous_until: Nullable(Time, 'Until when the secret before the last rotation works.'),
  models: Type.Array(Text, { description: 'Patterns of the models that the key may order; empty = all.' }),
  rpm: Type.Integer({ description: 'Creates per minute; 0 = no limit.' }),
  read_rpm: Type.Integer({ description: 'Reads per minute; 0 = no limit.' }),
  concurrency: Type.Integer({ description: 'Tasks in progress at once; 0 = no limit.' }),
  queue: Type.Integer({ description: 'Tasks that may wait; 0 = no limit.' }),
  spend_limits: Type.Object({ day: Nullable(Money), month: Nullable(Money), total: Nullable(Money) }),
  end_user_limits: Type.Object(
    { day: Nullable(Money), month: Nullable(Money), total: Nullable(Money) },
    { description: 'The limits of each end user that has none of its own; null = no limit.' },
  ),
  timezone: Type.String({ description: 'The IANA time zone of the days and months of these limits; UTC by default.' }),
  account_view: Type.Boolean({ description: 'Whether the key may see the whole account.' }),
  approve_over: Nullable(
    Money,
    "Above this price a person must agree to an order through MCP; null = the service's setting.",
  ),
};
export const AdminKey = Type.Object(key, { $id: 'AdminKey', description: 'An API key without its secret.' });
export type KeyView = Wire<typeof AdminKey>;

export const IssuedKey = Type.Object(
  {
    ...key,
    key: Nullable(Text, 'The secret. It is shown once and cannot be read again; null if the request was a repetition.'),
    message: Nullable(Text, 'What to do if `key` is null.'),
  },
  { $id: 'IssuedKey', description: 'An API key with its new secret.' },
);
export type IssuedKeyView = Wire<typeof IssuedKey>;

export const AdminKeyWithTasks = Type.Object(
  {
    ...key,
    tasks: Type.Integer({ description: 'Tasks that only this key can read; revoking it makes them unreachable.' }),
  },
  { $id: 'AdminKeyWithTasks', description: 'An API key and how many tasks it has.' },
);
export type KeyWithTasksView = Wire<typeof AdminKeyWithTasks>;

export const KeyUsage = Type.Object(
  {
    key_id: Text,
    charged: Type.String({ description: 'US dollars charged for orders placed since `since`.' }),
    held: Type.String({ description: 'US dollars held for orders that are not final.' }),
    last_order_at: Nullable(Time, 'When the key last placed an order; null = never.'),
  },
  { $id: 'KeyUsage', description: 'What a key spends, and when it was last used.' },
);
export type KeyUsageView = Wire<typeof KeyUsage>;

export const RevokedKey = Type.Object(
  { ...key, unreachable_tasks: Type.Integer({ description: 'Tasks that nobody can read any more.' }) },
  { $id: 'RevokedKey', description: 'A revoked API key.' },
);
export type RevokedKeyView = Wire<typeof RevokedKey>;

export const SigningSecrets = Type.Object(
  {
    previous_until: Type.String({
      format: 'date-time',
      description: 'What was signed before works until then, UTC, with milliseconds.',
    }),
  },
  {
    $id: 'SigningSecrets',
    description: 'A rotation of the secrets that sign addresses, share links and client tokens.',
  },
);
export type SigningSecretsView = Wire<typeof SigningSecrets>;

export const AdminFailure = Type.Object(
  {
    task_id: Text,
    model_id: Text,
    engine: Text,
    mode: Mode,
    account_id: Text,
    account_name: Text,
    key_id: Text,
    key_name: Text,
    code: Text,
    message: Text,
    created_at: Time,
    completed_at: Nullable(Time),
  },
  { $id: 'AdminFailure', description: 'An order that failed.' },
);
export type FailureView = Wire<typeof AdminFailure>;

export const FailureCause = Type.Object(
  {
    engine: Text,
    code: Text,
    cause: Type.String({ description: 'The message, with … for the parts that differ from order to order.' }),
    orders: Whole,
    models: Type.Array(Text, { description: 'Models of these orders, five at most.' }),
    example: refTo(AdminFailure),
  },
  { $id: 'AdminFailureCause', description: 'Failed orders with the same cause, and the latest of them.' },
);
export type FailureCauseView = Wire<typeof FailureCause>;

export const FailureWindow = {
  since: Type.String({ format: 'date-time', description: 'The report covers orders placed since then.' }),
  truncated: Type.Boolean({ description: 'Whether the report leaves out older orders or further failures.' }),
};

export const Reconciliation = Type.Object(
  {
    reconciliation_id: Text,
    task_id: Text,
    kind: ReconciliationKind,
    mode: Mode,
    account_id: Text,
    account_name: Text,
    key_id: Text,
    key_name: Text,
    model_id: Text,
    engine: Text,
    price: Type.String({
      description:
        'US dollars that the order was to cost the customer. Nothing was charged, except for a `broken_output`, and for a `not_as_ordered` whose task succeeded.',
    }),
    ordered_at: Time,
    called_at: Nullable(Time, 'When the engine was last called with the order, if that is known.'),
    detail: AnyObject,
    created_at: Time,
    resolved_at: Nullable(Time),
    resolution: Nullable(Text),
  },
  {
    $id: 'Reconciliation',
    description: 'An order to compare with the bills of the upstream, or a charged image that does not decode.',
  },
);
export type ReconciliationView = Wire<typeof Reconciliation>;

const RouteSummary = Type.Object({
  succeeded: Whole,
  failed: Type.Integer({ description: 'Orders that failed for a reason of the upstream.' }),
  refused: Type.Integer({ description: 'Orders that failed for their content or input.' }),
  success: Nullable(Type.Number(), 'succeeded / (succeeded + failed); null if there are none.'),
  p50_seconds: Nullable(Type.Number(), 'From the start at the engine to the result, of successful orders.'),
  p95_seconds: Nullable(Type.Number()),
  cost: Nullable(Money, 'What these orders cost together: as told, else as expected; null if nothing is known.'),
  costed: Type.Integer({ description: 'Orders whose cost is known.' }),
});

const RouteMeasure = Type.Object({
  since: Type.String({ format: 'date-time', description: 'Live orders placed since then are counted.' }),
  hour: RouteSummary,
  day: RouteSummary,
});
export type MeasuredRoute = Wire<typeof RouteMeasure>;

const RoutePriceList = Type.Object({
  as_of: Type.String({ description: 'When the source was read.' }),
  source: Nullable(Text, 'Where the upstream states its price; null if the cost is unknown.'),
  unknown: Nullable(Text, 'What was looked at, if no source tells the cost of all orders.'),
  below: Nullable(
    Type.Object({
      example: AnyObject,
      price: Money,
      cost: Money,
      sold: Type.Boolean({ description: 'Whether such orders are sold here because the operator allows it.' }),
      loss: Type.String({ description: 'What the route loses, in one sentence.' }),
    }),
    'The order of the greatest loss, if the price of some orders is below this cost.',
  ),
});

export const AdminModel = Type.Object(
  {
    model_id: Text,
    name: Text,
    vendor: Text,
    type: MediaType,
    status: Type.Enum(['active', 'paused', 'deprecated', 'retired']),
    availability: Type.Object({ live: Flag, test: Flag }),
    routes: Type.Array(
      Type.Object({
        engine: Text,
        model: Nullable(Text),
        configured: Flag,
        paused: Flag,
        gone: Flag,
        deprecated_at: Nullable(Time, 'Since when its upstream announces the end.'),
        sunset_at: Nullable(Time, 'When it ends: from then on it gets no orders.'),
        replaced_by: Nullable(Text, "The successor's name at the upstream."),
        cost: Nullable(
          RoutePriceList,
          "What the catalog knows about the upstream's price; null at an engine of the operator's own machine.",
        ),
        measured: Nullable(RouteMeasure, 'How the route has done lately; null if it ended no live order within a day.'),
      }),
      {
        description:
          'In the order in which they are tried. A route is gone while its upstream no longer lists the model; it then gets no orders.',
      },
    ),
    not_live_because: Nullable(Text, 'Why live orders are refused; null if they are accepted.'),
    paused: Flag,
    paused_at: Nullable(Time),
    reason: Nullable(Text, 'Why an operator paused the model.'),
  },
  { $id: 'AdminModel', description: 'A model, its routes, and why it is not available.' },
);
export type ModelReport = Wire<typeof AdminModel>;

export const Reloaded = Type.Object(
  { models: Whole, version: Text },
  { $id: 'CatalogReload', description: 'The catalog that is now in force.' },
);
