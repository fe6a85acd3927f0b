export { BatchArchive } from './batch-archive.ts';
export type { BatchOrders, NewBatch } from './batch-body.ts';
export { BatchHandle } from './batch-handle.ts';
export { Content, type ContentOptions } from './content.ts';
export { Darkroom, type DarkroomOptions } from './darkroom.ts';
export {
  AbortError,
  ApiError,
  type ApiErrorCode,
  type ClientErrorCode,
  ConnectionError,
  DarkroomError,
  DownloadError,
  type ErrorCode,
  isDarkroomError,
  TaskCanceledError,
  type TaskErrorCode,
  TaskFailedError,
  WaitTimeoutError,
  WebhookError,
} from './errors.ts';
export type { UploadSource } from './files.ts';
export type * from './generated/interface.ts';
export type { Models } from './generated/models.ts';
export type { ImageActions } from './images.ts';
export { List, type Page } from './list.ts';
export type { ModelTypes, OrderFor } from './order-types.ts';
export type { OrderOptions } from './place-order.ts';
export type { ChangeOptions } from './repeatable-call.ts';
export { TaskHandle } from './task-handle.ts';
export type { GenerateOptions, TaskQuery } from './tasks.ts';
export type { ApiKey, CallOptions } from './transport.ts';
export { type UnwrapOptions, unwrapWebhook, type WebhookHeaders } from './verify-webhook.ts';
export type { WaitOptions } from './watch.ts';
