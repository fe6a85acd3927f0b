import { Type } from 'typebox';
import { Reconciliation } from './admin.ts';
import { ReconciliationKind } from './admin-task.ts';
import { refTo, Text, Time, Whole, type Wire } from './parts.ts';

export const ReconciliationCause = Type.Object(
  {
    kind: ReconciliationKind,
    engine: Text,
    cause: Type.String({ description: 'The message, with … for the parts that differ from order to order.' }),
    orders: Whole,
    price: Type.String({ description: 'US dollars that these orders were to cost their customers together.' }),
    customers: Type.Array(Text, { description: 'The names of their accounts, five at most.' }),
    models: Type.Array(Text, { description: 'Their models, five at most.' }),
    ids: Type.Array(Text, { description: 'Their reconciliation_ids, the newest first, a hundred at most.' }),
    oldest_at: Time,
    newest_at: Time,
    example: refTo(Reconciliation),
  },
  { $id: 'ReconciliationCause', description: 'Unresolved entries with the same cause, and the latest of them.' },
);
export type ReconciliationCauseView = Wire<typeof ReconciliationCause>;
