import type { TaskStatus } from './task.ts';

/** What is counted of tasks while the service runs. */
export interface TaskFigures {
  settled(task: {
    readonly type: 'image' | 'video';
    readonly mode: 'live' | 'test';
    readonly status: TaskStatus;
  }): void;
  /** A call to an engine failed, and not for what was ordered. */
  engineFault(fault: { readonly engine: string; readonly call: string; readonly fault: string }): void;
  /** A call to an engine ended. `outcome`: `ok`, `aborted`, or the class of the error. */
  upstreamCall(call: {
    readonly engine: string;
    readonly call: 'start' | 'check';
    readonly outcome: string;
    readonly seconds: number;
  }): void;
  /** An order left an engine that did not take it for its next route. */
  wentOn(order: { readonly engine: string }): void;
  /** Tasks of another process were made due, because it has ended or fallen silent. */
  tookOver(takeOver: { readonly reason: 'ended' | 'silent'; readonly tasks: number }): void;
}
