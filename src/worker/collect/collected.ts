import type { TaskWarningView } from '@darkroom-service/contract';
import type { Delivery } from '@darkroom-service/engines';
import type { StoredOutput } from '../../record/task.ts';
import type { Ending } from '../../tasks/settle-task.ts';

type Charge = Extract<Ending, { status: 'succeeded' }>['charge'];

/** Whether the result is as ordered, and its price. */
export type Verdict =
  /** Another result was delivered, or a broken one. */
  | { readonly isAsOrdered: false; readonly message: string }
  | { readonly isAsOrdered: true; readonly charge: Charge; readonly warnings: readonly TaskWarningView[] };

/** The event that ends the collection of a result. */
export type CollectEvent =
  /** The outputs are in our storage and interceptors have answered: the reason of a refusal, or null. */
  | {
      readonly type: 'collected';
      readonly delivery: Delivery;
      readonly outputs: readonly StoredOutput[];
      readonly verdict: Verdict;
      readonly refusal: string | null;
    }
  /** The outputs could not be fetched or decoded. */
  | {
      readonly type: 'collect_failed';
      readonly delivery: Delivery;
      readonly message: string;
      readonly error: unknown;
      /** Whether another attempt may succeed: the transfer failed before the file was examined. */
      readonly mayPass: boolean;
      /** The address of the result, without secrets; null if it came inside an answer. */
      readonly address: string | null;
    };
