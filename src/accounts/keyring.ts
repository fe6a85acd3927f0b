import { type Clock, type ErrorCode, isoTime, ServiceError } from '@darkroom-service/contract';
import { type Selectable, sql } from 'kysely';
import type { Database, Session } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { hiddenModelsOf, modelsOf, priceRulesOf } from './account-json.ts';
import type { ApiKey } from './api-key.ts';
import { type Grant, isGrant, type OpenedGrant, readGrant, writeGrant } from './grant.ts';
import { hashSecret, parseKey } from './key-secret.ts';
import type { SigningSecret } from './signing-secrets.ts';

/**
 * Authenticates callers. Keys are cached for two seconds, so that a revocation by another process takes effect soon.
 */
export interface Keyring {
  /** @throws ServiceError with one of the four 401 codes, and `WWW-Authenticate`. */
  authenticate(authorization: string | undefined): Promise<ApiKey>;
  /**
   * Returns the key as this process knew it within the last hour, for while the database is unavailable. It may have
   * been revoked since, so it must not give access to data of customers. Null = not known.
   * @throws ServiceError if there is no key
   */
  recall(authorization: string | undefined): ApiKey | null;
  /** Issues a token with a part of the rights of the key in the header. @throws ServiceError like `authenticate` */
  issueGrant(authorization: string | undefined, grant: Grant): Promise<string>;
  /**
   * Issues a token of a key that has no secret, for the person who owns it. @param keyHash hash whose change ends the
   * token
   */
  issuePersonToken(key: { readonly id: string; readonly hash: string }, grant: Grant): string;
  /** Clears the cache after a change to keys or accounts, so that the change takes effect at once in this process. */
  forget(): void;
}

const BELIEVED_MS = 2_000;
const REMEMBERED = 10_000;
const RECALLED_MS = 3_600_000;
const BEARER = /^bearer +(\S+) *$/i;

interface Remembered {
  readonly key: ApiKey;
  /** Time of caching. The entry is not used before it: a clock that is set back must not extend the cache time. */
  readonly from: number;
  readonly until: number;
  /** Milliseconds since 1970 when the key or token expires. */
  readonly ends: number;
}

/** Returns a key by its id, in any state and without its secret, for work on its behalf. Null if there is none. */
export async function findKeyById(
  session: Session,
  id: string,
): Promise<(ApiKey & { readonly revoked: boolean }) | null> {
  const row = await session.first(findKeyOfId, { id });
  return row === undefined ? null : { ...keyOf(row), revoked: row.revoked_at !== null };
}

/**
 * Creates the check of API keys and client tokens.
 * @param options.clientSecrets returns the secrets that sign client tokens and are accepted now
 * @param options.cell the cell that client tokens name; null = none
 */
export function createKeyring(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly clientSecrets: () => SigningSecret;
  readonly cell: string | null;
}): Keyring {
  const { database, clock, cell } = options;

  /** Returns the key of a client token, and the hash of the key's secret that issued it. */
  async function findIssuer({ keyId, isSignedWith }: OpenedGrant) {
    const row = await database.read.first(findKeyOfId, { id: keyId });
    const { accepted } = options.clientSecrets();
    const hash = [row?.hash, row?.previous_hash].find(
      (known) => known != null && accepted.some((secret) => isSignedWith(known, secret)),
    );
    return row === undefined || hash == null ? null : { row, hash };
  }

  const remembered = new Map<string, Remembered>();
  return {
    async authenticate(authorization) {
      const secret = secretIn(authorization);
      const name = hashSecret(secret);
      const known = remembered.get(name);
      const now = clock.now();
      if (known !== undefined && known.from <= now && now < known.until) return known.key;
      const token = isGrant(secret) ? readGrant(secret) : null;
      if (token === null && parseKey(secret) === null)
        throw refusal('invalid_api_key', isGrant(secret) ? UNKNOWN_TOKEN : MISTYPED);
      const found = token === null ? await findByHash(database.read, name) : await findIssuer(token);
      // Deleting first moves the entry to the end of the map, so that the first entry is always the oldest.
      remembered.delete(name);
      if (found === null) throw refusal('invalid_api_key', token === null ? UNKNOWN_KEY : UNKNOWN_TOKEN);
      const { row, hash } = found;
      const until = endOf(row, hash);
      if (row.revoked_at !== null)
        throw refusal('revoked_api_key', `The API key '${row.name}' was revoked. Ask the operator for a new key.`);
      if (row.hash !== hash && until <= now) {
        throw refusal(
          'revoked_api_key',
          `This secret of the API key '${row.name}' was replaced by rotation. Use the new secret.`,
        );
      }
      if (until <= now) {
        throw refusal(
          'expired_api_key',
          `The API key '${row.name}' expired at ${new Date(until).toISOString()}. Ask the operator for a new key.`,
        );
      }
      const grant = token?.grant;
      if (grant !== undefined && grant.expiresAt <= now)
        throw refusal('expired_api_key', `The client token expired at ${isoTime(grant.expiresAt)}. Ask for a new one.`);
      const key = grant === undefined ? keyOf(row) : Object.freeze({ ...keyOf(row), ...viewOf(grant), client: grant });
      if (remembered.size >= REMEMBERED) {
        const oldest = remembered.keys().next().value;
        if (oldest !== undefined) remembered.delete(oldest);
      }
      const end = Math.min(now + BELIEVED_MS, until, grant?.expiresAt ?? until);
      remembered.set(name, { key, from: now, until: end, ends: Math.min(until, grant?.expiresAt ?? until) });
      return key;
    },
    recall(authorization) {
      const known = remembered.get(hashSecret(secretIn(authorization)));
      const now = clock.now();
      return known !== undefined && now < Math.min(known.from + RECALLED_MS, known.ends) ? known.key : null;
    },
    async issueGrant(authorization, grant) {
      const { id } = await this.authenticate(authorization);
      const hash = hashSecret(secretIn(authorization));
      return writeGrant({ id, hash, cell }, grant, options.clientSecrets().signing);
    },
    issuePersonToken: (key, grant) => writeGrant({ ...key, cell }, grant, options.clientSecrets().signing),
    forget: () => remembered.clear(),
  };
}

function viewOf({ person }: Grant): Partial<Pick<ApiKey, 'accountView'>> {
  return person === undefined ? {} : { accountView: person.accountView };
}

const MISTYPED = 'The API key is invalid: its checksum is wrong. Copy the whole key again (dk_live_… or dk_test_…).';

const UNKNOWN_KEY = 'The API key is unknown. Check that it belongs to this service.';
const UNKNOWN_TOKEN =
  'The client token is invalid, or the key that issued it has another secret by now. Ask for a new one.';

async function findByHash(session: Session, hash: string) {
  const row = await session.first(findKey, { hash });
  return row === undefined ? null : { row, hash };
}

interface KeyringRow extends Selectable<Schema['api_keys']> {
  readonly account_name: string;
  readonly credit_limit: number | null;
  readonly price_rules_json: string;
  readonly hidden_models_json: string;
  readonly webhook_url: string | null;
  readonly test_webhook_url: string | null;
  readonly deliver_json: string | null;
  /** 1 if an end user of the key has limits of its own. */
  readonly limits_end_users: number;
}

const ACCOUNT_COLUMNS = [
  'accounts.name as account_name',
  'credit_limit',
  'price_rules_json',
  'hidden_models_json',
  'webhook_url',
  'test_webhook_url',
  'deliver_json',
] as const;

/** Ordered, since PostgreSQL would otherwise read all end users to find that none of a key has limits. */
const LIMITS_END_USERS = sql<number>`case when (
  select end_user from end_users where end_users.api_key_id = api_keys.id and limits_json <> '{}'
  order by end_user limit 1
) is null then 0 else 1 end`.as('limits_end_users');

const findKey = prepare<{ hash: string }, KeyringRow>('find_key', (builder, argument) =>
  builder
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('api_keys')
    .select(ACCOUNT_COLUMNS)
    .select(LIMITS_END_USERS)
    .where((expression) =>
      expression.or([expression('hash', '=', argument('hash')), expression('previous_hash', '=', argument('hash'))]),
    ),
);

const findKeyOfId = prepare<{ id: string }, KeyringRow>('find_key_of_id', (builder, argument) =>
  builder
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('api_keys')
    .select(ACCOUNT_COLUMNS)
    .select(LIMITS_END_USERS)
    .where('api_keys.id', '=', argument('id')),
);

/** Returns the time at which the secret becomes invalid: the key expires, or the grace period of a rotation ends. */
function endOf(row: KeyringRow, hash: string): number {
  const end = row.expires_at ?? Number.POSITIVE_INFINITY;
  return row.hash === hash ? end : Math.min(end, row.previous_until ?? 0);
}

function keyOf(row: KeyringRow): ApiKey {
  return Object.freeze({
    id: row.id,
    mode: row.mode,
    name: row.name,
    expiresAt: row.expires_at,
    models: modelsOf(row),
    createsPerMinute: row.rpm,
    readsPerMinute: row.read_rpm,
    concurrency: row.concurrency,
    queueLimit: row.queue_limit,
    spendLimits: { day: row.spend_day, month: row.spend_month, total: row.spend_total },
    endUserLimits: { day: row.end_user_day, month: row.end_user_month, total: row.end_user_total },
    timezone: row.timezone ?? 'UTC',
    limitsEndUsers: Number(row.limits_end_users) === 1,
    accountView: row.account_view === 1,
    approveOver: row.approve_over,
    account: {
      id: row.account_id,
      name: row.account_name,
      creditLimit: row.credit_limit,
      priceRules: priceRulesOf(row),
      hiddenModels: hiddenModelsOf(row),
      webhookUrl: row.mode === 'test' ? row.test_webhook_url : row.webhook_url,
      deliverTo: row.mode === 'test' ? null : row.deliver_json,
    },
  });
}

function secretIn(authorization: string | undefined): string {
  if (authorization === undefined || authorization.trim() === '') {
    throw refusal('missing_api_key', "Send your API key in the header 'Authorization: Bearer <key>'.");
  }
  const match = BEARER.exec(authorization);
  if (match?.[1] === undefined) {
    throw refusal(
      'missing_api_key',
      "The header 'Authorization' has an invalid format. Send 'Authorization: Bearer <key>'.",
    );
  }
  return match[1];
}

function refusal(code: ErrorCode, message: string): ServiceError {
  return new ServiceError(code, message, { headers: { 'www-authenticate': 'Bearer' } });
}
