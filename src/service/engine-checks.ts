import { type CheckResult, type Clock, world } from '@darkroom-service/contract';
import { type Engine, enginesInUse } from '@darkroom-service/engines';
import type { ProcessState } from '../routing/process-state.ts';
import { describeShut } from '../routing/valve.ts';
import type { Valves } from '../routing/valves.ts';
import { createCheck } from './readiness-check.ts';

interface EngineChecksOptions {
  readonly engines: ReadonlyMap<string, Engine>;
  readonly valves: Pick<Valves, 'of' | 'beginning'>;
  readonly clock: Clock;
  readonly processState: Pick<ProcessState, 'refusedKey' | 'withOtherKey'>;
  /** Called when a probe has shown that a check's engine works. */
  readonly onWorked: (name: string) => void;
}

const PROBE_TIMEOUT_MS = 5_000;
/** Cache time of probes, which call the upstreams and are therefore rare. */
const PROBES_FRESH_MS = 60_000;

/** Checks of the engines: by their valves, by refused keys, and by probes. They do not affect readiness. */
export class EngineChecks {
  readonly #options: EngineChecksOptions;
  #probes: { readonly at: number; readonly ended: Promise<unknown> } | null = null;
  /** Results of the last probes, by engine. */
  readonly #probed = new Map<string, CheckResult>();

  constructor(options: EngineChecksOptions) {
    this.#options = options;
  }

  /**
   * Refreshes the probes in the background; each has its own timeout, even if an engine ignores its signal.
   * @returns a promise that resolves when all have ended
   */
  probeAll(): Promise<unknown> {
    const now = world.monotonic();
    if (this.#probes === null || now - this.#probes.at > PROBES_FRESH_MS) {
      const all = enginesInUse(this.#options.engines).map((engine) => this.#probe(engine));
      this.#probes = { at: now, ended: Promise.all(all) };
    }
    return this.#probes.ended;
  }

  list(): CheckResult[] {
    return enginesInUse(this.#options.engines).map(({ name }) => this.#check(name));
  }

  async #probe(engine: Engine): Promise<void> {
    const found = await probe(engine);
    this.#probed.set(engine.name, found);
    // A built-in engine works wherever its process does.
    const isSeen = engine.probe !== undefined || engine.isFree === true;
    if (found.ok && isSeen) this.#options.onWorked(found.name);
  }

  #check(engine: string): CheckResult {
    const { valves, processState, clock } = this.#options;
    const name = `engine ${engine}`;
    // A valve is more informative than a probe of an upstream that gets no orders.
    const shut = valves.of(engine);
    if (shut !== null) return { name, ok: false, detail: describeShut(shut, clock.now()) };
    const refused = processState.refusedKey(engine);
    if (refused !== null) {
      const others = processState.withOtherKey(engine);
      const detail = `refuses the key of this process only (${refused.reason}); ${others} other workers use another key and go on. Set a valid key and restart this process`;
      return { name, ok: false, detail };
    }
    const found = this.#probed.get(engine) ?? { name, ok: true, detail: 'configured; not probed yet' };
    const begins = valves.beginning(engine);
    if (begins === null) return found;
    const { maxOpen, reason } = begins;
    const slowly = `orders begin slowly, at most ${maxOpen} at once until it has accepted them: ${reason}`;
    return { ...found, detail: `${found.detail}; ${slowly}` };
  }
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
