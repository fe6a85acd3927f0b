/** A whole file that the writing thread writes aside and moves to its key. */
export interface FileToWrite {
  readonly number: number;
  readonly aside: string;
  readonly key: string;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** The digest of a written file in hexadecimal, or the fault for which it was not written. */
export type WriteOutcome = { readonly number: number } & (
  | { readonly sha256: string }
  | { readonly code: string; readonly message: string }
);
