import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createIdFactory, MICROS_PER_DOLLAR, systemClock } from '@darkroom-service/contract';
import { acquireProcessLock, lockState, type ProcessLock, processLockPath } from '@darkroom-service/store';
import { anyAccount, DEFAULT_ACCOUNT, ensureDefaultAccount } from '../accounts/accounts.ts';
import { issueKey, rotateKey } from '../accounts/api-keys.ts';
import type { Act } from '../accounts/audit.ts';
import type { Database } from '../database/database.ts';
import { claimChore } from '../database/work.ts';
import type { FirstKeys } from './kernel/accounts.ts';

interface FirstStartOptions {
  readonly database: Database;
  readonly dataDirectory: string;
  /** Cell that the first keys name; null = none. */
  readonly cell: string | null;
  /** Whether a person reads what is printed; otherwise secrets are written to a file, so that none gets into a log. */
  readonly terminal: boolean;
  readonly print: (text: string) => void;
  /** Returns further lines for the person at the terminal. */
  readonly welcome?: (keys: FirstKeys) => readonly string[];
}

/** The file in the data directory with the first keys, if there is no terminal to show them. */
export const FIRST_KEYS_FILE = 'first-keys.txt';

const MARK = 'first_start';
const LOCK = 'first-start';
const TURN_MS = 60_000;

const FIRST_KEYS = [
  {
    mode: 'test',
    variable: 'DARKROOM_TEST_KEY',
    purpose: 'tries every model out on the built-in engine and costs nothing',
  },
  {
    mode: 'live',
    variable: 'DARKROOM_LIVE_KEY',
    purpose: "orders from the models' real engines, for at most 20 dollars a day",
  },
  {
    mode: 'admin',
    variable: 'DARKROOM_ADMIN_KEY',
    purpose: 'manages accounts, keys and engines under /admin/v1, and orders nothing',
  },
] as const;

/**
 * Creates the account `default` (without a credit limit) and one key of each kind on an empty database, and shows them
 * once. If a start was interrupted before that, the next one continues, with new secrets for the same keys.
 * @returns whether keys were shown.
 */
export async function firstStart(options: FirstStartOptions): Promise<boolean> {
  const lock = lockFirstStart(options.dataDirectory);
  if (lock === null) return false;
  try {
    return await createKeys(options);
  } finally {
    lock.release();
  }
}

/**
 * Takes the lock of the first start, so that one of several processes on a new data directory creates the keys.
 * @returns null if another process holds it
 */
function lockFirstStart(dataDirectory: string): ProcessLock | null {
  const directory = join(dataDirectory, 'processes');
  try {
    return acquireProcessLock(directory, LOCK);
  } catch (error) {
    if (lockState(processLockPath(directory, LOCK)) !== 'held') throw error;
    return null;
  }
}

async function createKeys(options: FirstStartOptions): Promise<boolean> {
  const { database, cell } = options;
  const createId = createIdFactory(() => systemClock.now(), cell);
  const by = { actor: 'first start', now: systemClock.now(), createId };
  if (!(await begin(database, by))) return false;
  const keys = [];
  for (const first of FIRST_KEYS) keys.push({ ...first, key: await firstKey(database, by, first.mode) });
  if (options.terminal) {
    const lines = keys.map(({ mode, key, purpose }) => `  ${key}\n      ${mode}: ${purpose}`);
    options.print(`Your first keys, shown this once:\n\n${lines.join('\n')}\n`);
    for (const text of options.welcome?.(secretsOf(keys)) ?? []) options.print(text);
  } else {
    const lines = keys.map(({ variable, key, purpose }) => `# ${purpose}\n${variable}=${key}\n`);
    const heading = '# The first keys of this installation. Note them elsewhere, then delete this file.\n';
    const path = join(options.dataDirectory, FIRST_KEYS_FILE);
    await writeSecretFile(path, heading + lines.join(''));
    options.print(
      `The first keys are in ${path}, readable by its owner alone. Sign in to the console with one of them. Note them, then delete the file.`,
    );
  }
  await setMark(database, 'done');
  return true;
}

function secretsOf(keys: readonly { readonly mode: keyof FirstKeys; readonly key: string }[]): FirstKeys {
  const secretOf = (mode: string) => keys.find((one) => one.mode === mode)?.key ?? '';
  return { test: secretOf('test'), live: secretOf('live'), admin: secretOf('admin') };
}

/** Tells whether this is the first start, or must finish it. */
async function begin(database: Database, by: Act): Promise<boolean> {
  const mark = await database.read.first(
    database.read.builder.selectFrom('secrets').select('value').where('name', '=', MARK),
  );
  if (mark?.value === 'begun') {
    await ensureDefaultAccount(database, by);
    return true;
  }
  if (mark !== undefined || (await anyAccount(database)) !== undefined) return false;
  // When several processes start on a new shared database, one of them creates the keys.
  if (database.kind === 'postgres' && !(await claimChore(database, MARK, TURN_MS))) return false;
  await setMark(database, 'begun');
  await ensureDefaultAccount(database, by);
  return true;
}

/** Creates a key, or a new secret for the one that an interrupted start left: nobody has seen its secret. */
async function firstKey(database: Database, by: Act, mode: 'test' | 'live' | 'admin'): Promise<string> {
  const name = `first ${mode}`;
  const left = await database.read.first(
    database.read.builder
      .selectFrom('api_keys')
      .select('id')
      .where('account_id', '=', DEFAULT_ACCOUNT)
      .where('name', '=', name)
      .where('revoked_at', 'is', null),
  );
  if (left !== undefined) return (await rotateKey(database, by, left.id, { graceMs: 0 })).key;
  const issued = await issueKey(database, by, {
    accountId: DEFAULT_ACCOUNT,
    mode,
    name,
    ...(mode === 'live' ? { spendLimits: { day: 20 * MICROS_PER_DOLLAR } } : {}),
  });
  return issued.key;
}

async function setMark(database: Database, value: 'begun' | 'done'): Promise<void> {
  await database.write('first_start', (trx) =>
    trx.run(
      trx.builder
        .insertInto('secrets')
        .values({ name: MARK, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
    ),
  );
}

/** Writes the file completely or not at all, and syncs it to disk before the start counts as done. */
async function writeSecretFile(path: string, text: string): Promise<void> {
  const aside = `${path}.tmp`;
  const file = await open(aside, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(aside, path);
}
