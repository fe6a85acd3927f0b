/* Every public object as a schema; its type is in the root. The envelope of answers, and fields of queries. */
export { Account, File, FileDeletion, LedgerEntry, LedgerPage, UsageReport, UsageRow } from './account.ts';
export {
  AdminAccount,
  AdminCredit,
  AdminFailure,
  AdminKey,
  AdminKeyWithTasks,
  AdminModel,
  FailureCause,
  FailureWindow,
  IssuedKey,
  KeyUsage,
  Reconciliation,
  Reloaded,
  RevokedKey,
  SigningSecrets,
} from './admin.ts';
export { adminAction, adminSchema } from './admin-schema.ts';
export { AdminTask, AdminTaskPage, OrderDeed, OrderDeedCounts } from './admin-task.ts';
export { ErrorAnswer, plainAnswer } from './answers.ts';
export { AuditAct } from './audit.ts';
export { Batch, BatchEntry, BatchOrder, BatchPage, BatchQuote, BatchTaskPage } from './batch.ts';
export { ClientToken, DEFAULT_TOKEN_SECONDS, NewClientToken } from './client-token.ts';
export { CostOrder, CostOrderPage, CostReport, CostRow } from './cost.ts';
export {
  DataReceiver,
  DataReceiverList,
  type DataReceiverView,
  DataRule,
  type DataRuleBody,
  DataRuleList,
  DataRuleRemoval,
  StoredDataRule,
  type StoredDataRuleView,
} from './data-rule.ts';
export { DeliverTo, DestinationName, OutputDelivery } from './delivery.ts';
export { EndUser, EndUserChange, EndUserName, EndUserPage } from './end-user.ts';
export {
  AdminCircuit,
  AdminEngine,
  AdminQueue,
  ClosedCircuit,
  EngineHour,
  EngineLimits,
  RouteCircuit,
  Switched,
} from './engine.ts';
export { type Envelope, envelopeOf, success, successAround } from './envelope.ts';
export { Alive, ErrorBody, Health, Ready, Service } from './error.ts';
export { LoggedRequest, LoggedRequestPage } from './logged-request.ts';
export { Model, ModelList, ModelWithSchema } from './model.ts';
export { GENERATION, IMAGE, VIDEO } from './model-fields.ts';
export { ORDER_MODELS } from './order-models.ts';
export {
  ActionHeaders,
  ActionOrder,
  CacheHeaders,
  CreateHeaders,
  FileHeaders,
  IdempotencyHeaders,
  ImageOrder,
  PriceQuestion,
  PriceQuestions,
  RetrieveHeaders,
  StreamHeaders,
  VideoOrder,
} from './orders.ts';
export { ServiceProcess } from './process.ts';
export { DEFAULT_LIMIT, isDay, Limit, readTime, readTimes, readWordList, wordList } from './query-fields.ts';
export { BASIS, CONSENT, PriceLine, Quote, QuoteList } from './quote.ts';
export { ReconciliationCause } from './reconciliation.ts';
export { Standing } from './standing.ts';
export {
  ActionOffer,
  Cost,
  CreatedTask,
  DeletedTask,
  Deletion,
  ImagePage,
  Output,
  Task,
  TaskDelay,
  TaskError,
  TaskWarning,
  VideoPage,
} from './task.ts';
export { NewUpstreamKey, UpstreamKey, UpstreamKeyList, UpstreamKeyRemoval } from './upstream-key.ts';
export {
  BatchWebhookEvent,
  BudgetNotice,
  BudgetWebhookEvent,
  DefaultUrl,
  DefaultUrlChange,
  Delivery,
  DeliveryPage,
  Secret,
  SecretList,
  WebhookEvent,
  WebhookTest,
} from './webhook.ts';
