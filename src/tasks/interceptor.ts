import type { Engine } from '@darkroom-service/engines';
import type { MediaCall } from '@darkroom-service/media';
import type { StoredOutput } from '../record/task.ts';
import type { TaskRecord } from '../record/task-record.ts';

/**
 * Sees each order before it is submitted, and its outputs before the order ends, in the process that works on it. May
 * change or refuse. A method that no addition has costs an order nothing. After a crash a method may be called again
 * for the same order.
 */
export interface Interceptor {
  /**
   * Called when an order is about to be submitted. Its media are stored and measured. Returns the reason for the
   * customer if the order is refused: it fails as `content_policy`, and costs nothing. Null: it is submitted.
   * @throws the signal's reason
   */
  readonly beforeSubmission?: (order: TaskRecord, signal: AbortSignal) => Promise<string | null>;
  /**
   * Called when an order is handed to its engine. Returns the URL that its upstream may call when the order has ended;
   * null = it may call nobody. The receiver of such a call notifies the order's worker. The first interceptor with this
   * method is asked.
   */
  readonly callbackUrl?: (order: Pick<TaskRecord, 'id' | 'fence'>, engine: Engine) => string | null;
  /** Called when an output is about to be stored. One interceptor changes it: the first that does not return null. */
  readonly changeOutput?: ChangeOutput;
  /**
   * Called when all outputs are stored and are as ordered. Returns the reason for the customer if they are refused: the
   * order fails as `content_policy`, costs nothing, and the outputs are removed. Null: the order succeeds.
   * @throws the signal's reason
   */
  readonly beforeSuccess?: (
    order: TaskRecord,
    outputs: readonly StoredOutput[],
    signal: AbortSignal,
  ) => Promise<string | null>;
}

/** The interceptors of all additions as one. Null: no addition has the method. */
export type Interceptors = { readonly [Method in keyof Interceptor]-?: NonNullable<Interceptor[Method]> | null };

/** Lets an addition change the file of an output before it is stored. Null: it is stored as delivered. */
export type ChangeOutput = (output: {
  readonly task: TaskRecord;
  readonly contentType: string;
}) => Promise<OutputChange | null>;

/** Change of a file: piece by piece as it passes, or as a whole. */
export type OutputChange = {
  /** Returns the row's metadata for an output that could not be changed and is stored as delivered. */
  readonly unchanged: (error: unknown) => OutputMetadata;
} & (
  | {
      readonly kind: 'pieces';
      /** Takes a piece of the file, and returns the pieces that are complete by now. */
      readonly add: (piece: Uint8Array) => Uint8Array[];
      readonly end: () => Uint8Array[];
      /** Returns the row's metadata for the file that has passed. */
      readonly told: () => OutputMetadata;
    }
  | {
      readonly kind: 'whole';
      /** Writes the changed file. */
      readonly write: (from: string, to: string, call: MediaCall) => Promise<OutputMetadata>;
    }
);

/** Metadata that an interceptor adds to an output before it is stored. */
export type OutputMetadata = Pick<StoredOutput, 'provenance' | 'splices'>;

/** Joins interceptors to one that asks them in their order until one answers. */
export function joinInterceptors(all: readonly Interceptor[]): Interceptors {
  return {
    beforeSubmission: firstAnswer(all.flatMap(({ beforeSubmission }) => beforeSubmission ?? [])),
    callbackUrl: all.find(({ callbackUrl }) => callbackUrl !== undefined)?.callbackUrl ?? null,
    changeOutput: firstAnswer(all.flatMap(({ changeOutput }) => changeOutput ?? [])),
    beforeSuccess: firstAnswer(all.flatMap(({ beforeSuccess }) => beforeSuccess ?? [])),
  };
}

function firstAnswer<Arguments extends readonly unknown[], Answer>(
  methods: readonly ((...given: Arguments) => Promise<Answer | null>)[],
): ((...given: Arguments) => Promise<Answer | null>) | null {
  if (methods.length === 0) return null;
  return async (...given) => {
    for (const method of methods) {
      const answer = await method(...given);
      if (answer !== null) return answer;
    }
    return null;
  };
}
