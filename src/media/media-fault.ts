/** Why a file cannot be used, in a sentence fit for the one who sent it. */
export class MediaFault extends Error {
  readonly kind: 'unsupported' | 'too_large' | 'corrupt';

  constructor(kind: MediaFault['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'MediaFault';
    this.kind = kind;
  }
}
