import { type CheckResult, type Clock, isoTime, world } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import type { Storage } from '@darkroom-service/media';
import { isLack, machineFaultOf } from '@darkroom-service/media/process';
import type { Database } from '../database/database.ts';
import { compareProcesses } from '../database/process-differences.ts';
import type { ReadinessReport } from '../http/http-options.ts';
import type { ProcessState } from '../routing/process-state.ts';
import type { Valves } from '../routing/valves.ts';
import type { AddedChecks } from './added-checks.ts';
import { readSchemaVersion, STORED, writeIn, writeMark } from './dependency-checks.ts';
import { EngineChecks } from './engine-checks.ts';
import { createOutageJudge } from './outage-judge.ts';
import type { DependencyName, Outages } from './outages.ts';
import { createCheck, type OwnResult } from './readiness-check.ts';
import type { StallMeter } from './stall-meter.ts';

interface ReadinessOptions {
  readonly database: Database;
  readonly storage: Storage;
  readonly engines: ReadonlyMap<string, Engine>;
  readonly valves: Pick<Valves, 'of' | 'beginning'>;
  readonly clock: Clock;
  readonly stalls: Pick<StallMeter, 'totalMs'>;
  readonly processState: Pick<ProcessState, 'isCutOff' | 'stored' | 'refusedKey' | 'withOtherKey' | 'all'>;
  /** Outages, which these checks keep up to date. */
  readonly outages: Outages;
  /** The directory of files that are being read or written. */
  readonly temporaryDirectory: string;
  /** The directory of answers that are not stored yet; null = this process is no worker. */
  readonly spool: string | null;
  /** Checks of additions. They do not affect readiness. */
  readonly addedChecks: Pick<AddedChecks, 'list'>;
  /** Warning of a missing public URL; null = none is needed. */
  readonly noPublicUrl: string | null;
  /** Whether this process is only a worker. */
  readonly isWorker: boolean;
  readonly deadlineMs?: number;
  /** Overrides the cache times, in tests. */
  readonly freshMs?: number | undefined;
}

const DEADLINE_MS = 1_500;
const READ_FRESH_MS = 1_000;
/** Cache time of checks that write something each time. */
const WRITE_FRESH_MS = 10_000;
const STORAGE_FRESH_MS = 10_000;
const DISK_FRESH_MS = 5_000;
const WATCH_EVERY_MS = 5_000;

type Check = () => Promise<OwnResult>;

/**
 * Checks the dependencies of the service: the database (reading and writing), the storage and its own disk. Each answer
 * has the current results; an outage is logged when it is certain, once when it begins and once when it ends. Engines
 * are reported but do not affect readiness.
 */
export class Readiness {
  readonly #options: ReadinessOptions;
  readonly #canRead: Check;
  readonly #canWrite: Check;
  readonly #canStore: Check;
  readonly #canHold: Check;
  readonly #canSpool: Check | null;
  readonly #engines: EngineChecks;

  #isSpoolUp = true;
  /**
   * Checks whose directory this process cannot write, although others may: a full disk is full for all, and can be
   * read.
   */
  readonly #broken = new Set<DependencyName>();
  /** Time when a check last succeeded. */
  readonly #workedAt = new Map<string, string>();
  #isStopped = false;

  constructor(options: ReadinessOptions) {
    const { database, storage, processState, temporaryDirectory, spool } = options;
    this.#options = options;
    this.#canRead = this.#check('database', READ_FRESH_MS, () => readSchemaVersion(database));
    this.#canWrite = this.#check('database writes', WRITE_FRESH_MS, () => writeMark(database));
    this.#canStore = this.#check('storage', STORAGE_FRESH_MS, async () => {
      await storage.check();
      processState.stored();
      return STORED;
    });
    this.#canHold = this.#checkDisk('temporary files', temporaryDirectory);
    this.#canSpool = spool === null ? null : this.#checkDisk('spool', spool);
    this.#engines = new EngineChecks({ ...options, onWorked: (name) => this.#worked(name) });
  }

  /**
   * Checks what the service can do now. Takes at most the deadline of one check.
   * @param options.probeEngines also waits for the engines' probes, up to their timeout.
   */
  async report({ probeEngines = false }: { readonly probeEngines?: boolean } = {}): Promise<ReadinessReport> {
    const { addedChecks, noPublicUrl } = this.#options;
    const probing = this.#engines.probeAll();
    const [reads, writes, files, temporary, disk] = await Promise.all([
      this.#canRead(),
      this.#canWrite(),
      this.#canStore(),
      this.#canHold(),
      this.#canSpool?.(),
    ]);
    this.#isSpoolUp = disk?.ok !== false;
    if (probeEngines) await probing;
    const isWorking = !this.#options.isWorker || (this.#isSpoolUp && !this.#isCutOff());
    return {
      ready: reads.ok && this.#broken.size === 0 && isWorking,
      orders: reads.ok && writes.ok,
      reads: reads.ok,
      files: reads.ok && files.ok && temporary.ok,
      checks: [
        reads,
        writes,
        this.#withClaims(behind(files, writes)),
        temporary,
        ...(disk === undefined ? [] : [disk]),
        ...this.#noticeChecks(),
        ...this.#processChecks(),
        ...(noPublicUrl === null ? [] : [{ name: 'public URL', ok: false, detail: noPublicUrl }]),
        ...addedChecks.list(),
        ...this.#engines.list(),
      ].map((found) => this.#withTimes(found)),
    };
  }

  /** Whether answers could be written to the spool at the last check. */
  get isSpoolUp(): boolean {
    return this.#isSpoolUp;
  }

  /** Returns the current outages. */
  outages(): ReturnType<Outages['current']> {
    return this.#options.outages.current();
  }

  /** Returns the last outage of each dependency that has ended since the start. */
  endedOutages(): ReturnType<Outages['ended']> {
    return this.#options.outages.ended();
  }

  /**
   * Checks the dependencies periodically, so that an outage is logged although nobody asks. @returns a function that
   * stops it.
   */
  watch(): () => void {
    this.#checkAll();
    const timer = world.setInterval(() => this.#checkAll(), WATCH_EVERY_MS);
    timer.unref();
    return () => {
      this.#isStopped = true;
      world.clearInterval(timer);
    };
  }

  #checkAll(): void {
    void this.#canRead();
    void this.#canWrite();
    void this.#canStore();
    void this.#canHold();
    void this.#canSpool?.().then((result) => {
      this.#isSpoolUp = result.ok;
    });
  }

  #check(name: DependencyName, freshMs: number, run: () => Promise<string>): Check {
    const { outages, stalls, deadlineMs = DEADLINE_MS } = this.#options;
    const judge = createOutageJudge();
    return createCheck({
      name,
      run,
      freshMs: this.#options.freshMs ?? freshMs,
      deadlineMs,
      onResult: ({ ok, detail }, silentMs, cause) => {
        // Closing dependencies during a stop is not an outage.
        if (this.#isStopped) return;
        if (ok) this.#worked(name);
        const verdict = judge({ ok, silentMs, at: world.monotonic(), stalledMs: stalls.totalMs() });
        if (verdict === 'began') outages.begin(name, detail, cause);
        else if (verdict === 'ended') outages.end(name);
        else outages.update(name, detail);
      },
    });
  }

  #checkDisk(name: 'temporary files' | 'spool', directory: string): Check {
    return this.#check(name, DISK_FRESH_MS, async () => {
      const fault = await writeIn(directory).then(
        () => null,
        (error: unknown) => ({ error }),
      );
      if (fault === null || isLack(machineFaultOf(fault.error))) this.#broken.delete(name);
      else this.#broken.add(name);
      if (fault !== null) throw fault.error;
      return 'written';
    });
  }

  #worked(name: string): void {
    this.#workedAt.set(name, isoTime(this.#options.clock.now()));
  }

  #withTimes({ isSilent: _, ...found }: CheckResult & Partial<OwnResult>): CheckResult {
    const [at, outage] = [this.#workedAt.get(found.name), this.#options.outages.of(found.name)];
    const since = found.ok || outage === undefined ? {} : { since: outage.since };
    return { ...found, ...(at === undefined ? {} : { worked_at: at }), ...since };
  }

  /** Whether this process leaves all orders to others: it has never reached the storage, and another worker has. */
  #isCutOff(): boolean {
    return this.#options.processState.isCutOff();
  }

  #withClaims(files: CheckResult): CheckResult {
    if (!this.#isCutOff()) return files;
    const detail = `${files.detail}; this process claims no orders, since it has never reached the storage and another worker has`;
    return { ...files, detail };
  }

  /** Returns the checks of notices. Changes are found by polling meanwhile, so these do not affect readiness. */
  #noticeChecks(): CheckResult[] {
    const { listens, fault } = this.#options.database.notices;
    if (!listens) return [];
    return [{ name: 'notices', ok: fault === null, detail: fault ?? 'other processes are heard' }];
  }

  /** Returns the checks of processes: any process can report the obstacle that keeps another one from its orders. */
  #processChecks(): CheckResult[] {
    const faults = [...compareProcesses(this.#options.processState.all()).values()].flatMap((one) => one.faults);
    return faults.length === 0 ? [] : [{ name: 'processes', ok: false, detail: faults.join(' ') }];
  }
}

/** Says of a silent check that it is not known: a database that waits, as for a lock, holds up the whole process. */
function behind(found: OwnResult, database: OwnResult): OwnResult {
  if (database.ok || !found.isSilent) return found;
  const detail = `not known while the database takes no writes: ${database.detail}`;
  return { ...found, detail, waits_for: database.name };
}
