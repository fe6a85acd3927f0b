/** Why a file cannot be marked. Its bytes are to be stored as they came. */
export class MarkFault extends Error {
  /** `kept`: it turned out late that the file holds a mark already. `failed`: its structure does not allow it. */
  readonly state: 'kept' | 'failed';

  constructor(state: MarkFault['state'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'MarkFault';
    this.state = state;
  }
}
