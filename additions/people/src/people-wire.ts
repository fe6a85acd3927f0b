import { ACCOUNT_ROLES, ROLES } from '@darkroom-service/contract';
import {
  CLOSED,
  closedObject,
  Flag,
  listOf,
  Nullable,
  refTo,
  Text,
  Time,
  Whole,
  type Wire,
} from '@darkroom-service/contract/parts';
import { EndUser, EndUserChange, Task } from '@darkroom-service/contract/schemas';
import { Type } from 'typebox';

export const Email = Type.String({ maxLength: 200, pattern: '^[^@\\s]+@[^@\\s]+$', examples: ['ada@example.com'] });
const ByGroup = Type.Boolean({ description: 'Whether a group of the provider gives the role, too: it stays then.' });

export const Member = Type.Object(
  {
    person_id: Text,
    name: Text,
    email: Nullable(Text),
    role: Type.Enum(ACCOUNT_ROLES),
    by_group: ByGroup,
    limits: Type.Object(EndUser.properties.limits.properties, {
      description: 'What the person may spend with live orders, per day, per month and in total.',
    }),
    windows: EndUser.properties.windows,
    signed_in_at: Type.String({ format: 'date-time', description: 'When the person last signed in.' }),
  },
  { $id: 'Member', description: 'A person who belongs to the account.' },
);
export type MemberView = Wire<typeof Member>;

export const MemberChange = Type.Object(
  {
    role: Type.Optional(Type.Enum(ACCOUNT_ROLES)),
    limits: Type.Optional(EndUserChange.properties.limits),
  },
  { ...CLOSED, title: 'MemberChange', minProperties: 1 },
);
/** Query of a removal: removing a person ends no API key. */
export const RemovalQuery = closedObject({
  revoke_keys: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'true = also revokes the keys that the answer lists, for good' }),
  ),
});
const KnownKey = Type.Object({
  key_id: Text,
  account_id: Text,
  mode: Type.Enum(['live', 'test', 'admin']),
  name: Text,
  created_at: Time,
  revoked_at: Nullable(Time, 'Null = it works.'),
});
export type KnownKeyView = Wire<typeof KnownKey>;
const KnownKeys = Type.Array(KnownKey, {
  description:
    'The API keys whose secret the person was shown, by the audit log: those that worked until now. They go on working, unless `revoke_keys` ended them.',
});

export const MemberDeletion = Type.Object(
  { person_id: Text, removed_at: Time, keys: KnownKeys },
  { $id: 'MemberDeletion', description: 'A person who no longer belongs to the account.' },
);

export const Invitation = Type.Object(
  {
    invitation_id: Text,
    account_id: Nullable(Text, 'Null = to the operators.'),
    role: Type.Enum(ROLES),
    email: Nullable(Text, 'Only a person with this verified address can accept it; null = whoever has the link.'),
    invited_by: Type.String({ description: 'A person_id, a key_id, or `command line`.' }),
    created_at: Time,
    expires_at: Time,
  },
  { $id: 'Invitation', description: 'An invitation that nobody has accepted yet.' },
);
export type InvitationView = Wire<typeof Invitation>;

export const IssuedInvitation = Type.Object(
  {
    ...Invitation.properties,
    url: Nullable(
      Type.String({ format: 'uri' }),
      'The link that accepts it, once. It is shown once: null in the answer to a repeated request.',
    ),
  },
  { $id: 'IssuedInvitation', description: 'A new invitation with its link.' },
);
export const NewInvitation = Type.Object(
  { role: Type.Enum(ACCOUNT_ROLES), email: Type.Optional(Nullable(Email)) },
  { ...CLOSED, title: 'NewInvitation' },
);
export const AdminInvitation = Type.Object(
  {
    account_id: Type.Optional(
      Nullable(Type.String({ maxLength: 64 }), 'null or left out = to the operators, as operator or owner'),
    ),
    role: Type.Enum(ROLES),
    email: Type.Optional(Nullable(Email)),
  },
  { ...CLOSED, title: 'AdminInvitation' },
);

export const Person = Type.Object(
  {
    person_id: Text,
    name: Text,
    email: Nullable(Text),
    memberships: Type.Array(
      Type.Object({
        account_id: Nullable(Text, 'Null = of the operators.'),
        role: Type.Enum(ROLES),
        by_group: ByGroup,
      }),
    ),
    sessions: Type.Integer({ description: 'In how many browsers and command lines the person is signed in.' }),
    created_at: Time,
    signed_in_at: Time,
  },
  { $id: 'Person', description: 'Somebody who has signed in with the provider.' },
);
export type PersonView = Wire<typeof Person>;

export const RemovedPerson = Type.Object(
  { ...Person.properties, keys: KnownKeys },
  { $id: 'RemovedPerson', description: 'A person as they were, and the API keys that they know.' },
);

export const RoleChange = Type.Object(
  {
    account_id: Nullable(Type.String({ maxLength: 64 }), 'null = as an operator'),
    role: Nullable(Type.Enum(ROLES), 'null = none'),
  },
  { ...CLOSED, title: 'RoleChange' },
);

export const AccountTask = Type.Object(
  {
    task: refTo(Task),
    ordered_by: Type.Object({
      key_id: Text,
      person_id: Nullable(Text, 'Null = an API key ordered it.'),
      name: Type.String({ description: 'Of the person, or of the key.' }),
    }),
  },
  { $id: 'AccountTask', description: 'An order of somebody in the account.' },
);
export type AccountTaskView = Wire<typeof AccountTask>;
export const AccountTaskPage = listOf(AccountTask, {
  limit: Whole,
  has_more: Flag,
  next_after: Nullable(Text, 'Send it as after to get the next page; null = this is the last page.'),
  found_by: Nullable(
    Type.Enum(['task', 'end_user', 'text']),
    "What the search named: an order, your own customer's id, or any text; null without a search.",
  ),
  searched_since: Nullable(
    Time,
    'A search looked at the orders that were placed since then; older ones follow with `next_after`. Null = nothing was left out.',
  ),
});
