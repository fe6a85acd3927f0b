/** The interface as an OpenAPI document. */
export interface OpenApiDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> };
}
