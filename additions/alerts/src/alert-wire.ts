import { Nullable, Text, Time, Whole, type Wire } from '@darkroom-service/contract/parts';
import { Type } from 'typebox';
import { ALERT_KINDS, ALERT_STATES, MESSAGE_STATES } from './alert-words.ts';

const AlertMessage = Type.Object({
  receiver: Nullable(Text, 'The host of the webhook; null if an earlier version wrote the message.'),
  type: Type.Enum(['alert.began', 'alert.continues', 'alert.ended']),
  status: Type.Enum(MESSAGE_STATES, { description: 'pending: another attempt follows.' }),
  attempts: Whole,
  error: Nullable(Text, 'Why the last attempt failed.'),
  created_at: Time,
  delivered_at: Nullable(Time),
});

export const Alert = Type.Object(
  {
    alert_id: Text,
    kind: Type.Enum(ALERT_KINDS),
    state: Type.Enum(ALERT_STATES),
    subject: Nullable(
      Text,
      'An engine, an upstream model of it, a directory of a machine (`vm1:/srv/data`), a process, a bucket, or what could not be checked; null = the whole service.',
    ),
    summary: Type.String({ description: 'One sentence with the figures, as last observed.' }),
    action: Nullable(Text, 'What to do; null once it has ended.'),
    began_at: Time,
    seen_at: Type.String({ format: 'date-time', description: 'When it was last observed.' }),
    ended_at: Nullable(Time),
    acknowledged: Nullable(
      Type.Object({ by: Text, by_name: Nullable(Text), at: Time }),
      'Which operator has taken it on: it is not repeated. Null = nobody has.',
    ),
    silenced: Nullable(
      Type.Object({ by: Text, by_name: Nullable(Text), until: Time }),
      'Who wants no messages about the condition, and until when; null = messages are sent.',
    ),
    url: Nullable(
      Type.String({ format: 'uri' }),
      'The page of the console that shows it; null in a message if the operator has not named the URL of the service.',
    ),
    runbook_url: Nullable(
      Type.String({ format: 'uri' }),
      'The entry of the runbook: cause, what to do and what not. Null where `url` is null.',
    ),
    messages: Type.Array(AlertMessage, {
      description: 'The last message; empty if no webhook is set up.',
    }),
  },
  { $id: 'Alert', description: 'A condition that operators must know of, and who was told.' },
);
export type AlertView = Wire<typeof Alert>;
