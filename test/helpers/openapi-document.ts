import type { JsonSchema } from './json-schema.ts';

/** The service's OpenAPI document, as far as tests read it. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly security?: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly scheme: string }>>;
    readonly responses: Readonly<Record<string, OpenApiAnswer>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiAnswer>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** An answer, or a reference to one that several operations share. */
export interface OpenApiAnswer {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: OpenApiContent;
}

type OpenApiContent = Readonly<Record<string, { readonly schema?: JsonSchema }>>;
