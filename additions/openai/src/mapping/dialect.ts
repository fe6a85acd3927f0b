import type { Kernel } from '@darkroom-service/darkroom/kernel';
import type { CallResult } from './call-result.ts';
import type { Call } from './calls.ts';
import type { OpenaiErrorView } from './openai-wire.ts';

/** An error as a door says it: its message, code, field and HTTP status. */
export type ErrorFacts = OpenaiErrorView['error'];

/** Writes the result of a call, in pieces of JSON text or of events. */
export type ResultWriter = (
  kernel: Pick<Kernel, 'files' | 'outputs'>,
  call: Call,
  result: CallResult,
) => AsyncGenerator<string | Uint8Array>;

/** The form of a door: where it is, and how it writes images and errors. */
export interface Dialect {
  /** Path of the door, such as `/openai/v1`. */
  readonly root: string;
  /** Path of images from a prompt below the root. */
  readonly images: string;
  /** Fields of the service that have other names here. */
  readonly params: Readonly<Record<string, string>>;
  readonly errorBody: (error: ErrorFacts) => { readonly error: object };
  readonly writeImages: ResultWriter;
}
