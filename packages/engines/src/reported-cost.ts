import type { TokenKind } from '@darkroom-service/contract/catalog';

/** An upstream's statement of an order's cost: a decimal text as received, or its count of tokens. */
export type ReportedCost =
  /** US dollars. */
  | { readonly usd: string }
  /** Units of the upstream, whose price a route of the catalog may state. */
  | { readonly units: string }
  /** Tokens, whose prices a route of the catalog may state. A kind without a number has no tokens. */
  | { readonly tokens: { readonly [Kind in TokenKind]?: number } };
