import type { JsonObject, Micros } from '@darkroom-service/contract';
import type { CatalogRoute, Model, ResolvedRequest } from '@darkroom-service/contract/catalog';
import { resolveRequest } from '../resolve-request.ts';
import { unsupportedFields } from '../route-coverage.ts';
import { quoteRequest } from './quote.ts';

/**
 * Returns the request of a create's body at a route, and its price by the catalog; null if the model refuses it, or the
 * route cannot serve it.
 */
export function orderAt(
  model: Model,
  route: CatalogRoute,
  body: JsonObject,
): { readonly request: ResolvedRequest; readonly price: Micros } | null {
  const found = resolveRequest(model, body, { purpose: 'create' });
  if (!found.ok || unsupportedFields(route, model, found.request).length > 0) return null;
  return { request: found.request, price: quoteRequest(model, found.request, '1').amount };
}
