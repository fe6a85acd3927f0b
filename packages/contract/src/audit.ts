import { Type } from 'typebox';
import type { JsonObject } from './json.ts';
import { AnyObject, Nullable, Text, Time, type Wire } from './parts.ts';

export const AuditAct = Type.Object(
  {
    audit_id: Text,
    actor: Type.String({ description: 'A key_id, the id of a person, or the name of a program.' }),
    actor_kind: Type.Enum(['key', 'person', 'program']),
    actor_name: Nullable(Text, 'As the actor was called then.'),
    address: Nullable(Text, 'Where the request came from, or the host of the command.'),
    act: Text,
    target: Nullable(Text),
    detail: Type.Unsafe<JsonObject>({
      ...AnyObject,
      description:
        'Of a change, `before` and `after` hold the fields that differ. Values that may be secret are masked.',
    }),
    created_at: Time,
  },
  { $id: 'AuditAct', description: 'An entry of the audit log.' },
);
export type AuditEntry = Wire<typeof AuditAct>;
