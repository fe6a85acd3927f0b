import { Type } from 'typebox';
import { Flag, listOf, Nullable, Text, Time, Whole, type Wire } from './parts.ts';

export const LoggedRequest = Type.Object(
  {
    entry_id: Text,
    answered_at: Time,
    key_id: Text,
    account_id: Text,
    method: Text,
    path: Type.String({ description: 'As documented, such as /v1/images/{task_id}; without a query.' }),
    status: Nullable(Whole, 'Null if the caller closed the connection before the answer was complete.'),
    code: Nullable(Text, 'The code of the error that was answered.'),
    duration_ms: Whole,
    request_id: Text,
    task_id: Nullable(Text, 'The order that the request placed or named.'),
  },
  { $id: 'LoggedRequest', description: 'A request that a key sent, and how it was answered.' },
);
export type LoggedRequestView = Wire<typeof LoggedRequest>;

export const LoggedRequestPage = listOf(LoggedRequest, {
  limit: Whole,
  has_more: Flag,
  next_after: Nullable(Text, 'Send it as after to get the next page; null = this is the last page.'),
});
