import type { ExaminedOutput } from './decoding/examine-output.ts';
import type { PictureOperations } from './decoding/picture-operations.ts';
import type { SignOptions, SignOutcome } from './marks/mark-file.ts';
import { OUTPUT_LIMITS, UNTRUSTED_LIMITS } from './media-limits.ts';
import type { Probe } from './probe.ts';
import { MediaPool, type MediaPoolOptions } from './process/media-pool.ts';

/** Opens untrusted files, always in a media process. */
export interface MediaTools {
  /**
   * Measures an uploaded picture, video or sound, and reads far enough to verify that it is complete.
   * @throws MediaFault when its format is unsupported, or it is too large, too costly to read or broken; StorageError
   * when this machine cannot read it.
   */
  probe(path: string, call: MediaCall): Promise<Probe>;
  /**
   * Measures an output and makes its thumbnail and preview. A valid output that exceeds the limits is still measured.
   * @throws as `probe`
   */
  examineOutput(path: string, call: MediaCall): Promise<ExaminedOutput>;
  /** Copies a picture or video into a new file, without the texts in it. @throws as `probe` */
  dropText(path: string, into: string, call: MediaCall): Promise<void>;
  /**
   * Copies an output into a new file, with a signed C2PA manifest. Returns null for a format that cannot hold one.
   * @throws as `probe`
   */
  markFile(path: string, into: string, options: SignOptions, call: MediaCall): Promise<SignOutcome | null>;
  /** Makes the thumbnail of a picture, which proves that it decodes: a WebP. @throws as `probe` */
  thumbnail(path: string, call: MediaCall): Promise<Uint8Array>;
  /** Edits pictures for an engine. @throws as `probe` */
  edit: EditPicture;
  close(): Promise<void>;
}

export interface MediaCall {
  /** The API key's id, or another name, by which the processes are shared fairly. */
  readonly owner: string;
  /** The mode of that key: free media of test keys do not delay those of live ones. Default: `live`. */
  readonly mode?: 'live' | 'test';
  /** The end user whose client token sent the file; an end user has only a share of the key's budgets. */
  readonly endUser?: string;
  /**
   * Whether the order was already accepted: the call then waits for its turn and is never refused for lack of budget.
   */
  readonly patient?: boolean;
  /** Deadline for examining all files of a request that waits, in milliseconds of `world.monotonic()`. */
  readonly examinedBy?: number;
  /**
   * Returns the SHA-256 digest of the whole file in hexadecimal, once it is written; absent = the caller does not
   * compute it.
   */
  readonly digest?: () => string;
  readonly signal?: AbortSignal;
}

type EditPicture = <Name extends keyof PictureOperations>(
  operation: Name,
  args: Parameters<PictureOperations[Name]>,
  call: MediaCall,
) => Promise<Awaited<ReturnType<PictureOperations[Name]>>>;

/** Creates the tools; no process starts before the first call. */
export function createMediaTools(options: MediaPoolOptions = {}): MediaTools {
  return toolsOver(new MediaPool(options));
}

function toolsOver(pool: MediaPool): MediaTools {
  return {
    async probe(path, call) {
      return (await pool.run(
        { task: 'probe', path, limits: UNTRUSTED_LIMITS },
        { ...call, lane: 'untrusted' },
      )) as Probe;
    },
    async examineOutput(path, call) {
      const job = { task: 'output', path, limits: OUTPUT_LIMITS } as const;
      return (await pool.run(job, { ...call, lane: 'output' })) as ExaminedOutput;
    },
    async dropText(path, into, call) {
      await pool.run({ task: 'drop_text', path, into, limits: OUTPUT_LIMITS }, { ...call, lane: 'output' });
    },
    async markFile(path, into, options, call) {
      const job = { task: 'mark', path, into, options, limits: OUTPUT_LIMITS } as const;
      return (await pool.run(job, { ...call, lane: 'output' })) as SignOutcome | null;
    },
    async thumbnail(path, call) {
      const job = { task: 'thumbnail', path, limits: OUTPUT_LIMITS } as const;
      return (await pool.run(job, { ...call, lane: 'untrusted' })) as Uint8Array;
    },
    async edit(operation, args, call) {
      const job = { task: 'edit', operation, args, limits: OUTPUT_LIMITS } as const;
      // The process returns the result type of the operation.
      return (await pool.run(job, { ...call, lane: 'output' })) as never;
    },
    close: () => pool.close(),
  };
}
