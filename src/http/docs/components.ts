import { Account, File, FileDeletion, LedgerEntry, UsageReport, UsageRow } from '@darkroom-service/contract/account';
import {
  AdminAccount,
  AdminCredit,
  AdminFailure,
  AdminKey,
  AdminKeyWithTasks,
  AdminModel,
  FailureCause,
  IssuedKey,
  KeyUsage,
  Reconciliation,
  Reloaded,
  RevokedKey,
  SigningSecrets,
} from '@darkroom-service/contract/admin';
import { AdminTask, OrderDeed, OrderDeedCounts } from '@darkroom-service/contract/admin-task';
import { AuditAct } from '@darkroom-service/contract/audit';
import { Batch, BatchEntry, BatchQuote } from '@darkroom-service/contract/batch';
import { ClientToken } from '@darkroom-service/contract/client-token';
import { CostOrder, CostReport, CostRow } from '@darkroom-service/contract/cost';
import { OutputDelivery } from '@darkroom-service/contract/delivery';
import { EndUser } from '@darkroom-service/contract/end-user';
import {
  AdminCircuit,
  AdminEngine,
  AdminQueue,
  ClosedCircuit,
  EngineLimits,
  RouteCircuit,
  Switched,
} from '@darkroom-service/contract/engine';
import { Alive, ErrorBody, Health, Ready, Service } from '@darkroom-service/contract/error';
import { LoggedRequest } from '@darkroom-service/contract/logged-request';
import { Model, ModelWithSchema } from '@darkroom-service/contract/model';
import { ServiceProcess } from '@darkroom-service/contract/process';
import { ReconciliationCause } from '@darkroom-service/contract/reconciliation';
import { Standing } from '@darkroom-service/contract/standing';
import {
  ActionOffer,
  Cost,
  DeletedTask,
  Deletion,
  ImagePage,
  Output,
  PriceLine,
  Quote,
  QuoteList,
  Task,
  TaskError,
  TaskWarning,
  VideoPage,
} from '@darkroom-service/contract/task';
import { UpstreamKey, UpstreamKeyList, UpstreamKeyRemoval } from '@darkroom-service/contract/upstream-key';
import { BatchWebhookEvent, Delivery, Secret, WebhookEvent, WebhookTest } from '@darkroom-service/contract/webhook';
import type { TSchema } from 'typebox';

/** The named schemas of the OpenAPI document. */
export const COMPONENTS: readonly TSchema[] = [
  PriceLine,
  Output,
  TaskError,
  TaskWarning,
  ActionOffer,
  Cost,
  OutputDelivery,
  Task,
  DeletedTask,
  Deletion,
  ImagePage,
  VideoPage,
  Quote,
  QuoteList,
  Batch,
  BatchEntry,
  BatchQuote,
  Model,
  ModelWithSchema,
  File,
  FileDeletion,
  Account,
  EndUser,
  ClientToken,
  UpstreamKey,
  UpstreamKeyList,
  UpstreamKeyRemoval,
  UsageRow,
  UsageReport,
  LedgerEntry,
  Delivery,
  WebhookTest,
  Secret,
  WebhookEvent,
  BatchWebhookEvent,
  ErrorBody,
  Alive,
  Service,
  Ready,
  Health,
  AdminAccount,
  AdminCredit,
  AdminKey,
  IssuedKey,
  AdminKeyWithTasks,
  RevokedKey,
  SigningSecrets,
  KeyUsage,
  Standing,
  AdminTask,
  OrderDeed,
  OrderDeedCounts,
  AdminFailure,
  FailureCause,
  ServiceProcess,
  LoggedRequest,
  AuditAct,
  Reconciliation,
  ReconciliationCause,
  AdminModel,
  AdminQueue,
  AdminCircuit,
  RouteCircuit,
  EngineLimits,
  AdminEngine,
  ClosedCircuit,
  Switched,
  Reloaded,
  CostOrder,
  CostRow,
  CostReport,
];
