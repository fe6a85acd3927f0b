import type { TaskStatus } from '../record/task.ts';

/** Receives the events that the metrics count. */
export interface TaskFigures {
  settled(task: {
    readonly type: 'image' | 'video';
    readonly mode: 'live' | 'test';
    readonly status: TaskStatus;
    readonly engine: string;
    /** `refused`: it failed for its content or input, which says nothing about the engine. */
    readonly outcome: TaskStatus | 'refused';
    /** Seconds since the engine got the order; null if none did. */
    readonly seconds: number | null;
    readonly secondsSinceOrder: number;
  }): void;
  /** Called when an order is submitted for the first time. `seconds`: since it entered its queue. */
  began(order: { readonly mode: 'live' | 'test'; readonly seconds: number }): void;
  /** Called when a call to an engine failed for a reason other than the order itself. */
  engineFault(fault: { readonly engine: string; readonly call: string; readonly fault: string }): void;
  /** Called when a call to an engine ended. `outcome`: `ok`, `aborted`, or the class of the error. */
  upstreamCall(call: {
    readonly engine: string;
    readonly call: 'start' | 'check';
    readonly outcome: string;
    readonly seconds: number;
  }): void;
  /** Called when a live order ended that cost something at its upstream, or may have. Amounts in micro-dollars. */
  orderCost(order: {
    readonly engine: string;
    readonly model: string;
    readonly outcome: string;
    readonly charged: number;
    readonly expected: number | null;
    readonly told: number | null;
    readonly belowCost: boolean;
    /** Whether the reported cost and the price list differ by more than is tolerated. */
    readonly differs: boolean;
  }): void;
  /**
   * Called for each difference between a result and its order. `code`: of the warning; `unusable`: the order failed for
   * it.
   */
  notAsOrdered(difference: { readonly engine: string; readonly code: string }): void;
  /** Called when an order left an engine that did not accept it, for its next route. */
  wentOn(order: { readonly engine: string }): void;
  /** Called when tasks of an ended or silent process were made due. */
  tookOver(takeOver: { readonly reason: 'ended' | 'silent'; readonly tasks: number }): void;
}
