/** Memory that a program shares with this one. */
export interface ProgramMemory {
  readonly buffer: ArrayBuffer;
}

/** The parts of the platform's WebAssembly that the network uses. */
interface WebAssemblyApi {
  readonly Memory: new (size: { readonly initial: number }) => ProgramMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: ProgramMemory } },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  validate(bytes: Uint8Array): boolean;
}

export const { WebAssembly: webAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
