import type { Clock } from '@darkroom-service/contract';
import type { Database } from '../database/database.ts';
import type { Refresh, StartRefresh } from '../database/refresh.ts';
import { withoutKey } from '../record/owned-instance.ts';
import { isShut, listValves, shutSubjects, type ValveRow } from './stored-valves.ts';
import { type SwitchKind, subjectOfSwitch } from './switched-off.ts';
import { type Cause, engineOf, gravest, isOutage, modelOf, type Shut, stateOf, type ValveState } from './valve.ts';

const REFRESH_MS = 1_000;
const NONE: readonly ValveRow[] = [];

/** The valves of all engines and their models, as this process last read them. */
export class KnownValves {
  readonly #clock: Clock;
  #rows = new Map<string, readonly ValveRow[]>();
  #refresh: Refresh | null = null;

  protected constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads the valves now and every second, so that a shut valve applies in all processes within a second. */
  protected async startReading(database: Database, startRefresh: StartRefresh): Promise<void> {
    this.#refresh = await startRefresh('valves', REFRESH_MS, async () => {
      this.#rows = Map.groupBy(await listValves(database.read), ({ subject }) => subject);
    });
  }

  /** Reads the changes of other processes. */
  async refresh(): Promise<void> {
    await this.#refresh?.now();
  }

  /** Stops reading. */
  async stop(): Promise<void> {
    await this.#refresh?.stop();
  }

  /**
   * Returns the shut valve of an engine or a route; null if it is open. An operator's switch does not count.
   * @param kind only this cause; default: the gravest
   */
  of(subject: string, kind?: Cause): Shut | null {
    const rows = this.rowsOf(subject);
    if (rows.length === 0) return null;
    const shut = rows.filter(isShut);
    return gravest(kind === undefined ? shut : shut.filter((one) => one.kind === kind), this.now());
  }

  stateOf(subject: string): ValveState {
    return stateOf(this.of(subject), this.now());
  }

  /** Tells whether an operator has switched off an engine, of any owner, or a model of the catalog. */
  isPaused(kind: SwitchKind, name: string): boolean {
    return this.pausedSince(kind, name) !== null;
  }

  /**
   * Returns the time since which an operator has switched off an engine, of any owner, or a model of the catalog, in ms
   * since 1970; null = it is on.
   */
  pausedSince(kind: SwitchKind, name: string): number | null {
    if (this.areAllOpen) return null;
    const names = kind === 'engine' ? [name, withoutKey(name)] : [name];
    const switches = names.flatMap((one) => this.rowsOf(subjectOfSwitch(kind, one)));
    return switches.find((valve) => valve.kind === 'switched_off')?.since ?? null;
  }

  /** Returns the shut valves of an engine's models. */
  routesOf(engine: string): Shut[] {
    const rows = [...this.#rows].flatMap(([subject, valves]) =>
      modelOf(subject) !== null && engineOf(subject) === engine ? valves : [],
    );
    return shutSubjects(rows, this.now());
  }

  /**
   * Returns the maximum number of open submissions to an engine while orders begin slowly, over all processes, and the
   * reason why they waited; null = no such limit.
   */
  beginning(engine: string): { readonly maxOpen: number; readonly reason: string } | null {
    const slow = this.rowsOf(engine).find(({ kind }) => kind === 'slow_begin');
    if (slow === undefined || slow.at_once === null) return null;
    const shut = this.of(engine);
    return shut !== null && isOutage(shut) ? null : { maxOpen: slow.at_once, reason: slow.message ?? '' };
  }

  /** Whether all valves are open and nothing is switched off. */
  protected get areAllOpen(): boolean {
    return this.#rows.size === 0;
  }

  protected rowsOf(subject: string): readonly ValveRow[] {
    return this.areAllOpen ? NONE : (this.#rows.get(subject) ?? NONE);
  }

  protected now(): number {
    return this.#clock.now();
  }
}
