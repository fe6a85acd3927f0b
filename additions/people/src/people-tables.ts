import type { AnyRole } from '@darkroom-service/contract';
import type { Fixed } from '@darkroom-service/store';

declare module '../../../src/database/schema.ts' {
  interface Schema {
    people: PeopleTable;
    memberships: MembershipsTable;
    person_keys: PersonKeysTable;
    person_sessions: PersonSessionsTable;
    invitations: InvitationsTable;
  }
}

/** A person who has signed in with the provider: `issuer` and `subject` name them, never the email. */
interface PeopleTable {
  id: Fixed<string>;
  issuer: Fixed<string>;
  subject: Fixed<string>;
  email: string | null;
  name: string;
  created_at: Fixed<number>;
  signed_in_at: number;
}

/** Role of a person in an account, or as an operator. The higher role of an invitation and of groups counts. */
interface MembershipsTable {
  person_id: Fixed<string>;
  /** Account; empty: the operators. */
  account_id: Fixed<string>;
  /** Source of the role. `group`: follows the groups of the provider. */
  source: Fixed<'group' | 'invitation'>;
  role: AnyRole;
  created_at: Fixed<number>;
}

/** Key without a secret that a person's orders belong to, for each account and mode. */
interface PersonKeysTable {
  key_id: Fixed<string>;
  person_id: Fixed<string>;
  /** Account; empty: the operators. */
  account_id: Fixed<string>;
  mode: Fixed<'live' | 'test' | 'admin'>;
}

interface PersonSessionsTable {
  id: Fixed<string>;
  /** SHA-256 (hex) of the secret that its browser or command line has; of a code, with the challenge that it needs. */
  hash: string;
  person_id: Fixed<string>;
  kind: Fixed<'console' | 'cli'>;
  /** Provider's id of its own session; null = it gave none. */
  provider_session: Fixed<string | null>;
  /** Provider's tokens, sealed; `CheckTokens` as JSON. */
  tokens_sealed: string;
  created_at: Fixed<number>;
  /** Time when it was last traded for a bearer. */
  seen_at: number;
  /** Time when the provider last confirmed that the person still has access. */
  checked_at: number;
  /** Time until which one process asks the provider; 0 = no process asks. */
  checking_until: number;
  expires_at: number;
}

interface InvitationsTable {
  id: Fixed<string>;
  /** SHA-256 (hex) of the token in its link. */
  hash: Fixed<string>;
  /** Account; empty: the operators. */
  account_id: Fixed<string>;
  role: Fixed<AnyRole>;
  /** Address of the person who may accept it; null = anyone who has the link. */
  email: Fixed<string | null>;
  invited_by: Fixed<string>;
  created_at: Fixed<number>;
  expires_at: Fixed<number>;
}

export const PEOPLE_TABLES = `
create table people (
  id text not null, issuer text not null, subject text not null, email text, name text not null,
  created_at bigint not null, signed_in_at bigint not null, constraint people_pk primary key (id)
);
create unique index people_by_subject on people (subject, issuer);
create table memberships (
  person_id text not null, account_id text not null, source text not null, role text not null,
  created_at bigint not null, constraint memberships_pk primary key (person_id, account_id, source)
);
create index memberships_by_account on memberships (account_id, person_id);
create table person_keys (
  key_id text not null, person_id text not null, account_id text not null, mode text not null,
  constraint person_keys_pk primary key (person_id, account_id, mode)
);
create index person_keys_by_key on person_keys (key_id);
create table person_sessions (
  id text not null, hash text not null, person_id text not null, kind text not null, provider_session text,
  tokens_sealed text not null, created_at bigint not null, seen_at bigint not null, checked_at bigint not null,
  checking_until bigint not null, expires_at bigint not null, constraint person_sessions_pk primary key (id)
);
create unique index person_sessions_by_hash on person_sessions (hash);
create index person_sessions_by_person on person_sessions (person_id, id);
create index person_sessions_by_provider_session on person_sessions (provider_session);
create table invitations (
  id text not null, hash text not null, account_id text not null, role text not null, email text,
  invited_by text not null, created_at bigint not null, expires_at bigint not null,
  constraint invitations_pk primary key (id)
);
create unique index invitations_by_hash on invitations (hash);
create index invitations_by_account on invitations (account_id, id);
`;
