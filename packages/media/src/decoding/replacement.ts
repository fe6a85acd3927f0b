/** Bytes of a file, and what takes their place: `bytes`, then zeros up to the length `zeros`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly bytes?: Uint8Array;
  readonly zeros?: number;
}
