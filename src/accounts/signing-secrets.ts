import { createHmac } from 'node:crypto';
import { type Clock, isoTime, type SigningSecretsView, world } from '@darkroom-service/contract';
import type { Database, Session, Transaction } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import { type Act, recordAct } from './audit.ts';

/**
 * The installation's secrets that sign data held by outsiders: URLs of files and events, share links, callback URLs,
 * and client tokens. A rotation replaces all of them. The previous ones are accepted until its grace period ends.
 */

const NAMES = ['file_signature', 'client_tokens'] as const;
/** Name of a secret that signs. */
export type SigningSecretName = (typeof NAMES)[number];

/** A secret at one moment: the value that signs, and the values that are accepted. */
export interface SigningSecret {
  readonly signing: string;
  readonly accepted: readonly string[];
}

export interface SigningSecrets {
  of(name: SigningSecretName): SigningSecret;
  /** Reads now, after a change made in this process. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** The previous secret, stored beside the newest. Times are milliseconds since 1970 UTC. */
interface Previous {
  readonly value: string;
  /** Time until which it signs: every process must accept the newest secret before any process signs with it. */
  readonly signsUntil: number;
  readonly acceptedUntil: number;
}

interface Stored {
  readonly newest: string;
  readonly previous: Previous | null;
}

const REFRESH_MS = 1_000;
/** Milliseconds within which every process has read a rotation. */
const SPREAD_MS = 5_000;

/** Reads the secrets now and every second, and creates them at the first start. */
export async function openSigningSecrets(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly startRefresh: StartRefresh;
}): Promise<SigningSecrets> {
  const { database, clock } = options;
  await database.write('signing_secrets', async (trx) => {
    for (const name of NAMES) await put(trx, name, newSecret(), false);
  });
  let stored: Awaited<ReturnType<typeof readSecrets>> = new Map();
  const refresh = await options.startRefresh('signing_secrets', REFRESH_MS, async () => {
    stored = await readSecrets(database.read);
  });
  return {
    of: (name) => secretAt(stored.get(name), clock.now()),
    refresh: refresh.now,
    close: refresh.stop,
  };
}

/**
 * Replaces the secrets. The previous ones are accepted for `graceMs`, with 0 not at all; earlier ones no longer. With a
 * grace period the new ones sign after a few seconds, once every process knows them.
 */
export async function rotateSigningSecrets(
  database: Pick<Database, 'write'>,
  by: Act,
  { graceMs }: { readonly graceMs: number },
): Promise<SigningSecretsView> {
  const acceptedUntil = by.now + graceMs;
  await database.write('rotate_signing_secrets', async (trx) => {
    await by.binding?.within(trx, String(acceptedUntil));
    await trx.lock('signing_secrets');
    const stored = await readSecrets(trx);
    for (const name of NAMES) {
      const value = stored.get(name)?.newest;
      const previous: Previous | null =
        value === undefined ? null : { value, signsUntil: Math.min(by.now + SPREAD_MS, acceptedUntil), acceptedUntil };
      await put(trx, previousName(name), JSON.stringify(previous), true);
      await put(trx, name, newSecret(), true);
    }
    const detail = { grace_seconds: graceMs / 1000 };
    await recordAct(trx, by, { act: 'signing_secrets.rotate', target: null, detail });
  });
  return rotatedUntil(String(acceptedUntil));
}

/** Returns the answer of a rotation, also of a repeated one. @param subject text to which the rotation was bound */
export function rotatedUntil(subject: string): SigningSecretsView {
  return { previous_until: isoTime(Number(subject)) };
}

/**
 * Returns the key with which a CDN verifies file URLs: their signature is the base64url of the HMAC-SHA256 of
 * `<path below /files/>\n<expires>`. The key signs nothing else that the secret signs.
 */
export function edgeKeyOf(secret: string): string {
  return createHmac('sha256', secret).update('file URLs at the edge').digest('base64url');
}

/** Reads the signing value and the accepted values of one secret at a moment, without a running service. */
export async function readSigningSecret(
  session: Session,
  name: SigningSecretName,
  now: number,
): Promise<SigningSecret> {
  return secretAt((await readSecrets(session)).get(name), now);
}

function secretAt(stored: Stored | undefined, now: number): SigningSecret {
  if (stored === undefined) throw new Error('The database has no signing secrets. Start the service again.');
  const { newest, previous } = stored;
  if (previous === null || previous.acceptedUntil <= now) return { signing: newest, accepted: [newest] };
  const signing = now < previous.signsUntil ? previous.value : newest;
  return { signing, accepted: [newest, previous.value] };
}

async function readSecrets(session: Session): Promise<ReadonlyMap<SigningSecretName, Stored>> {
  const names = NAMES.flatMap((name) => [name, previousName(name)]);
  const rows = await session.all(session.builder.selectFrom('secrets').selectAll().where('name', 'in', names));
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  return new Map(
    NAMES.flatMap((name): [SigningSecretName, Stored][] => {
      const newest = values.get(name);
      const previous = JSON.parse(values.get(previousName(name)) ?? 'null') as Previous | null;
      return newest === undefined ? [] : [[name, { newest, previous }]];
    }),
  );
}

async function put(trx: Transaction, name: string, value: string, replaces: boolean): Promise<void> {
  await trx.run(
    trx.builder
      .insertInto('secrets')
      .values({ name, value })
      .onConflict((conflict) =>
        replaces ? conflict.column('name').doUpdateSet({ value }) : conflict.column('name').doNothing(),
      ),
  );
}

function previousName(name: SigningSecretName): string {
  return `${name}:previous`;
}

function newSecret(): string {
  return Buffer.from(world.randomBytes(32)).toString('base64url');
}
