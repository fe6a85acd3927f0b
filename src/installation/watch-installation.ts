import { hash } from 'node:crypto';
import { sleep, world } from '@darkroom-service/contract';
import type { Storage } from '@darkroom-service/media';
import type { Compilable, UpdateQueryBuilder, UpdateResult } from 'kysely';
import type { Log } from '../base/log.ts';
import { startWorkLoop } from '../base/work-loop.ts';
import type { Database, Session } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { identifyServer } from './identify-server.ts';
import {
  BEAT_EVERY_MS,
  BEAT_LASTS_MS,
  type Identity,
  judgeInstallation,
  type Mark,
  type Mismatch,
} from './judge-installation.ts';
import { readMark, writeMark } from './mark.ts';
import { ownStorage } from './own-storage.ts';
import {
  copiedAt,
  type InstallationRow,
  REASONS,
  type ReleaseChoice,
  readInstallation,
  type Suspension,
  type SuspensionCause,
  suspensionOf,
} from './suspension.ts';

/** Whether this installation may send orders and webhooks. */
export interface Installation {
  /** The suspension; null = orders and webhooks are sent. */
  readonly suspension: Suspension | null;
  /**
   * Returns the time when the database was copied, in ms since 1970, while it is held as a copy, as by DARKROOM_HOLD;
   * else null.
   */
  copiedAt(): number | null;
  /** The storage as this installation uses it. */
  readonly storage: Storage;
  /** Whether orders may be submitted now: not suspended, and certainly not by a copy. */
  maySubmit(): boolean;
  /** Whether tasks may be advanced at all: running orders go on while an operator suspends the service. */
  mayAdvance(): boolean;
  /** Reads the row at once. */
  refresh(): Promise<void>;
  /** Calls back when a worker has to carry out a release, and before it sends orders again after any suspension. */
  onRelease(carryOut: (suspension: Suspension) => Promise<void>, beforeSending: () => Promise<void>): void;
  stop(): Promise<void>;
}

interface InstallationOptions {
  readonly database: Database;
  readonly storage: Storage;
  /** Value of DARKROOM_HOLD. */
  readonly isSuspendedBySetting: boolean;
  readonly now: () => number;
  readonly createId: (prefix: string) => string;
  readonly log: Log;
  readonly refreshMs?: number | undefined;
  readonly beatEveryMs?: number | undefined;
}

const REFRESH_MS = 1_000;
/** Time that a start waits for the storage. Nothing is submitted until the mark is read. */
const START_WAITS_MS = 5_000;
const STOP_WAITS_MS = 1_000;
/** Number added to the beat by a successor: far above every beat that another copy commits until it reads the mark. */
const SUCCESSOR_BEATS = 1_000_000;

/**
 * Makes the row at the first start, marks the storage, and finds out whether this database is a copy.
 * @throws Error if the storage belongs to another installation
 */
export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { database, log, now, refreshMs = REFRESH_MS, beatEveryMs = BEAT_EVERY_MS } = options;
  let row = await ensureRow(database, options.createId('ins'));
  /** Highest beat seen committed, and a time before its commit: that of the last read that showed a lower beat. */
  let seen = { beat: row.beat, atMs: Number.NEGATIVE_INFINITY };
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  /** The beat at which the mark was last compared; null = not since the start, or since the database did not answer. */
  let comparedAt: number | null = null;
  let wasCompared = false;
  /** The server behind another connection may lack commits, so the row must be judged again first. */
  let judgedAfter = database.reconnects();
  let isSure = false;
  let judging: Promise<unknown> = Promise.resolve();
  let comparing: Promise<Mismatch | null> | null = null;
  let carryOut: ((suspension: Suspension) => Promise<void>) | null = null;
  let beforeSending = async () => {};
  const bySetting: Suspension = { cause: 'setting', message: null, since: now() };
  const suspension = () => suspensionOf(row) ?? (options.isSuspendedBySetting ? bySetting : null);
  const isJudged = () => isSure && judgedAfter === database.reconnects();
  const isSuspendedCopy = () => copiedAt(suspensionOf(row)) !== null;
  const heldAsCopySince = () => (options.isSuspendedBySetting ? bySetting.since : copiedAt(suspensionOf(row)));
  const storage = ownStorage(options.storage, () => ({ prefix: row.prefix, mayRemove: heldAsCopySince() === null }));

  await refresh();
  const first =
    suspensionOf(row)?.release === undefined
      ? await Promise.race([compare(), sleep(START_WAITS_MS, { ref: false })])
      : null;
  if (first === 'other_storage')
    throw new Error(
      `The storage belongs to another installation: installation.json in it names another id than ${row.id}. Give this one a storage or a prefix of its own (DARKROOM_STORAGE_URL, DARKROOM_DATA_DIR). If the other one is gone and this one takes its place, run: darkroom release --as successor`,
    );
  if (!isSuspendedCopy()) await beat();
  const began = suspension();
  if (began !== null) logSuspension(began.cause);
  const loop = startWorkLoop({
    look,
    restMs: refreshMs,
    onError(error) {
      isSure = false;
      comparedAt = null;
      log.error({ err: error }, 'could not check whether this installation is held; retrying, and sending nothing');
    },
  });

  return {
    get suspension() {
      return suspension();
    },
    copiedAt: heldAsCopySince,
    storage,
    maySubmit: () =>
      isJudged() && wasCompared && suspension() === null && world.monotonic() - seen.atMs < BEAT_LASTS_MS,
    mayAdvance: () => isJudged() && !isSuspendedCopy(),
    refresh,
    onRelease(work, before) {
      carryOut = work;
      beforeSending = before;
      loop.wake();
    },
    async stop() {
      await loop.stop();
      // With a short timeout: the storage may hang.
      await Promise.race([comparing, sleep(STOP_WAITS_MS, { ref: false })]);
    },
  };

  async function look(): Promise<number> {
    await refresh();
    const found = suspensionOf(row);
    if (found?.release !== undefined && carryOut !== null) {
      await carryOut(found);
      await endRelease(found, found.release);
    }
    if (!isSuspendedCopy() && world.monotonic() - seen.atMs >= beatEveryMs) await beat();
    // Not awaited: a storage that hangs must not stop the beats.
    if (comparedAt !== row.beat) void compare();
    return refreshMs;
  }

  async function refresh(): Promise<void> {
    await judge(null);
    isSure = true;
  }

  /** Runs one comparison at a time: an older row that arrives later would look rolled back. */
  function judge(mark: Mark | null): Promise<Mismatch | null> {
    const next = judging.then(
      () => judgeNow(mark),
      () => judgeNow(mark),
    );
    judging = next;
    return next;
  }

  /** Reads the row, and suspends the service if the row and the mark show that this is a copy. */
  async function judgeNow(mark: Mark | null): Promise<Mismatch | null> {
    const server = await identifyServer(database);
    const looksAtMs = world.monotonic();
    const { found, after } = await readRow();
    if (found === undefined) throw new Error('The table installation is empty; expected one row.');
    if (suspensionOf(row) !== null && suspensionOf(found) === null) await beforeSending();
    row = found;
    const known = { ...row, systemId: row.system_id, databaseOid: row.database_oid };
    const mismatch = judgeInstallation(known, { ...server, mark, seenBeat: seen.beat });
    if (row.beat > seen.beat) seen = { beat: row.beat, atMs: lookedAtMs };
    lookedAtMs = looksAtMs;
    judgedAfter = after;
    if (mismatch !== null && !isSuspendedCopy()) await suspend(mismatch);
    else if (mismatch === null && row.system_id === null && server.systemId !== null) await note(server);
    return mismatch;
  }

  /**
   * Reads the row. After a reconnect, by the connection that writes, since others may still lead to the former server.
   */
  async function readRow() {
    const read = async (session: Session) => ({
      after: database.reconnects(),
      found: await readInstallation(session),
    });
    return judgedAfter === database.reconnects()
      ? await read(database.read)
      : await database.write('read_installation', read);
  }

  async function suspend(cause: Mismatch): Promise<void> {
    const message = suspensionOf(row)?.message ?? null;
    const value = JSON.stringify({ cause, message, since: now() } satisfies Suspension);
    row = { ...row, held: value };
    logSuspension(cause);
    await update('hold', (set) => set.set({ held: value }));
  }

  function logSuspension(cause: SuspensionCause): void {
    log.warn({ cause, reason: REASONS[cause] }, 'held: no order and no webhook is sent');
  }

  /** Records the server to which a database was moved. */
  async function note({ systemId, databaseOid }: Identity): Promise<void> {
    await update('identify', (set) => set.set({ system_id: systemId, database_oid: databaseOid }));
  }

  /** Commits the next beat, unless another process has. */
  async function beat(): Promise<void> {
    const { beat: from } = row;
    await update('beat', (set) => set.set({ beat: from + 1, owner: world.randomUUID() }).where('beat', '=', from));
    await refresh();
  }

  /** Reads the mark and then the row, and writes the mark. An unavailable storage is asked again with the next poll. */
  function compare(): Promise<Mismatch | null> {
    comparing ??= compareNow()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'could not compare installation.json in the storage; retrying');
        return null;
      })
      .finally(() => {
        comparing = null;
      });
    return comparing;
  }

  async function compareNow(): Promise<Mismatch | null> {
    const mark = await readMark(storage);
    const mismatch = await judge(mark);
    wasCompared = true;
    const compared = row;
    if (mismatch === null && !isSuspendedCopy()) await writeMark(storage, compared);
    comparedAt = compared.beat;
    return mismatch;
  }

  /** Ends the hold. Two processes that do it at the same time write the same. */
  async function endRelease({ since }: Suspension, { as }: ReleaseChoice): Promise<void> {
    const { systemId, databaseOid } = await identifyServer(database);
    const { held: before } = row;
    const owner = `release-${since}`;
    const mark = await readMark(storage);
    const last = mark?.owner === owner ? mark.beat - SUCCESSOR_BEATS : Math.max(row.beat, mark?.beat ?? 0);
    const beat = last + SUCCESSOR_BEATS;
    // A directory that no other installation marks belongs to this one alone, as `restore` leaves it. A bucket may be
    // shared.
    const isAlone =
      options.storage.isLocal && row.prefix === null && (mark === null || mark.owner === owner) && as === 'copy';
    const id = as === 'copy' ? newId(row.id, since) : row.id;
    if (as === 'successor' || isAlone) await writeMark(storage, { id, owner, beat });
    await update('end_hold', (set) =>
      set
        .set({ id, owner, beat, system_id: systemId, database_oid: databaseOid, held: null })
        .set(as === 'copy' && !isAlone ? { prefix: `copies/${id}` } : {})
        .where('held', '=', before),
    );
    log.info({ as, installation: id }, 'released: orders and webhooks are sent again');
    await refresh();
  }

  async function update(
    name: string,
    change: (query: UpdateQueryBuilder<Schema, 'installation', 'installation', UpdateResult>) => Compilable<unknown>,
  ): Promise<void> {
    await database.write(name, (trx) => trx.run(change(trx.builder.updateTable('installation'))));
  }
}

/** Returns the new id, the same in every process that carries out a release. */
function newId(id: string, since: number): string {
  return `ins_${hash('sha256', `${id} ${since}`).slice(0, 26)}`;
}

async function ensureRow(database: Database, id: string): Promise<InstallationRow> {
  const known = await readInstallation(database.read);
  if (known !== undefined) return known;
  const { systemId: system_id, databaseOid: database_oid } = await identifyServer(database);
  const values = { row: 1, id, owner: world.randomUUID(), beat: 0, system_id, database_oid };
  return await database.write('installation', async (trx) => {
    await trx.run(
      trx.builder
        .insertInto('installation')
        .values({ ...values, held: null, prefix: null, sweep_stopped: null })
        .onConflict((conflict) => conflict.column('row').doNothing()),
    );
    return (await readInstallation(trx))!;
  });
}
