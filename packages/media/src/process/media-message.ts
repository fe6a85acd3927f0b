import type { PictureOperations } from '../decoding/picture-operations.ts';
import type { SignOptions } from '../marks/mark-file.ts';
import type { MediaFault } from '../media-fault.ts';
import type { MediaLimits } from '../media-limits.ts';

/** A job for a media process. */
export type MediaJob = { readonly limits: MediaLimits } & (
  | { readonly task: 'probe'; readonly path: string }
  | { readonly task: 'output'; readonly path: string }
  | { readonly task: 'drop_text'; readonly path: string; readonly into: string }
  | { readonly task: 'thumbnail'; readonly path: string }
  | { readonly task: 'mark'; readonly path: string; readonly into: string; readonly options: SignOptions }
  | {
      readonly task: 'edit';
      readonly operation: keyof PictureOperations;
      readonly args: readonly unknown[];
    }
);

export type MediaMessage =
  /** The guard is running: jobs may be sent. */
  | { readonly type: 'ready' }
  /** Results so far. */
  | { readonly type: 'part'; readonly result: unknown }
  | {
      readonly type: 'done';
      readonly result: unknown;
      /** Memory of the process in bytes. */
      readonly memory: number;
    }
  | { readonly type: 'refused'; readonly kind: MediaFault['kind']; readonly message: string; readonly memory: number }
  /** A fault of the disk or another part of the machine. */
  | {
      readonly type: 'machine';
      readonly code: string | null;
      readonly message: string;
      readonly memory: number;
      /** Whether the program's own files cannot be loaded. */
      readonly isOfProgram: boolean;
    };

/** The signals by which the guard ends its process; each ends a process that has no handler for it. */
export const GUARD_SIGNALS = { memory: 'SIGUSR2', cpu: 'SIGALRM' } as const;
