import { type Clock, isoTime, world } from '@darkroom-service/contract';
import { type Engine, enginesInUse } from '@darkroom-service/engines';
import type { Storage } from '@darkroom-service/media';
import { isLack, machineFaultOf } from '@darkroom-service/media/process';
import type { Log } from '../base/log.ts';
import type { Database } from '../database/database.ts';
import { compareProcesses } from '../database/process-differences.ts';
import type { ReadinessReport } from '../http/http-options.ts';
import type { ProcessState } from '../routing/process-state.ts';
import { describeShut } from '../routing/valve.ts';
import type { Valves } from '../routing/valves.ts';
import { readSchemaVersion, writeIn, writeMark } from './dependency-checks.ts';
import { createOutageJudge } from './outage-judge.ts';
import { type CheckResult, createCheck, type OwnResult } from './readiness-check.ts';
import type { StallMeter } from './stall-meter.ts';

const DEADLINE_MS = 1_500;
const READ_FRESH_MS = 1_000;
/** Cache time of checks that write something each time. */
const WRITE_FRESH_MS = 10_000;
const STORAGE_FRESH_MS = 10_000;
const DISK_FRESH_MS = 5_000;
const PROBE_TIMEOUT_MS = 5_000;
/** Cache time of probes, which call the upstreams and are therefore rare. */
const PROBES_FRESH_MS = 60_000;
const WATCH_EVERY_MS = 5_000;

/** A dependency that does not work for this process. */
interface Outage {
  readonly check: CheckName;
  /** Milliseconds since 1970, by the service's clock. */
  readonly since: number;
  readonly reason: string;
}

interface EndedOutage extends Outage {
  readonly until: number;
}

/** The current outages, as this process sees them. */
export type Outages = Map<CheckName, Outage>;

type CheckName = 'database' | 'database writes' | 'storage' | 'temporary files' | 'spool';

export interface Readiness {
  /**
   * Checks what the service can do now. Takes at most the deadline of one check.
   * @param options.probeEngines also waits for the engines' probes, up to their timeout.
   */
  report(options?: { readonly probeEngines?: boolean }): Promise<ReadinessReport>;
  /** Whether the database could be read at the last check. */
  isDatabaseUp(): boolean;
  /** Whether answers could be written to the spool at the last check. */
  isSpoolUp(): boolean;
  /** Returns the current outages. */
  outages(): readonly Outage[];
  /** Returns the last outage of each dependency that has ended since the start. */
  endedOutages(): readonly EndedOutage[];
  /** Adds a check that is reported with each answer and does not affect readiness. */
  addCheck(read: () => CheckResult): void;
  /**
   * Checks the dependencies periodically, so that an outage is logged although nobody asks. @returns a function that
   * stops it.
   */
  watch(): () => void;
}

/**
 * Checks the dependencies of the service: the database (reading and writing), the storage and its own disk. Each answer
 * has the current results; an outage is logged when it is certain, once when it begins and once when it ends. Engines
 * are reported but do not affect readiness.
 */
export function createReadiness(parts: {
  readonly database: Database;
  readonly storage: Storage;
  readonly engines: ReadonlyMap<string, Engine>;
  readonly valves: Pick<Valves, 'of' | 'beginning'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly stalls: Pick<StallMeter, 'totalMs'>;
  readonly processState: Pick<ProcessState, 'isCutOff' | 'stored' | 'refusedKey' | 'withOtherKey' | 'all'>;
  /** Outages, which these checks keep up to date. */
  readonly outages: Outages;
  /** The directory of files that are being read or written. */
  readonly temporaryDirectory: string;
  /** The directory of answers that are not stored yet; null = this process is no worker. */
  readonly spool: string | null;
  /** Whether this process is only a worker. */
  readonly isWorker: boolean;
  readonly deadlineMs?: number;
  /** Overrides the cache times, in tests. */
  readonly freshMs?: number | undefined;
}): Readiness {
  const { database, storage, spool, outages, deadlineMs = DEADLINE_MS } = parts;
  const endedOutages = new Map<CheckName, EndedOutage>();
  const workedAt = new Map<string, string>();
  let ended = false;
  const check = (name: CheckName, freshMs: number, run: () => Promise<string>) => {
    const judge = createOutageJudge();
    const onResult = ({ ok, detail: reason }: CheckResult, silentMs: number | null, cause: string) => {
      // Closing dependencies during a stop is not an outage.
      if (ended) return;
      if (ok) workedAt.set(name, isoTime(parts.clock.now()));
      const verdict = judge({ ok, silentMs, at: world.monotonic(), stalledMs: parts.stalls.totalMs() });
      const known = outages.get(name);
      if (verdict === 'began') {
        parts.log.error({ check: name, reason: cause }, 'outage began');
        outages.set(name, { check: name, since: parts.clock.now(), reason });
      } else if (verdict === 'ended' && known !== undefined) {
        const seconds = Math.round((parts.clock.now() - known.since) / 1000);
        parts.log.info({ check: name, outage_seconds: seconds }, 'outage ended');
        outages.delete(name);
        endedOutages.set(name, { ...known, until: parts.clock.now() });
      } else if (known !== undefined) outages.set(name, { ...known, reason });
    };
    return createCheck({ name, run, freshMs: parts.freshMs ?? freshMs, deadlineMs, onResult });
  };
  let databaseUp = true;
  const canRead = check('database', READ_FRESH_MS, () => readSchemaVersion(database));
  const canWrite = check('database writes', WRITE_FRESH_MS, () => writeMark(database));
  const canStore = check('storage', STORAGE_FRESH_MS, async () => {
    await storage.check();
    parts.processState.stored();
    return 'written and read back';
  });
  const ownDisk = (name: 'temporary files' | 'spool', directory: string) =>
    check(name, DISK_FRESH_MS, async () => {
      const fault = await writeIn(directory).then(
        () => null,
        (error: unknown) => ({ error }),
      );
      if (fault === null || isLack(machineFaultOf(fault.error))) broken.delete(name);
      else broken.add(name);
      if (fault !== null) throw fault.error;
      return 'written';
    });
  /**
   * Checks whose directory this process cannot write, although others may: a full disk is full for all, and can be
   * read.
   */
  const broken = new Set<CheckName>();
  const canHold = ownDisk('temporary files', parts.temporaryDirectory);
  const canSpool = spool === null ? null : ownDisk('spool', spool);
  let spoolUp = true;
  let probes: { readonly at: number; readonly ended: Promise<unknown> } | null = null;
  const probed = new Map<string, CheckResult>();
  const added: (() => CheckResult)[] = [];

  return {
    async report({ probeEngines = false } = {}) {
      const probing = refreshProbes();
      const [reads, writes, files, temporary, disk] = await Promise.all([
        canRead(),
        canWrite(),
        canStore(),
        canHold(),
        canSpool?.(),
      ]);
      databaseUp = reads.ok;
      spoolUp = disk?.ok !== false;
      if (probeEngines) await probing;
      const orders = reads.ok && writes.ok;
      return {
        ready: reads.ok && broken.size === 0 && (!parts.isWorker || (spoolUp && !isCutOff())),
        orders,
        reads: reads.ok,
        files: reads.ok && files.ok && temporary.ok,
        checks: [
          reads,
          writes,
          withClaims(behind(files, writes)),
          temporary,
          ...(disk === undefined ? [] : [disk]),
          ...noticeChecks(),
          ...processChecks(),
          ...added.map((read) => read()),
          ...engineChecks(),
        ].map(withTime),
      };
    },
    isDatabaseUp: () => databaseUp,
    isSpoolUp: () => spoolUp,
    outages: () => [...outages.values()],
    endedOutages: () => [...endedOutages.values()],
    addCheck: (read) => added.push(read),
    watch() {
      const look = () => {
        void canRead().then((result) => {
          databaseUp = result.ok;
        });
        void canWrite();
        void canStore();
        void canHold();
        void canSpool?.().then((result) => {
          spoolUp = result.ok;
        });
      };
      look();
      const timer = world.setInterval(look, WATCH_EVERY_MS);
      timer.unref();
      return () => {
        ended = true;
        world.clearInterval(timer);
      };
    },
  };

  function withTime({ isSilent: _, ...found }: CheckResult & Partial<OwnResult>): CheckResult {
    const at = workedAt.get(found.name);
    return at === undefined ? found : { ...found, worked_at: at };
  }

  /**
   * Whether this process leaves all orders to others, because it has never reached the storage and another worker has.
   */
  function isCutOff(): boolean {
    return parts.processState.isCutOff();
  }

  function withClaims(files: CheckResult): CheckResult {
    if (!isCutOff()) return files;
    const detail = `${files.detail}; this process claims no orders, since it has never reached the storage and another worker has`;
    return { ...files, detail };
  }

  /** Refreshes the probes in the background; each has its own timeout, even if an engine ignores its signal. */
  function refreshProbes(): Promise<unknown> {
    const now = world.monotonic();
    if (probes === null || now - probes.at > PROBES_FRESH_MS) {
      const all = enginesInUse(parts.engines).map(async (engine) => {
        const found = await probe(engine);
        probed.set(engine.name, found);
        // A built-in engine works wherever its process does.
        const isSeen = engine.probe !== undefined || engine.isFree === true;
        if (found.ok && isSeen) workedAt.set(found.name, isoTime(parts.clock.now()));
      });
      probes = { at: now, ended: Promise.all(all) };
    }
    return probes.ended;
  }

  /** Returns the checks of notices. Changes are found by polling meanwhile, so these do not affect readiness. */
  function noticeChecks(): CheckResult[] {
    const { listens, fault } = database.notices;
    if (!listens) return [];
    return [{ name: 'notices', ok: fault === null, detail: fault ?? 'other processes are heard' }];
  }

  /** Returns the checks of processes: any process can report the obstacle that keeps another one from its orders. */
  function processChecks(): CheckResult[] {
    const faults = [...compareProcesses(parts.processState.all()).values()].flatMap((one) => one.faults);
    return faults.length === 0 ? [] : [{ name: 'processes', ok: false, detail: faults.join(' ') }];
  }

  function engineChecks(): CheckResult[] {
    return enginesInUse(parts.engines).map(({ name: engine }) => {
      const name = `engine ${engine}`;
      // A valve is more informative than a probe of an upstream that gets no orders.
      const shut = parts.valves.of(engine);
      if (shut !== null) return { name, ok: false, detail: describeShut(shut, parts.clock.now()) };
      const refused = parts.processState.refusedKey(engine);
      if (refused !== null) {
        const others = parts.processState.withOtherKey(engine);
        const detail = `refuses the key of this process only (${refused.reason}); ${others} other workers use another key and go on. Set a valid key and restart this process`;
        return { name, ok: false, detail };
      }
      const found = probed.get(engine) ?? { name, ok: true, detail: 'configured; not probed yet' };
      const begins = parts.valves.beginning(engine);
      if (begins === null) return found;
      const { atOnce, reason } = begins;
      const slowly = `orders begin slowly, at most ${atOnce} at once until it has accepted them: ${reason}`;
      return { ...found, detail: `${found.detail}; ${slowly}` };
    });
  }
}

/** Says of a silent check that it is not known: a database that waits, as for a lock, holds up the whole process. */
function behind(found: OwnResult, database: OwnResult): OwnResult {
  if (database.ok || !found.isSilent) return found;
  const detail = `not known while the database takes no writes: ${database.detail}`;
  return { ...found, detail, waits_for: database.name };
}

async function probe(engine: Engine): Promise<CheckResult> {
  let cannotMake: string | undefined;
  const run = async () => {
    const signal = world.timeout(PROBE_TIMEOUT_MS);
    const found = await engine.probe?.({ signal, onProgress: () => {} });
    if (found?.ok === false) throw new Error(found.message);
    cannotMake = found?.cannotMake;
    return found?.message ?? 'configured';
  };
  const result = await createCheck({ name: `engine ${engine.name}`, run, deadlineMs: PROBE_TIMEOUT_MS, freshMs: 0 })();
  return cannotMake === undefined ? result : { ...result, cannot_make: cannotMake };
}
