/** A replaced range of a file: `bytes` replaces it, then zeros up to the length `zeros`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly bytes?: Uint8Array;
  readonly zeros?: number;
}
