import { Type } from 'typebox';
import { DOLLARS } from './id-patterns.ts';
import { Currency, closedObject, Mode, Money, Nullable, pageOf, Text, Time, type Wire } from './parts.ts';

const NAME = {
  minLength: 1,
  maxLength: 128,
  pattern: '^(?!\\.{1,2}$)',
  description: 'Your own customer, as in end_user of an order.',
} as const;
export const EndUserName = Type.String(NAME);

const OwnLimit = Type.Optional(
  Nullable(
    Type.String({
      maxLength: 16,
      pattern: `^${DOLLARS}$`,
      description: 'US dollars.',
      examples: ['20.00'],
    }),
    "Null = no limit; left out = the key's limit.",
  ),
);

const TimeZone = Type.Optional(
  Type.String({
    maxLength: 64,
    description:
      "The IANA time zone of the days and months, such as Europe/Berlin; left out = that of the key's limits.",
  }),
);

/** The body that sets limits. */
export const EndUserChange = closedObject(
  { limits: closedObject({ day: OwnLimit, month: OwnLimit, total: OwnLimit, timezone: TimeZone }) },
  { title: 'EndUserChange' },
);

const Shown = Type.Optional(Nullable(Money, 'Null = no limit.'));
const Window = Type.Object({
  limit: Nullable(Money, "The limit in force: the end user's own, or the key's; null = none."),
  charged: Type.String({ description: 'US dollars charged for orders placed in this window.' }),
  held: Type.String({ description: 'US dollars held for orders placed in this window that are not final.' }),
  available: Nullable(Money, 'What can still be spent; null = no limit.'),
  resets_at: Nullable(Time, 'When the window ends and spending starts again at 0; null = never.'),
});

export const EndUser = Type.Object(
  {
    end_user: Text,
    mode: Mode,
    currency: Currency,
    limits: Type.Object(
      { day: Shown, month: Shown, total: Shown, timezone: TimeZone },
      { description: "The end user's own limits, as they were set. A window that is left out has the key's limit." },
    ),
    windows: Type.Object(
      { day: Window, month: Window, total: Window },
      { description: 'Days and months are those of the time zone of the limits.' },
    ),
  },
  { $id: 'EndUser', description: 'A customer of yours: its limits and what it spends with this API key.' },
);
export type EndUserView = Wire<typeof EndUser>;

export const EndUserPage = pageOf(EndUser);
