/** A job of an enlarging process. Plain JSON, since it is sent to another process. */
export interface EnlargeJob {
  /** Path of the picture. */
  readonly path: string;
  /** Path of the file to write. It must not exist yet. */
  readonly into: string;
  readonly factor: 2 | 4;
  readonly format: 'png' | 'jpeg' | 'webp';
  /** Folder of the network. */
  readonly network: string;
}

export interface EnlargedPicture {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

export type EnlargeMessage =
  | { readonly type: 'progress'; readonly progress: number }
  | { readonly type: 'done'; readonly picture: EnlargedPicture }
  | {
      readonly type: 'failed';
      readonly message: string /** The fault of this machine: its code. */;
      readonly code?: string;
    };

/** The picture cannot be enlarged, now or later. */
export class EnlargeFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EnlargeFault';
  }
}
