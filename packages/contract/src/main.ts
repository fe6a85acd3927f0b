/*
 * Words, errors, money, ids and roles, the rules of texts and names, and the types of public objects. It loads no
 * schema library. Three parts have entries of their own, because a program that needs none of them should not load
 * them:
 * - `schemas`: the public objects as schemas; building them takes a tenth of a command's time.
 * - `parts`: building blocks of such schemas, for the schemas of other packages.
 * - `catalog`: the entries of a catalog, their conditions, sizes, prices and translations.
 */
export type { FileView, LedgerEntryView, OwnAccountView, UsageRowView } from './account.ts';
export type {
  AccountView,
  CreditView,
  FailureCauseView,
  FailureView,
  IssuedKeyView,
  KeyUsageView,
  KeyView,
  KeyWithTasksView,
  MeasuredRoute,
  ModelReport,
  ReconciliationView,
  RevokedKeyView,
  SigningSecretsView,
} from './admin.ts';
export type { OperatorTaskView, OrderDeedView } from './admin-task.ts';
export type { AuditEntry } from './audit.ts';
export type { BatchQuoteView, BatchView } from './batch.ts';
export { canonicalName, cleanText, cutText, isBlank, isCleanText, LONGEST_TEXT } from './clean-text.ts';
export { type Clock, isoTime, systemClock } from './clock.ts';
export type { CostOrderView, CostRowView } from './cost.ts';
export { decodeText } from './decode-text.ts';
export type { OutputDeliveryView, ReceiverHeaders } from './delivery.ts';
export { isDoneWithin } from './done-within.ts';
export type { EndUserView } from './end-user.ts';
export type {
  CircuitView,
  EngineHourView,
  EngineLimitsView,
  EngineView,
  QueueView,
  RouteCircuitView,
  UpstreamBalanceView,
} from './engine.ts';
export type { CheckResult, ErrorBodyView } from './error.ts';
export { ERROR_TABLE } from './error-table.ts';
export { type ErrorCode, errorFromFaults, type Fault, reasonOf, ServiceError } from './errors.ts';
export { flatText } from './flat-text.ts';
export { given } from './given.ts';
export { matchesGlob } from './glob.ts';
export { ACCOUNT_ID, DOLLARS, idPattern, isId, MODEL_GLOB, MODEL_ID, TASK_ID } from './id-patterns.ts';
export { cellOf, createIdFactory, timeIdPrefix, timeOfId } from './ids.ts';
export { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
export { type ByteRange, JsonScan, type JsonShape } from './json-scan.ts';
export type { LoggedRequestView } from './logged-request.ts';
export type { CatalogEntry, ModelView } from './model.ts';
export { formatMicros, MICROS_PER_DOLLAR, type Micros, parseMicros } from './money.ts';
export { didYouMean, nearestName, suggestName } from './nearest-name.ts';
export { isAllowed, type OperationRoles, PERMISSIONS, seesWholeAccount } from './permissions.ts';
export type { ProcessView } from './process.ts';
export type { ComparedOrder, ConsentView, PriceBasis, QuoteView } from './quote.ts';
export type { ReconciliationCauseView } from './reconciliation.ts';
export {
  ACCOUNT_ROLES,
  type AccountRole,
  type AnyRole,
  higherRole,
  isRoleOf,
  OPERATOR_ROLES,
  OPERATORS,
  ROLES,
} from './roles.ts';
export {
  daysOf,
  SPEND_WINDOWS,
  type SpendLimits,
  type SpendWindow,
  WINDOW_LABEL,
  type WindowsIn,
  windowEnd,
  windowStart,
  windowsIn,
} from './spend-windows.ts';
export type { StandingView } from './standing.ts';
export type {
  DeletionView,
  OfferView,
  OutputView,
  TaskDelayView,
  TaskView,
  TaskWarningView,
  Tombstone,
} from './task.ts';
export { isTimeZone, startOfDay, unknownTimeZone, zoneOffsets } from './time-zone.ts';
export type { UpstreamKeyListView, UpstreamKeyView } from './upstream-key.ts';
export type { BudgetNoticeView, DeliveryView, SecretListView, WebhookTestView } from './webhook.ts';
export {
  BATCH_STATUSES,
  CIRCUIT_STATES,
  type CircuitState,
  COST_GROUPS,
  COST_NOTES,
  type CostGroup,
  type CostNote,
  DELAY_CODES,
  DELIVERY_STATUSES,
  type Delay,
  type DelayCode,
  EXAMINED_WITHIN_MS,
  LONGEST_WAIT_SECONDS,
  MODE_FILTERS,
  MODES,
  type ModeFilter,
  ORDER_DEEDS,
  ORDER_STATES,
  type OrderDeedName,
  type OrderState,
  TASK_FAILURE_CODES,
  TASK_STATUSES,
  UPSTREAM_FAULTS,
  type UpstreamFault,
  USAGE_GROUPS,
  type UsageGroup,
  type WarningCode,
} from './words.ts';
export { nextTurn, sleep, useWorld, type World, world } from './world.ts';
