/** A failure of a local model's download or storage, reported to the operator with its message only. */
export class LocalFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalFault';
  }
}
