/*
 * The contract of engines, and facts about them that need no open engine. Four parts have entries of their own:
 * - `adapters`: every adapter and their building blocks, in more than a hundred files that only the service opens.
 * - `conformance`: the tests that an engine must pass, with node:test.
 * - `fakes`: every upstream on loopback, with sharp.
 * - `fakes/parts`: the parts that fakes and the tests of other packages share, without the fakes.
 */
export type { Callback } from './callback.ts';
export {
  type CallContext,
  type Checked,
  callTimeoutOf,
  type DeliveredOutput,
  type Delivery,
  type Engine,
  EngineError,
  type EngineErrorClass,
  FAILURE_CODES,
  type Idempotency,
  type Order,
  type OrderMedia,
  type OrderParent,
  type OrderRoute,
  type Started,
  type TaskFailure,
} from './engine.ts';
export { DEFAULT_LIMITS } from './engine-limits.ts';
export { enginesInUse } from './engines-in-use.ts';
export { idempotencyOf } from './idempotency-of.ts';
export { DEFAULT_INSTANCE, type EngineInstance, kindOf } from './instance.ts';
export type { ListedModels } from './listed-models.ts';
export { needsSpool } from './needs-spool.ts';
export type { ConfiguredEngines } from './open-instances.ts';
export { OWN_ENGINES_VARIABLE, OwnEngineFault, type OwnEngines } from './own-engines.ts';
export type { PictureTools } from './picture-tools.ts';
export type { ReportedCost } from './reported-cost.ts';
export type { Simulate } from './simulate.ts';
export type { UnreadAnswer } from './unread-answer.ts';
export type { Upstreams, UpstreamTools } from './upstreams.ts';
export {
  BATCH_VENDORS,
  BATCH_WINDOW_MS,
  batchEngineOf,
  type Prefix,
  VENDOR_NAMES,
  VENDORS,
  type VendorName,
  variablePrefix,
} from './vendor-descriptors.ts';
export { readServiceAccount, type ServiceAccount } from './vertex/service-account.ts';
