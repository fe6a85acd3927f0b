import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';

const HEADING = '/** Made from the OpenAPI document of the service by `npm run console:types`. Do not edit. */\n\n';

/** Turns an OpenAPI document into TypeScript: `paths` by address and method, and one type per named schema. */
export async function apiTypes(document: object): Promise<string> {
  const nodes = await openapiTypes(document as OpenAPI3, {
    alphabetize: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return `${HEADING}${astToString(nodes)}`;
}
