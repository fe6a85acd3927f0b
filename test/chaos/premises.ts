import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdFactory } from '@darkroom-service/contract';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { openStorage } from '@darkroom-service/files';
import type { Storage } from '@darkroom-service/media';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '@darkroom-service/testing';
import { createAccount } from '../../src/accounts/accounts.ts';
import { issueKey } from '../../src/accounts/api-keys.ts';
import { ensureSecret } from '../../src/additions/webhooks/webhook-secrets.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Tempo } from '../../src/service/service-options.ts';
import { ADDED } from '../helpers/additions.ts';
import { copyInstallation } from '../helpers/copied-installation.ts';
import { askPostgres } from '../helpers/postgres-server.ts';
import { writeCatalog } from './chaos-catalog.ts';
import { createTurn, type Turn } from './create-turn.ts';
import { SUSPENDED_PATH } from './fake-upstream.ts';
import { createFleet, type Fleet, type MemberWish } from './fleet.ts';
import { type OwnPostgres, openOwnPostgres } from './own-postgres.ts';
import { openPostgresPair, type PostgresPair } from './postgres-pair.ts';

/**
 * `shared`: three processes that answer and three that work, on PostgreSQL and S3. `embedded`: one process, as
 * `npm start` makes it.
 */
export type Setting = 'shared' | 'embedded';

/** The service, database and helpers of one run, made new and removed afterwards. */
export interface Premises {
  /** Null where it is the only installation. */
  readonly cell: string | null;
  readonly fleet: Fleet;
  /** Null where the database is embedded. */
  readonly postgres: OwnPostgres | PostgresPair | null;
  /** Keys that order: one without limits, one that has few tasks at once, one of another account. */
  readonly keys: readonly { readonly secret: string; readonly account: string }[];
  readonly adminKey: string;
  readonly accounts: readonly string[];
  readonly webhookSecrets: readonly string[];
  /** What holds the service, or moves it, is done one after the other. */
  readonly inTurn: Turn;
  /** Copies the database, for a process of its own that may send nothing. */
  copy(): Promise<{ readonly beside: MemberWish; remove(): Promise<void> }>;
  /** Kills everything and starts it with a copy of its database. */
  moveToCopy(): Promise<void>;
  openDatabase(): Promise<Database>;
  openStorage(): Promise<Storage>;
  close(): Promise<void>;
}

export interface PremisesOptions {
  readonly setting: Setting;
  readonly upstream: string;
  readonly hardDeadlineMs: number;
  readonly tempo: Tempo;
  /** By default it is the whole installation. */
  readonly cell?: CellPlace | null;
}

/** One of several whole installations behind one proxy. */
export interface CellPlace {
  readonly name: string;
  /** The address of the proxy. */
  readonly publicUrl: string;
  readonly storageUrl: string;
  readonly hasStandby: boolean;
}

const ACCOUNTS = ['one', 'two'];
const PROCESSES_OF_A_ROLE = 3;
/** Several cells share one machine. */
const PROCESSES_OF_A_ROLE_IN_A_CELL = 2;
const CREDIT = 1_000_000_000;

export async function openPremises(options: PremisesOptions): Promise<Premises> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    return await open(options, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  { setting, upstream, hardDeadlineMs, tempo, cell = null }: PremisesOptions,
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<Premises> {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-chaos-'));
  closers.push(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const catalog = join(directory, 'catalog');
  await writeCatalog(catalog);
  const isShared = setting === 'shared';
  const postgres = !isShared ? null : cell?.hasStandby === true ? await openPostgresPair() : await openOwnPostgres();
  if (postgres !== null) closers.push(() => postgres.close());
  const s3 = isShared && cell === null ? await startS3Server() : null;
  if (s3 !== null) closers.push(() => s3.close());
  const storageUrl = cell?.storageUrl ?? (s3 && storageUrlOf(s3, await s3.makeBucket(), 'files'));
  /** Where the database is now: a restore moves it. */
  let place = { databaseUrl: await makeDatabase(postgres), dataDirectory: join(directory, 'all') };
  await mkdir(place.dataDirectory);
  const database = () =>
    openDatabase({ url: place.databaseUrl, path: join(place.dataDirectory, 'darkroom.db'), added: ADDED });

  const shared = {
    DARKROOM_CATALOG_DIR: catalog,
    DARKROOM_LOG_LEVEL: 'error',
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.1/32',
    DARKROOM_HARD_DEADLINE_MINUTES: String(hardDeadlineMs / 60_000),
    DARKROOM_DRAIN_SECONDS: '6',
    ...(place.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: place.databaseUrl }),
    ...(storageUrl === null
      ? {}
      : {
          DARKROOM_STORAGE_URL: storageUrl,
          AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
          AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
        }),
    ...(cell === null ? {} : { DARKROOM_CELL: cell.name, DARKROOM_TRUST_PROXY: '127.0.0.1' }),
  };
  const processes = cell === null ? PROCESSES_OF_A_ROLE : PROCESSES_OF_A_ROLE_IN_A_CELL;
  const roles = isShared
    ? (['api', 'worker'] as const).flatMap((role) => Array.from({ length: processes }, () => role))
    : (['all'] as const);
  const wishes = [];
  let publicUrl = cell?.publicUrl ?? '';
  for (const [place, role] of roles.entries()) {
    const name = [cell?.name ?? [], role, role === 'all' ? [] : place].flat().join('-');
    const port = role === 'worker' ? 0 : await freePort();
    const url = role === 'worker' ? null : `http://127.0.0.1:${port}`;
    if (publicUrl === '') publicUrl = url ?? '';
    const variables = {
      ...shared,
      DARKROOM_ROLE: role,
      DARKROOM_PORT: String(port),
      DARKROOM_PUBLIC_URL: publicUrl,
      DARKROOM_DATA_DIR: join(directory, name),
    };
    wishes.push({ name, url, wish: { variables, upstream, tempo } });
  }
  const accounts = ACCOUNTS.map((account) => `${cell?.name ?? 'chaos'}-${account}`);
  const furniture = await furnish(await database(), accounts, cell?.name ?? null);
  const whileUp: Turn = postgres === null ? (deed) => deed() : postgres.whileUp;
  const copyPlace = (removers: (() => Promise<unknown>)[]) =>
    whileUp(() => copyInstallation({ after: (close) => removers.push(close) }, { config: place }));
  const fleet = createFleet(wishes);
  closers.push(() => fleet.close());
  return {
    ...furniture,
    cell: cell?.name ?? null,
    fleet,
    postgres,
    accounts,
    inTurn: createTurn(),
    async copy() {
      const removers: (() => Promise<unknown>)[] = [];
      const port = await freePort();
      const variables = {
        ...shared,
        ...(await copyPlace(removers)),
        DARKROOM_ROLE: 'all',
        DARKROOM_PORT: String(port),
        DARKROOM_PUBLIC_URL: publicUrl,
      };
      const wish = { variables, upstream: upstream + SUSPENDED_PATH, tempo };
      return {
        beside: { name: 'the copy', url: `http://127.0.0.1:${port}`, wish },
        remove: () =>
          whileUp(async () => {
            for (const each of removers) await each();
          }),
      };
    },
    moveToCopy: () =>
      fleet.moveTo(async () => {
        const { DARKROOM_DATABASE_URL: url, DARKROOM_DATA_DIR: copied = '' } = await copyPlace(closers);
        place = url === undefined ? { ...place, dataDirectory: copied } : { ...place, databaseUrl: url };
        return url === undefined ? { DARKROOM_DATA_DIR: copied } : { DARKROOM_DATABASE_URL: url };
      }),
    openDatabase: database,
    openStorage: () => {
      const files = join(place.dataDirectory, 'files');
      return openStorage({ url: storageUrl, directory: files, s3: { credentials: S3_CREDENTIALS } });
    },
    close,
  };
}

/** PostgreSQL copies a database only from another one. */
async function makeDatabase(postgres: OwnPostgres | null): Promise<string | null> {
  if (postgres === null) return null;
  await askPostgres(postgres.url, 'create database darkroom');
  return postgres.addressOf('darkroom');
}

export function storageUrlOf({ endpoint }: S3Server, bucket: string, prefix: string): string {
  return `s3://${bucket}/${prefix}?endpoint=${endpoint}&region=us-east-1`;
}

async function furnish(
  database: Database,
  accounts: readonly string[],
  cell: string | null,
): Promise<Pick<Premises, 'keys' | 'adminKey' | 'webhookSecrets'>> {
  try {
    const by = { actor: 'chaos', now: Date.now(), createId: createIdFactory(() => Date.now(), cell) };
    const [one = '', two = ''] = accounts;
    for (const id of accounts) await createAccount(database, by, { id, name: id, creditLimit: CREDIT });
    const issue = async (account: string, concurrency: number) => {
      const wish = { accountId: account, mode: 'live', readsPerMinute: 0, concurrency } as const;
      return { secret: (await issueKey(database, by, wish)).key, account };
    };
    const keys = [await issue(one, 0), await issue(one, 4), await issue(two, 0)];
    const { key: adminKey } = await issueKey(database, by, {
      accountId: one,
      mode: 'admin',
      readsPerMinute: 0,
      concurrency: 0,
    });
    const secrets: string[] = [];
    for (const id of accounts)
      secrets.push(
        ...(await ensureSecret(database, { accountId: id, mode: 'live' }, Date.now())).map(({ secret }) => secret),
      );
    return { keys, adminKey, webhookSecrets: secrets };
  } finally {
    await database.close();
  }
}
