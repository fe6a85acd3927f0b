import type { MediaCall } from '@darkroom-service/media/media-tools';
import type { StoredOutput } from './task.ts';
import type { TaskRecord } from './task-record.ts';

/** Lets an addition change the file of an output before it is stored. Null: it is stored as delivered. */
export type ChangeOutput = (output: {
  readonly task: TaskRecord;
  readonly contentType: string;
}) => Promise<OutputChange | null>;

/** How a file is changed: while its pieces pass, or as a whole. */
export type OutputChange = {
  /** Returns what the row tells of an output that could not be changed, and is stored as delivered. */
  readonly unchanged: (error: unknown) => Told;
} & (
  | {
      readonly kind: 'pieces';
      /** Takes a piece of the file, and returns what comes out by now. */
      readonly add: (piece: Uint8Array) => Uint8Array[];
      readonly end: () => Uint8Array[];
      /** Returns what the row tells of the file that has passed. */
      readonly told: () => Told;
    }
  | {
      readonly kind: 'whole';
      /** Writes the changed file. */
      readonly write: (from: string, to: string, call: MediaCall) => Promise<Told>;
    }
);

export type Told = Pick<StoredOutput, 'provenance' | 'splices'>;
