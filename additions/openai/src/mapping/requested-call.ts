import type { JsonObject } from '@darkroom-service/contract';
import type { Catalog } from '@darkroom-service/darkroom/kernel-views';
import type { Alias } from '../openai-settings.ts';
import type { WantedShape } from './map-shape.ts';

/** A request of an OpenAI-compatible client, in our own terms. */
export interface RequestedCall {
  /** Body of one order. */
  readonly body: JsonObject;
  /** Number of orders. */
  readonly count: number;
  readonly view: CallView;
  /** Deadline for the examination of all its files, as in `MediaCall`; absent = no file was examined yet. */
  readonly examinedBy?: number;
}

/** Form of the answer that a client wants; stored with the call. */
export interface CallView {
  readonly format: 'b64_json' | 'url';
  /** Name of the model as the client sent it, if the answer is a chat completion; absent otherwise. */
  readonly chatModel?: string;
  /** Names of fields that were omitted, or met only approximately. */
  readonly ignored: readonly string[];
  /** The interface that ordered the call, and the form of its answer there; absent = OpenAI's. */
  readonly door?: string;
}

/** The sources from which a call is read. */
export interface CallSources {
  readonly catalog: Catalog;
  readonly aliases: readonly Alias[];
  /** Whether the request is a form, which has text only: numbers and flags of the model are parsed from it. */
  readonly isForm: boolean;
  /** Shape of the images, if the client names it by an aspect ratio or a resolution of its own. */
  readonly shape?: WantedShape;
}
