import type { JsonObject } from '@darkroom-service/contract';
import type { Catalog } from '../../../kernel-views.ts';
import type { Alias } from '../openai-settings.ts';

/** A request of an OpenAI-compatible client, in our own terms. */
export interface RequestedCall {
  /** The body of one order. */
  readonly body: JsonObject;
  /** How many orders. */
  readonly count: number;
  readonly view: CallView;
  /** When all its files must have been examined, as in `MediaCall`; absent = none was yet. */
  readonly examinedBy?: number;
}

/** How a client wants its answer; stored with the call. */
export interface CallView {
  readonly format: 'b64_json' | 'url';
  /** Names of fields that were left out, or met only nearly. */
  readonly ignored: readonly string[];
}

/** The sources from which a call is read. */
export interface CallSources {
  readonly catalog: Catalog;
  readonly aliases: readonly Alias[];
  /** A form has text only: numbers and flags of the model are read from it. */
  readonly isForm: boolean;
}
