import { Type } from 'typebox';
import { Service } from './error.ts';
import { Currency, Flag, listOf, Mode, Money, Nullable, refTo, Text, Time, Whole, type Wire } from './parts.ts';
import { TASK_STATUSES, USAGE_GROUPS } from './words.ts';

const SpendLimit = Nullable(Type.Object({ limit: Money, spent: Money }), 'Null = no limit.');
const Scope = Type.Enum(['key', 'account']);

export const Account = Type.Object(
  {
    account_id: Text,
    name: Text,
    mode: Mode,
    currency: Currency,
    balance: Type.String({ description: 'US dollars, after all holds and charges.' }),
    held: Type.String({ description: 'US dollars held for tasks that are not final.' }),
    credit_limit: Nullable(Money, 'How far below zero the balance may go; null = no limit.'),
    service: refTo(Service),
    key: Type.Object(
      {
        key_id: Text,
        name: Text,
        expires_at: Nullable(Time),
        models: Type.Array(Text, { description: 'Patterns of the models that the key may order; empty = all.' }),
        rpm: Type.Integer({ description: 'Creates per minute; 0 = no limit.' }),
        read_rpm: Type.Integer({ description: 'Reads per minute; 0 = no limit.' }),
        concurrency: Type.Integer({ description: 'Tasks in progress at once; 0 = no limit.' }),
        queue: Type.Integer({ description: 'Tasks that may wait; 0 = no limit.' }),
        account_view: Type.Boolean({ description: 'Whether the key may see the whole account.' }),
        approve_over: Nullable(Money, 'Above this price a person must agree to an order through MCP; null = never.'),
        stored_bytes: Type.Integer({ description: 'Bytes of input files: uploads, data URIs, downloaded references.' }),
        stored_bytes_limit: Nullable(Whole, 'Null = no limit.'),
        end_user_stored_bytes_limit: Nullable(Whole, 'Of one end user with client tokens; null = no limit.'),
        spend_limits: Type.Object({ day: SpendLimit, month: SpendLimit, total: SpendLimit }),
        end_user_limits: Type.Object(
          { day: Nullable(Money), month: Nullable(Money), total: Nullable(Money) },
          { description: 'The limits of each end user that has none of its own; null = no limit.' },
        ),
        timezone: Type.String({
          description: 'The IANA time zone of the days and months of these limits; UTC by default.',
        }),
      },
      { description: 'The API key of the request.' },
    ),
  },
  { $id: 'Account', description: 'The account of the calling key, and the limits of the key.' },
);
export type OwnAccountView = Wire<typeof Account>;

export const UsageRow = Type.Object(
  {
    day: Type.Optional(Text),
    model_id: Type.Optional(Text),
    status: Type.Optional(Type.Enum(TASK_STATUSES)),
    end_user: Type.Optional(Nullable(Text)),
    tasks: Whole,
    charged: Type.String({ description: 'US dollars charged for finished tasks.' }),
    held: Type.String({ description: 'US dollars held for tasks that are not final.' }),
    currency: Currency,
    seconds: Type.Optional(
      Type.Object(
        { p50: Nullable(Type.Number()), p95: Nullable(Type.Number()) },
        { description: 'Only with timing=true: seconds from the order to its result; null if no task succeeded.' },
      ),
    ),
  },
  {
    $id: 'UsageRow',
    description: 'Tasks of one group and what they cost. Only the fields named in group_by are present.',
  },
);
export type UsageRowView = Wire<typeof UsageRow>;

export const UsageReport = Type.Object(
  {
    from: Time,
    to: Time,
    group_by: Type.Array(Type.Enum(USAGE_GROUPS)),
    scope: Scope,
    items: Type.Array(refTo(UsageRow)),
    limit: Whole,
    has_more: Flag,
    next_after: Nullable(Text, 'Send it as after to get the next page; null = this is the last page.'),
  },
  { $id: 'UsageReport', description: 'Tasks created within a period and what they cost.' },
);
export const LedgerEntry = Type.Object(
  {
    entry_id: Text,
    kind: Type.Enum(['credit', 'correction', 'hold', 'release', 'charge', 'refund']),
    amount: Money,
    currency: Currency,
    task_id: Nullable(Text),
    batch_id: Nullable(Text, 'The batch, for the hold of all its orders.'),
    corrects: Nullable(Text, 'Of a correction: the entry_id of the credit that it takes back.'),
    note: Nullable(Text),
    created_at: Time,
  },
  { $id: 'LedgerEntry', description: 'A movement of money.' },
);
export type LedgerEntryView = Wire<typeof LedgerEntry>;

export const LedgerPage = listOf(LedgerEntry, { limit: Whole, scope: Scope, has_more: Flag });

export const File = Type.Object(
  {
    file_id: Text,
    url: Type.String({
      format: 'uri',
      description: 'Signed URL of the file. It works without a key until url_expires_at.',
    }),
    url_expires_at: Time,
    content_type: Text,
    bytes: Whole,
    width: Nullable(Whole),
    height: Nullable(Whole),
    duration_seconds: Nullable(Type.Number()),
    sha256: Type.String({ description: 'SHA-256 of the file, in hex.' }),
    end_user: Nullable(Text, 'Your own customer whose file it is, as sent with it. It goes with their erasure.'),
    created_at: Time,
    expires_at: Type.String({ format: 'date-time', description: 'When the file is deleted.' }),
  },
  { $id: 'File', description: 'An uploaded file. Name it as upload:<file_id> in orders.' },
);
export type FileView = Wire<typeof File>;

export const FileDeletion = Type.Object(
  { file_id: Text, deleted_at: Time },
  { $id: 'FileDeletion', description: 'The confirmation that a file was deleted.' },
);
