import { DOLLARS, given, type Micros, parseMicros, ServiceError } from '@darkroom-service/contract';
import { closedObject, OPTIONAL_BODY, Word } from '@darkroom-service/contract/parts';
import { readTimes } from '@darkroom-service/contract/schemas';
import type { KeySettings, LimitPatch } from '@darkroom-service/darkroom/kernel-accounts';
import { type Static, Type } from 'typebox';

/** An amount of dollars in a body. */
export const Amount = Type.String({
  maxLength: 17,
  pattern: `^-?${DOLLARS}$`,
  description: 'dollars as a decimal string such as "25.00"',
});

const LONGEST_GRACE_SECONDS = 30 * 86_400;
const Count = Type.Optional(Type.Integer({ minimum: 0, description: '0 = no limit' }));
const SpendLimit = Type.Optional(Type.Union([Amount, Type.Null()]));

const Limits = closedObject({ day: SpendLimit, month: SpendLimit, total: SpendLimit });
const EndUserLimits = Type.Optional(
  closedObject(Limits.properties, { description: 'for each end user that has no limit of its own' }),
);

/** The settings of a key, as bodies have them. */
export const KEY_SETTINGS = {
  name: Type.Optional(Type.String({ maxLength: 1_000 })),
  expires_at: Type.Optional(Type.Union([Word, Type.Null()], { description: 'null = never' })),
  models: Type.Optional(
    Type.Union([Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 100 }), Type.Null()], {
      description: "patterns such as 'flux-*', at least one; null = every model",
    }),
  ),
  rpm: Count,
  read_rpm: Count,
  concurrency: Count,
  queue: Count,
  spend_limits: Type.Optional(Limits),
  end_user_limits: EndUserLimits,
  timezone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'the IANA time zone of the days and months of these limits, such as Europe/Berlin',
    }),
  ),
  account_view: Type.Optional(Type.Boolean()),
  approve_over: SpendLimit,
};

/** The body of a change of a key. */
export const KeyChange = closedObject(KEY_SETTINGS, { minProperties: 1 });
/** The body of a rotation of a key's secret. */
export const Rotation = closedObject(
  {
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_GRACE_SECONDS,
        default: 86_400,
        description: 'how long the old secret still works',
      }),
    ),
  },
  OPTIONAL_BODY,
);

/** Reads the settings of a body. @throws ServiceError `invalid_request` */
export function settingsOf(body: Static<typeof KeyChange>): KeySettings {
  const { expires_at: expires, name, models, account_view: accountView, approve_over: approveOver } = body;
  const { expires_at: expiresAt } = readTimes({ expires_at: expires });
  return {
    ...(expires === undefined ? {} : { expiresAt }),
    ...(name === undefined ? {} : { name }),
    ...(models === undefined ? {} : { models: models ?? [] }),
    ...(body.rpm === undefined ? {} : { createsPerMinute: body.rpm }),
    ...(body.read_rpm === undefined ? {} : { readsPerMinute: body.read_rpm }),
    ...(body.concurrency === undefined ? {} : { concurrency: body.concurrency }),
    ...(body.queue === undefined ? {} : { queueLimit: body.queue }),
    ...(approveOver === undefined ? {} : { approveOver: amountOf(approveOver) }),
    ...(accountView === undefined ? {} : { accountView }),
    ...given({ timezone: body.timezone }),
    spendLimits: limitsOf(body.spend_limits),
    endUserLimits: limitsOf(body.end_user_limits),
  };
}

function limitsOf(limits: Static<typeof Limits> = {}): LimitPatch {
  return Object.fromEntries(Object.entries(limits).map(([window, amount]) => [window, amountOf(amount ?? null)]));
}

/** Returns the micro-dollars of an amount that its schema has accepted. */
export function amountOf<Text extends string | null | undefined>(text: Text): Micros | Exclude<Text, string> {
  if (typeof text !== 'string') return text as Exclude<Text, string>;
  const amount = parseMicros(text);
  if (amount === null) throw new ServiceError('invalid_request', `Expected an amount of dollars, found '${text}'.`);
  return amount;
}
