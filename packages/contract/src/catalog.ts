/* Models as data: entries of a catalog, resolved requests, conditions, sizes, prices and the translations of routes. */
export { ACTIONS, type ActionName, CANONICAL_ACTIONS } from './catalog/actions.ts';
export { boundaryValues, isBounds, isMultipleOf, isPresent, meets, satisfies } from './catalog/condition.ts';
export { describeSchema, type Schema, showValue } from './catalog/describe-schema.ts';
export {
  type CatalogFile,
  CatalogFileSchema,
  type Condition,
  type Constraint,
  type Entry,
  type FieldLimit,
  type Parameter,
} from './catalog/entry-schema.ts';
export type {
  BelowCost,
  CompiledModel,
  CompiledParameter,
  DearerConsent,
  DerivedValues,
  FieldConflict,
  FieldSet,
  ListField,
  MediaField,
  MediaMeasurement,
  MediaReference,
  Model,
  OutputPlan,
  ParameterCheck,
  PricedBody,
  PricedEngine,
  PricedRoute,
  Quote,
  QuoteLine,
  ResolvedRequest,
} from './catalog/model.ts';
export {
  defaultTier,
  type PlannedSize,
  planSize,
  readRatio,
  readSize,
  type Size,
  sizesOfTier,
  tierArea,
  tierSides,
} from './catalog/output-size.ts';
export {
  type CountedTokens,
  countTokens,
  KIND_OF_FORMULA,
  type PriceFormula,
  TOKEN_KINDS,
  type TokenKind,
} from './catalog/price-formula.ts';
export {
  countedUnit,
  type PriceComponent,
  type PriceSource,
  type Pricing,
  type StatedCost,
  statedCost,
} from './catalog/price-schema.ts';
export type { CatalogRoute, RouteDelivers, RouteMap } from './catalog/route-map.ts';
export { holds, type LookUp, lookUpIn, type NamedRule, readRule, rulesOf, setAt } from './catalog/route-values.ts';
export { holdsVendorAddress, isVendorAddress, vendorAddressesIn } from './catalog/vendor-address.ts';
export {
  FEATURES,
  IMAGE_ROLES,
  type ImageRole,
  MEDIA_ROLES,
  type MediaRole,
  PRICE_UNITS,
  SIMULATED_OUTCOMES,
} from './catalog/vocabulary.ts';
