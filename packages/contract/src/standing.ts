import { Type } from 'typebox';
import { Nullable, Text, Time, type Wire } from './parts.ts';

export const STANDING_CAUSES = [
  'parent',
  'batch',
  'held',
  'references',
  'addition',
  'not_configured',
  'paused',
  'circuit_open',
  'deferred',
  'preparing',
  'key_limit',
  'turn',
  'submitting',
  'process_silent',
  'storage',
  'check_failed',
  'canceling',
  'upstream',
] as const;

export const Standing = Type.Object(
  {
    cause: Type.Enum([...STANDING_CAUSES]),
    sentence: Type.String({ description: 'The cause in one sentence.' }),
    since: Nullable(Time, 'Since when the cause lasts, if that is known.'),
    ahead: Nullable(
      Type.Integer(),
      'Orders before it in the queue; null if it does not wait or more than a hundred are.',
    ),
    waits_for: Type.Array(Text, { description: 'The tasks that it waits for.' }),
    asked_at: Nullable(Time, 'When its upstream was last asked, as far as was written down.'),
    said: Nullable(Text, "The upstream's word for the state of its job, or why it could not tell."),
  },
  { $id: 'TaskStanding', description: 'Why an order stands still.' },
);
export type StandingView = Wire<typeof Standing>;
