/** Error for a file that cannot be marked. Its bytes are to be stored unchanged. */
export class MarkFault extends Error {
  /** `kept`: the file already has a mark, which was found late. `failed`: its structure does not allow a mark. */
  readonly state: 'kept' | 'failed';

  constructor(state: MarkFault['state'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'MarkFault';
    this.state = state;
  }
}
