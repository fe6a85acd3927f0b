/** The parts of n8n's interface that the node uses, as n8n 2.41 has them. The package needs none of n8n at runtime. */

/** A file of an item, as n8n stores it. */
export interface BinaryFile {
  readonly mimeType: string;
  readonly fileName?: string;
}

export interface Item {
  readonly json: Readonly<Record<string, unknown>>;
  readonly binary?: Readonly<Record<string, BinaryFile>>;
  /** The item of the input from which this one comes. */
  readonly pairedItem?: { readonly item: number };
}

interface CredentialReader {
  getCredentials(name: string): Promise<Readonly<Record<string, unknown>>>;
}

/** The functions of a node that runs. */
export interface ExecuteFunctions extends CredentialReader {
  getInputData(): readonly Item[];
  getNodeParameter(name: string, item: number, fallback?: unknown): unknown;
  getExecutionId(): string;
  getNode(): { readonly id: string; readonly name: string };
  /** Aborts when the execution is stopped. Older versions have none. */
  getExecutionCancelSignal?(): AbortSignal | undefined;
  evaluateExpression(expression: string, item: number): unknown;
  continueOnFail(): boolean;
  readonly helpers: {
    getBinaryDataBuffer(item: number, property: string): Promise<Uint8Array>;
    prepareBinaryData(bytes: Buffer, fileName?: string, mimeType?: string): Promise<BinaryFile>;
  };
}

/** The functions of a list that the editor shows. */
export interface LoadFunctions extends CredentialReader {
  getCurrentNodeParameter(name: string): unknown;
}

export interface Choice {
  readonly name: string;
  readonly value: string;
  readonly description?: string;
  readonly action?: string;
}

/** A field that the editor shows. */
export interface Field {
  readonly displayName: string;
  readonly name: string;
  readonly type: 'boolean' | 'collection' | 'json' | 'number' | 'options' | 'string';
  readonly default: unknown;
  readonly description?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly noDataExpression?: boolean;
  readonly options?: readonly (Choice | Field)[];
  readonly typeOptions?: Readonly<Record<string, unknown>>;
  readonly displayOptions?: { readonly show: Readonly<Record<string, readonly unknown[]>> };
}
