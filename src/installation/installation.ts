import { sleep, world } from '@darkroom-service/contract';
import type { Storage } from '@darkroom-service/media';
import type { Log } from '../base/log.ts';
import { startWorkLoop, type WorkLoop } from '../base/work-loop.ts';
import type { Database, Session } from '../database/database.ts';
import { endRelease } from './end-release.ts';
import { identifyServer } from './identify-server.ts';
import { ensureRow, updateRow } from './installation-row.ts';
import { BEAT_EVERY_MS, BEAT_LASTS_MS, judgeInstallation, type Mark, type Mismatch } from './judge-installation.ts';
import { readMark, writeMark } from './mark.ts';
import { ownStorage } from './own-storage.ts';
import {
  copiedAt,
  type InstallationRow,
  REASONS,
  readInstallation,
  type Suspension,
  type SuspensionCause,
  suspensionOf,
} from './suspension.ts';

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

/**
 * Decides whether this installation may send orders and webhooks. It submits orders while all of this holds:
 *
 * - *judged*: its row was read since the last fault and the last reconnect (`#judge`).
 * - *compared*: the mark in the storage was compared with the row since the start (`#compare`).
 * - *not suspended*, by its row or by DARKROOM_HOLD. A release in the row ends the suspension (`#release`).
 * - *fresh*: its last beat was committed a short time ago (`#beat`), so no copy can have taken its place unseen.
 */
export class Installation {
  /** The storage as this installation uses it. */
  readonly storage: Storage;
  readonly #options: InstallationOptions;
  readonly #bySetting: Suspension | null;
  #row: InstallationRow;

  #isSure = false;
  /** Number of reconnects before the row was judged: the server behind another connection may lack commits. */
  #judgedAfter: number;
  /** Judges one at a time: an older row that arrives later would look rolled back. */
  #judging: Promise<unknown> = Promise.resolve();

  #wasCompared = false;
  /** The beat at which the mark was last compared; null = not since the start, or since the database did not answer. */
  #comparedAt: number | null = null;
  #comparing: Promise<Mismatch | null> | null = null;

  /** Highest beat seen committed, and a time before its commit: that of the last read that showed a lower beat. */
  #seen: { readonly beat: number; readonly atMs: number };
  #readAtMs = Number.NEGATIVE_INFINITY;

  #loop: WorkLoop | null = null;
  #carryOut: ((suspension: Suspension) => Promise<void>) | null = null;
  #beforeSending = async () => {};

  /**
   * Makes the row at the first start, marks the storage, and finds out whether this database is a copy.
   * @throws Error if the storage belongs to another installation
   */
  static async open(options: InstallationOptions): Promise<Installation> {
    const installation = new Installation(options, await ensureRow(options.database, options.createId('ins')));
    await installation.#start();
    return installation;
  }

  private constructor(options: InstallationOptions, row: InstallationRow) {
    this.#options = options;
    this.#bySetting = options.isSuspendedBySetting ? { cause: 'setting', message: null, since: options.now() } : null;
    this.#row = row;
    this.#judgedAfter = options.database.reconnects();
    this.#seen = { beat: row.beat, atMs: Number.NEGATIVE_INFINITY };
    this.storage = ownStorage(options.storage, () => ({
      prefix: this.#row.prefix,
      mayRemove: this.copiedAt() === null,
    }));
  }

  /** The suspension; null = orders and webhooks are sent. */
  get suspension(): Suspension | null {
    return suspensionOf(this.#row) ?? this.#bySetting;
  }

  /**
   * Returns the time when the database was copied, in ms since 1970, while it is held as a copy, as by DARKROOM_HOLD;
   * else null.
   */
  copiedAt(): number | null {
    return this.#bySetting?.since ?? copiedAt(suspensionOf(this.#row));
  }

  /** Tells whether orders may be submitted now: not suspended, and certainly not by a copy. */
  maySubmit(): boolean {
    const isFresh = world.monotonic() - this.#seen.atMs < BEAT_LASTS_MS;
    return this.#isJudged() && this.#wasCompared && this.suspension === null && isFresh;
  }

  /** Tells whether tasks may be advanced at all: running orders go on while an operator suspends the service. */
  mayAdvance(): boolean {
    return this.#isJudged() && !this.#isSuspendedCopy();
  }

  /** Calls back when a worker has to carry out a release, and before it sends orders again after any suspension. */
  onRelease(carryOut: (suspension: Suspension) => Promise<void>, beforeSending: () => Promise<void>): void {
    this.#carryOut = carryOut;
    this.#beforeSending = beforeSending;
    this.#loop?.wake();
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
    // With a short timeout: the storage may hang.
    await Promise.race([this.#comparing, sleep(STOP_WAITS_MS, { ref: false })]);
  }

  async #start(): Promise<void> {
    await this.refresh();
    const isReleased = suspensionOf(this.#row)?.release !== undefined;
    const first = isReleased ? null : await Promise.race([this.#compare(), sleep(START_WAITS_MS, { ref: false })]);
    if (first === 'other_storage')
      throw new Error(
        `The storage belongs to another installation: installation.json in it names another id than ${this.#row.id}. Give this one a storage or a prefix of its own (DARKROOM_STORAGE_URL, DARKROOM_DATA_DIR). If the other one is gone and this one takes its place, run: darkroom release --as successor`,
      );
    if (!this.#isSuspendedCopy()) await this.#beat();
    if (this.suspension !== null) this.#logSuspension(this.suspension.cause);
    const { refreshMs = REFRESH_MS, log } = this.#options;
    this.#loop = startWorkLoop({
      run: () => this.#check(refreshMs),
      restMs: refreshMs,
      onError: (error) => {
        this.#isSure = false;
        this.#comparedAt = null;
        log.error({ err: error }, 'could not check whether this installation is held; retrying, and sending nothing');
      },
    });
  }

  async #check(pauseMs: number): Promise<number> {
    await this.refresh();
    await this.#release();
    const sinceBeatMs = world.monotonic() - this.#seen.atMs;
    if (!this.#isSuspendedCopy() && sinceBeatMs >= (this.#options.beatEveryMs ?? BEAT_EVERY_MS)) await this.#beat();
    // Not awaited: a storage that hangs must not stop the beats.
    if (this.#comparedAt !== this.#row.beat) void this.#compare();
    return pauseMs;
  }

  #isJudged(): boolean {
    return this.#isSure && this.#judgedAfter === this.#options.database.reconnects();
  }

  #isSuspendedCopy(): boolean {
    return copiedAt(suspensionOf(this.#row)) !== null;
  }

  /** Reads the row at once. */
  async refresh(): Promise<void> {
    await this.#judge(null);
    this.#isSure = true;
  }

  #judge(mark: Mark | null): Promise<Mismatch | null> {
    const judge = () => this.#judgeNow(mark);
    const next = this.#judging.then(judge, judge);
    this.#judging = next;
    return next;
  }

  /** Reads the row, and suspends the service if the row and the mark show that this is a copy. */
  async #judgeNow(mark: Mark | null): Promise<Mismatch | null> {
    const { database } = this.#options;
    const server = await identifyServer(database);
    const readAtMs = world.monotonic();
    const { found, after } = await this.#readRow();
    if (found === undefined) throw new Error('The table installation is empty; expected one row.');
    if (suspensionOf(this.#row) !== null && suspensionOf(found) === null) await this.#beforeSending();
    this.#row = found;
    const known = { ...found, systemId: found.system_id, databaseOid: found.database_oid };
    const mismatch = judgeInstallation(known, { ...server, mark, seenBeat: this.#seen.beat });
    if (found.beat > this.#seen.beat) this.#seen = { beat: found.beat, atMs: this.#readAtMs };
    this.#readAtMs = readAtMs;
    this.#judgedAfter = after;
    if (mismatch !== null && !this.#isSuspendedCopy()) await this.#suspend(mismatch);
    else if (mismatch === null && found.system_id === null && server.systemId !== null)
      // The server to which the database was moved.
      await updateRow(database, 'identify', (set) =>
        set.set({ system_id: server.systemId, database_oid: server.databaseOid }),
      );
    return mismatch;
  }

  /**
   * Reads the row. After a reconnect, by the connection that writes, since others may still lead to the former server.
   */
  async #readRow() {
    const { database } = this.#options;
    const read = async (session: Session) => ({
      after: database.reconnects(),
      found: await readInstallation(session),
    });
    return this.#judgedAfter === database.reconnects()
      ? await read(database.read)
      : await database.write('read_installation', read);
  }

  async #suspend(cause: Mismatch): Promise<void> {
    const message = suspensionOf(this.#row)?.message ?? null;
    const held = JSON.stringify({ cause, message, since: this.#options.now() } satisfies Suspension);
    this.#row = { ...this.#row, held };
    this.#logSuspension(cause);
    await updateRow(this.#options.database, 'hold', (set) => set.set({ held }));
  }

  #logSuspension(cause: SuspensionCause): void {
    this.#options.log.warn({ cause, reason: REASONS[cause] }, 'held: no order and no webhook is sent');
  }

  /** Carries out the release in the row, if any, and ends the suspension. */
  async #release(): Promise<void> {
    const { database, log } = this.#options;
    const suspension = suspensionOf(this.#row);
    if (suspension?.release === undefined || this.#carryOut === null) return;
    await this.#carryOut(suspension);
    const installation = await endRelease(database, this.storage, this.#row, suspension, suspension.release);
    log.info({ as: suspension.release.as, installation }, 'released: orders and webhooks are sent again');
    await this.refresh();
  }

  /** Commits the next beat, unless another process has. */
  async #beat(): Promise<void> {
    const { beat } = this.#row;
    await updateRow(this.#options.database, 'beat', (set) =>
      set.set({ beat: beat + 1, owner: world.randomUUID() }).where('beat', '=', beat),
    );
    await this.refresh();
  }

  /** Reads the mark and then the row, and writes the mark. An unavailable storage is asked again with the next poll. */
  #compare(): Promise<Mismatch | null> {
    this.#comparing ??= this.#compareNow()
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'could not compare installation.json in the storage; retrying');
        return null;
      })
      .finally(() => {
        this.#comparing = null;
      });
    return this.#comparing;
  }

  async #compareNow(): Promise<Mismatch | null> {
    const mismatch = await this.#judge(await readMark(this.storage));
    this.#wasCompared = true;
    const compared = this.#row;
    if (mismatch === null && !this.#isSuspendedCopy()) await writeMark(this.storage, compared);
    this.#comparedAt = compared.beat;
    return mismatch;
  }
}
