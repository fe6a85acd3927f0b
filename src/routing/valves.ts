import type { Clock } from '@darkroom-service/contract';
import type { EngineError } from '@darkroom-service/engines';
import type { Act } from '../accounts/audit.ts';
import type { Database } from '../database/database.ts';
import type { StartRefresh } from '../database/refresh.ts';
import type { SwitchKind } from './switched-off.ts';
import type { Cause, EngineCall, Shut, ValveState } from './valve.ts';

/**
 * The valves of all engines, which block orders while they are shut; shared by all processes through the database.
 * Nothing is written while all are open.
 */
export interface Valves {
  /**
   * Returns the shut valve of an engine or a route; null if it is open. An operator's switch does not count.
   * @param kind only this cause; default: the gravest
   */
  of(subject: string, kind?: Cause): Shut | null;
  stateOf(subject: string): ValveState;
  /** Tells whether an operator has switched off an engine, of any owner, or a model of the catalog. */
  isPaused(kind: SwitchKind, name: string): boolean;
  /** Returns the shut valves of an engine's models. */
  routesOf(engine: string): Shut[];
  /**
   * Tells whether an order of this route may be submitted now. If one may test the upstream, this uses up the test that
   * this process may run.
   * @param wasRefused whether the order was refused before: for two seconds the test is left to other orders
   */
  mayStart(route: { readonly engine: string; readonly model: string | null }, wasRefused?: boolean): boolean;
  /** Tells whether this process waits for a test order. @param subject an engine or a route, as below */
  hasTrial(subject: string): boolean;
  /** Allows this process one test order. */
  giveTrial(subject: string): void;
  /**
   * Reports a failed call.
   * @param isProven whether it alone shows that waiting does not help; default: if its class is documented
   * @returns whether a valve changed
   */
  failed(subject: string, call: EngineCall, taskId: string, error: EngineError, isProven?: boolean): Promise<boolean>;
  /**
   * Reports that the upstream works: a call succeeded, or the order itself was refused.
   * @param accepted whether it accepted an order
   */
  succeeded(subject: string, call: EngineCall, accepted?: boolean): Promise<void>;
  /** Reports that calls are open far longer than usual. */
  hangs(engine: string, message: string): Promise<void>;
  /**
   * Reports that an upstream does not answer, or that an own server does not make a model (`not_loaded`: it works and
   * makes others); both are asked for at no cost.
   */
  away(subject: string, message: string, kind?: 'outage' | 'not_loaded'): Promise<void>;
  /**
   * Reports that a cause is gone: the valve opens without a test order.
   * @param causes default: an own server answers, or makes the model
   */
  back(subject: string, causes?: readonly Cause[]): Promise<void>;
  /** Stops new orders for a time, because the operator limits how many are submitted per minute. */
  pause(engine: string, message: string, forMs: number): Promise<void>;
  /** Stops new orders until a time, because the operator's spend limit is reached. */
  limitReached(engine: string, message: string, until: number): Promise<void>;
  /** Reports a failed probe. */
  stillDown(engine: string, message: string): Promise<void>;
  /**
   * Returns the maximum number of open submissions to an engine while orders begin slowly, over all processes, and the
   * reason why they waited; null = no such limit.
   */
  beginning(engine: string): { readonly atOnce: number; readonly reason: string } | null;
  /** Tells whether the maximum number of submissions was open a moment ago. */
  isFull(engine: string): boolean;
  /** Reports that the maximum number of submissions is open. */
  recordFull(engine: string): void;
  /**
   * Lets orders that have waited begin slowly, if a lost submission to the engine cannot be repeated.
   * @param reason the reason why they waited, for operators
   */
  beginSlowly(engine: string, reason: string): Promise<void>;
  /** Opens the valves of an engine and of its models by hand, unless an operator switched it off. */
  open(engine: string, by: Act): Promise<void>;
  /** Reads the changes of other processes. */
  refresh(): Promise<void>;
  /** Stops reading. */
  stop(): Promise<void>;
}

export interface ValveOptions {
  readonly database: Database;
  readonly clock: Clock;
  /**
   * Called when a valve is shut, changes or opens.
   * @param shut current obstacle to orders of the subject; null = none
   */
  readonly onChange: (subject: string, shut: Shut | null) => void;
  /** Called when a valve could not be written; the order continues. */
  readonly onError: (error: unknown) => void;
  readonly startRefresh: StartRefresh;
  /**
   * Returns the number of orders that an engine must accept after a pause until it gets them at full speed; 0 = at
   * once.
   */
  readonly acceptedUntilTrusted?: (engine: string) => number;
}
