import type { ErrorCode, OperationRoles } from '@darkroom-service/contract';

/** The texts of one operation in the OpenAPI document, besides its schemas. */
export interface Operation {
  /** Roles of the people who may call it: a permission of docs/roles.md, or a list; none = only keys may. */
  readonly roles: OperationRoles;
  /** Name of the function in a generated client. Never changed, since clients would break. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** Codes of its failures, besides those of any request with a key, and with a body. */
  readonly errors?: readonly ErrorCode[];
  /** Bodies that it takes, by name. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
}

/** Failures of any operation that reads the database. */
export const ANY = ['internal_error', 'service_unavailable', 'shutting_down'] as const satisfies ErrorCode[];

/** Failures of any operation that needs an API key. */
export const WITH_KEY = [
  ...ANY,
  'invalid_request',
  'unsupported_field',
  'missing_api_key',
  'invalid_api_key',
  'expired_api_key',
  'revoked_api_key',
  'forbidden',
  'rate_limited',
] as const satisfies ErrorCode[];

/** Failures of any operation that takes a JSON body. */
export const WITH_BODY = ['invalid_json', 'body_too_large', 'unsupported_media_type'] as const satisfies ErrorCode[];

/** Failures of any check of an order, with a price or without. */
export const JUDGING = [
  'unsupported_value',
  'unsupported_action',
  'missing_prompt',
  'missing_reference',
  'prompt_too_long',
  'invalid_reference',
  'model_not_allowed',
  'model_not_found',
  'model_retired',
  'parent_not_ready',
] as const satisfies ErrorCode[];

/** Failures of any order. */
export const ORDERING = [
  ...JUDGING,
  'insufficient_balance',
  'spend_limit_reached',
  'end_user_limit_reached',
  'price_exceeded',
  'storage_limit_reached',
  'idempotency_key_reused',
  'model_not_offered',
  'queue_full',
  'model_unavailable',
  'storage_full',
] as const satisfies ErrorCode[];
