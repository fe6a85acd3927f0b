/** Made from the OpenAPI document of the service by `npm run console:types`. Do not edit. */

import type { Wire } from '@darkroom-service/contract/parts';

/** By method and path: what each operation accepts, and the `data` of its answer, or its whole `answer`. */
export interface Operations {
  'GET /v1/catalog': {
    readonly query?: { readonly type?: 'image' | 'video' };
    readonly data: { readonly items: readonly Model[] };
  };
  'GET /files/{file}': {
    readonly query?: {
      readonly expires?: string;
      readonly signature?: string;
      readonly download?: '0' | '1';
      readonly variant?: 'output' | 'original';
    };
    readonly data: unknown;
  };
  'GET /healthz': { readonly data: unknown; readonly answer: Alive };
  'GET /readyz': {
    readonly query?: { readonly for?: 'orders' | 'reads' | 'files' };
    readonly data: unknown;
    readonly answer: Ready;
  };
  'GET /metrics': { readonly data: unknown };
  'GET /admin/v1/health': { readonly data: Health };
  'GET /v1/images/{task_id}/events': {
    readonly query?: { readonly expires?: string; readonly signature?: string };
    readonly data: unknown;
  };
  'GET /v1/videos/{task_id}/events': {
    readonly query?: { readonly expires?: string; readonly signature?: string };
    readonly data: unknown;
  };
  'GET /shares/{share_id}/file': {
    readonly query?: {
      readonly expires?: string;
      readonly signature?: string;
      readonly variant?: 'output' | 'thumbnail';
      readonly download?: '0' | '1';
    };
    readonly data: unknown;
  };
  'GET /shares/{share_id}/files/{number}': {
    readonly query?: {
      readonly expires?: string;
      readonly signature?: string;
      readonly variant?: 'output' | 'thumbnail';
      readonly download?: '0' | '1';
    };
    readonly data: unknown;
  };
  'GET /examples/{example_id}': { readonly data: unknown };
  'GET /.well-known/jwks.json': { readonly data: unknown; readonly answer: PublicKeySet };
  'GET /v1/provenance': { readonly query?: { readonly sha256: string }; readonly data: Origin };
  'POST /v1/provenance': { readonly data: Origin };
  'GET /v1/images': {
    readonly query?: {
      readonly limit?: number;
      readonly status?: string;
      readonly model_id?: string;
      readonly end_user?: string;
      readonly parent_task_id?: string;
      readonly batch_id?: string;
      readonly search?: string;
      readonly created_after?: string;
      readonly created_before?: string;
      readonly after?: string;
      readonly offset?: number;
      readonly tag?: string;
      readonly include?: 'tags';
    };
    readonly data: ImageTaskPage;
  };
  'POST /v1/images': { readonly body?: ImageOrder; readonly data: Task | DeletedTask };
  'GET /v1/images/{task_id}': { readonly data: Task };
  'DELETE /v1/images/{task_id}': { readonly query?: { readonly after?: number }; readonly data: TaskDeletion };
  'POST /v1/images/{task_id}/cancel': { readonly body?: { readonly [name: string]: unknown }; readonly data: Task };
  'POST /v1/images/{task_id}/restore': { readonly body?: { readonly [name: string]: unknown }; readonly data: Task };
  'GET /v1/images/{task_id}/content': {
    readonly query?: {
      readonly variant?: 'output' | 'original' | 'thumbnail' | 'preview';
      readonly download?: '0' | '1';
    };
    readonly data: unknown;
  };
  'GET /v1/videos': {
    readonly query?: {
      readonly limit?: number;
      readonly status?: string;
      readonly model_id?: string;
      readonly end_user?: string;
      readonly parent_task_id?: string;
      readonly batch_id?: string;
      readonly search?: string;
      readonly created_after?: string;
      readonly created_before?: string;
      readonly after?: string;
      readonly page?: number;
      readonly tag?: string;
      readonly include?: 'tags';
    };
    readonly data: VideoTaskPage;
  };
  'POST /v1/videos': { readonly body?: VideoOrder; readonly data: Task | DeletedTask };
  'GET /v1/videos/{task_id}': { readonly data: Task };
  'DELETE /v1/videos/{task_id}': { readonly query?: { readonly after?: number }; readonly data: TaskDeletion };
  'POST /v1/videos/{task_id}/cancel': { readonly body?: { readonly [name: string]: unknown }; readonly data: Task };
  'POST /v1/videos/{task_id}/restore': { readonly body?: { readonly [name: string]: unknown }; readonly data: Task };
  'GET /v1/videos/{task_id}/content': {
    readonly query?: {
      readonly variant?: 'output' | 'original' | 'thumbnail' | 'preview';
      readonly download?: '0' | '1';
    };
    readonly data: unknown;
  };
  'POST /v1/images/actions': { readonly body?: ActionOrder; readonly data: Task | DeletedTask };
  'GET /v1/events': { readonly query?: { readonly tasks: string }; readonly data: unknown };
  'POST /v1/prices': { readonly body?: PriceQuestion; readonly data: Quote };
  'POST /v1/prices/compare': {
    readonly body?: {
      readonly orders: readonly {
        readonly model_id: string;
        readonly prompt?: string | null;
        readonly negative_prompt?: string | null;
        readonly num_images?: number | null;
        readonly image_urls?: readonly string[] | null;
        readonly image_roles?:
          | readonly (
              | 'reference'
              | 'mask'
              | 'control:depth'
              | 'control:pose'
              | 'control:edges'
              | 'style'
              | 'face'
              | 'first_frame'
              | 'last_frame'
            )[]
          | null;
        readonly resolution?: string | null;
        readonly aspect_ratio?: string | null;
        readonly seed?: number | null;
        readonly style?: string | null;
        readonly watermark?: boolean | null;
        readonly prompt_enhance?: boolean | null;
        readonly size?: string | null;
        readonly output_format?: string | null;
        readonly output_compression?: number | null;
        readonly speed?: string | null;
        readonly quality?: string | null;
        readonly background?: string | null;
        readonly strength?: number | null;
        readonly mask_url?: string | null;
        readonly style_image_urls?: readonly string[] | null;
        readonly steps?: number | null;
        readonly guidance_scale?: number | null;
        readonly duration?: string | number | null;
        readonly fps?: number | null;
        readonly first_frame_url?: string | null;
        readonly last_frame_url?: string | null;
        readonly video_url?: string | null;
        readonly reference_video_urls?: readonly string[] | null;
        readonly reference_audio_urls?: readonly string[] | null;
        readonly generate_audio?: boolean | null;
        readonly camera?: string | null;
        readonly source?: string;
        readonly action?: string | null;
        readonly parent_task_id?: string | null;
        readonly index?: number | null;
        readonly metadata?: { readonly [name: string]: string } | null;
        readonly end_user?: string | null;
        readonly webhook_url?: string | null;
        readonly deliver_to?: {
          readonly url?: string;
          readonly urls?: readonly string[];
          readonly headers?: { readonly [name: string]: string };
          readonly destination?: string;
        } | null;
        readonly max_price?: string | number | null;
        readonly allow_dearer?: boolean | null;
        readonly fallback_models?: readonly string[] | null;
        readonly fallback_on_content_policy?: boolean | null;
        readonly wait_for_parent?: boolean | null;
        readonly simulate?: {
          readonly seconds?: number;
          readonly outcome?:
            | 'succeeded'
            | 'content_policy'
            | 'upstream_error'
            | 'timeout'
            | 'outcome_unknown'
            | 'stuck'
            | 'late';
          readonly explain?: boolean;
        } | null;
      }[];
    };
    readonly data: QuoteList;
  };
  'GET /v1/batches': {
    readonly query?: {
      readonly limit?: number;
      readonly status?: 'processing' | 'succeeded' | 'failed' | 'partial' | 'canceled';
      readonly created_after?: string;
      readonly created_before?: string;
      readonly after?: string;
    };
    readonly data: { readonly items: readonly Batch[]; readonly limit: number; readonly has_more: boolean };
  };
  'POST /v1/batches': {
    readonly query?: {
      readonly max_price?: string;
      readonly max_parallel?: string;
      readonly webhook_url?: string;
      readonly speed?: string;
      readonly deliver_to?: string;
      readonly metadata?: string;
    };
    readonly body?: BatchOrder;
    readonly data: Batch;
  };
  'POST /v1/batches/prices': {
    readonly query?: {
      readonly max_price?: string;
      readonly max_parallel?: string;
      readonly webhook_url?: string;
      readonly speed?: string;
      readonly deliver_to?: string;
      readonly metadata?: string;
    };
    readonly body?: BatchOrder;
    readonly data: BatchQuote;
  };
  'GET /v1/batches/{batch_id}': { readonly data: Batch };
  'POST /v1/batches/{batch_id}/cancel': { readonly body?: { readonly [name: string]: unknown }; readonly data: Batch };
  'GET /v1/batches/{batch_id}/tasks': {
    readonly query?: {
      readonly limit?: number;
      readonly status?: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
      readonly after?: string;
    };
    readonly data: { readonly items: readonly Task[]; readonly limit: number; readonly has_more: boolean };
  };
  'GET /v1/batches/{batch_id}/results': {
    readonly query?: { readonly format?: 'jsonl' | 'zip' };
    readonly data: unknown;
  };
  'GET /v1/batches/{batch_id}/events': { readonly data: unknown };
  'GET /v1/models': {
    readonly query?: { readonly type?: 'image' | 'video' };
    readonly data: { readonly items: readonly Model[] };
  };
  'GET /v1/models/{model_id}': { readonly data: ModelWithSchema };
  'GET /v1/account': { readonly data: Account };
  'GET /v1/account/usage': {
    readonly query?: {
      readonly from?: string;
      readonly to?: string;
      readonly group_by?: string;
      readonly timezone?: string;
      readonly end_user?: string;
      readonly timing?: 'true' | 'false';
      readonly scope?: 'key' | 'account';
      readonly limit?: number;
      readonly after?: string;
    };
    readonly data: UsageReport;
  };
  'GET /v1/account/ledger': {
    readonly query?: { readonly limit?: number; readonly after?: string; readonly scope?: 'key' | 'account' };
    readonly data: {
      readonly items: readonly LedgerEntry[];
      readonly limit: number;
      readonly scope: 'key' | 'account';
      readonly has_more: boolean;
    };
  };
  'GET /v1/requests': {
    readonly query?: {
      readonly status?: string;
      readonly code?: string;
      readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      readonly since?: string;
      readonly until?: string;
      readonly limit?: number;
      readonly after?: string;
    };
    readonly data: {
      readonly items: readonly LoggedRequest[];
      readonly limit: number;
      readonly has_more: boolean;
      readonly next_after: string | null;
    };
  };
  'GET /v1/end_users': {
    readonly query?: { readonly limit?: number; readonly after?: string };
    readonly data: { readonly items: readonly EndUser[]; readonly limit: number; readonly has_more: boolean };
  };
  'GET /v1/end_users/{end_user}': { readonly data: EndUser };
  'PUT /v1/end_users/{end_user}': { readonly body?: EndUserChange; readonly data: EndUser };
  'DELETE /v1/end_users/{end_user}': { readonly data: EndUser };
  'POST /v1/client_tokens': { readonly body?: NewClientToken; readonly data: ClientToken };
  'GET /v1/account/webhooks/deliveries': {
    readonly query?: {
      readonly limit?: number;
      readonly after?: string;
      readonly status?: 'pending' | 'delivered' | 'failed';
      readonly task_id?: string;
      readonly scope?: 'key' | 'account';
    };
    readonly data: { readonly items: readonly WebhookDelivery[]; readonly has_more: boolean };
  };
  'POST /v1/account/webhooks/deliveries/{delivery_id}/redeliver': {
    readonly body?: { readonly [name: string]: unknown };
    readonly data: WebhookDelivery;
  };
  'POST /v1/account/webhooks/test': { readonly body?: { readonly url?: string }; readonly data: WebhookTest };
  'GET /v1/account/webhooks/secret': { readonly data: { readonly items: readonly WebhookSecret[] } };
  'POST /v1/account/webhooks/secret/rotate': {
    readonly body?: { readonly [name: string]: unknown };
    readonly data: { readonly items: readonly WebhookSecret[] };
  };
  'GET /v1/account/webhooks': {
    readonly data: { readonly url: string | null; readonly header_names: readonly string[] };
  };
  'PUT /v1/account/webhooks': {
    readonly body?: { readonly url: string | null; readonly headers?: { readonly [name: string]: string } };
    readonly data: { readonly url: string | null; readonly header_names: readonly string[] };
  };
  'GET /v1/account/upstream_keys': { readonly data: UpstreamKeyList };
  'PUT /v1/account/upstream_keys/{engine}': { readonly body?: NewUpstreamKey; readonly data: UpstreamKeyList };
  'DELETE /v1/account/upstream_keys/{engine}': { readonly data: UpstreamKeyRemoval };
  'POST /v1/files': { readonly query?: { readonly end_user?: string }; readonly data: File };
  'GET /v1/files/{file_id}': { readonly data: File };
  'DELETE /v1/files/{file_id}': { readonly data: FileDeletion };
  'GET /v1/shares': {
    readonly query?: { readonly task_id?: string; readonly limit?: number; readonly after?: string };
    readonly data: { readonly items: readonly Share[]; readonly limit: number; readonly has_more: boolean };
  };
  'POST /v1/shares': { readonly body?: NewShare; readonly data: Share };
  'GET /v1/shares/{share_id}': { readonly data: Share };
  'DELETE /v1/shares/{share_id}': { readonly data: ShareDeletion };
  'GET /v1/tags': {
    readonly query?: { readonly limit?: number; readonly after?: string };
    readonly data: { readonly items: readonly Tag[]; readonly limit: number; readonly has_more: boolean };
  };
  'GET /v1/images/{task_id}/tags': { readonly data: TaskTags };
  'PUT /v1/images/{task_id}/tags': { readonly body?: NewTaskTags; readonly data: TaskTags };
  'GET /v1/videos/{task_id}/tags': { readonly data: TaskTags };
  'PUT /v1/videos/{task_id}/tags': { readonly body?: NewTaskTags; readonly data: TaskTags };
  'GET /v1/examples': { readonly data: { readonly items: readonly ModelExample[] } };
  'GET /v1/models/{model_id}/examples': { readonly data: { readonly items: readonly ModelExample[] } };
  'GET /v1/models/{model_id}/data': { readonly data: DataReceiverList };
  'GET /v1/account/data_rules': { readonly data: DataRuleList };
  'PUT /v1/account/data_rules/{subject}': { readonly body?: DataRule; readonly data: DataRuleList };
  'DELETE /v1/account/data_rules/{subject}': { readonly data: DataRuleRemoval };
  'GET /v1/destinations': { readonly data: { readonly items: readonly Destination[]; readonly cannot_set?: string } };
  'GET /v1/destinations/{name}': { readonly data: Destination };
  'PUT /v1/destinations/{name}': { readonly body?: NewDestination; readonly data: Destination };
  'DELETE /v1/destinations/{name}': { readonly data: DestinationRemoval };
  'POST /v1/images/{task_id}/deliveries': { readonly body?: Redelivery; readonly data: Task };
  'POST /v1/videos/{task_id}/deliveries': { readonly body?: Redelivery; readonly data: Task };
  'GET /v1/images/{task_id}/receipt': {
    readonly query?: { readonly scope?: 'key' | 'account' };
    readonly data: { readonly jws: string; readonly content: TaskReceipt };
  };
  'GET /v1/videos/{task_id}/receipt': {
    readonly query?: { readonly scope?: 'key' | 'account' };
    readonly data: { readonly jws: string; readonly content: TaskReceipt };
  };
  'GET /v1/batches/{batch_id}/receipt': {
    readonly query?: { readonly scope?: 'key' | 'account' };
    readonly data: { readonly jws: string; readonly content: BatchReceipt };
  };
  'GET /v1/account/members': {
    readonly query?: { readonly limit?: number; readonly after?: string };
    readonly data: { readonly items: readonly Member[]; readonly limit: number; readonly has_more: boolean };
  };
  'PATCH /v1/account/members/{person_id}': { readonly body?: MemberChange; readonly data: Member };
  'DELETE /v1/account/members/{person_id}': {
    readonly query?: { readonly revoke_keys?: 'true' | 'false' };
    readonly data: MemberDeletion;
  };
  'GET /v1/account/invitations': { readonly data: { readonly items: readonly Invitation[] } };
  'POST /v1/account/invitations': { readonly body?: NewInvitation; readonly data: IssuedInvitation };
  'DELETE /v1/account/invitations/{invitation_id}': { readonly data: Invitation };
  'GET /v1/account/keys': { readonly data: { readonly items: readonly AdminKey[] } };
  'POST /v1/account/keys': { readonly body?: NewAccountKey; readonly data: IssuedKey };
  'PATCH /v1/account/keys/{key_id}': {
    readonly body?: {
      readonly name?: string;
      readonly expires_at?: string | null;
      readonly models?: readonly string[] | null;
      readonly rpm?: number;
      readonly read_rpm?: number;
      readonly concurrency?: number;
      readonly queue?: number;
      readonly spend_limits?: {
        readonly day?: string | null;
        readonly month?: string | null;
        readonly total?: string | null;
      };
      readonly end_user_limits?: {
        readonly day?: string | null;
        readonly month?: string | null;
        readonly total?: string | null;
      };
      readonly timezone?: string;
      readonly account_view?: boolean;
      readonly approve_over?: string | null;
    };
    readonly data: AdminKey;
  };
  'POST /v1/account/keys/{key_id}/revoke': { readonly data: RevokedKey };
  'POST /v1/account/keys/{key_id}/rotate': {
    readonly body?: { readonly grace_seconds?: number };
    readonly data: IssuedKey;
  };
  'GET /v1/account/tasks': {
    readonly query?: {
      readonly type?: 'image' | 'video';
      readonly search?: string;
      readonly limit?: number;
      readonly after?: string;
    };
    readonly data: {
      readonly items: readonly AccountTask[];
      readonly limit: number;
      readonly has_more: boolean;
      readonly next_after: string | null;
      readonly found_by: 'task' | 'end_user' | 'text' | null;
      readonly searched_since: string | null;
    };
  };
  'GET /v1/account/tasks/{task_id}': { readonly data: AccountTask };
  'GET /v1/account/tasks/{task_id}/content': {
    readonly query?: {
      readonly variant?: 'output' | 'original' | 'thumbnail' | 'preview';
      readonly download?: '0' | '1';
    };
    readonly data: unknown;
  };
  'GET /admin/v1/accounts': {
    readonly query?: { readonly limit?: number; readonly after?: string };
    readonly data: { readonly items: readonly AdminAccount[]; readonly limit: number; readonly has_more: boolean };
  };
  'POST /admin/v1/accounts': {
    readonly body?: { readonly account_id?: string; readonly name?: string; readonly credit_limit?: string | null };
    readonly data: AdminAccount;
  };
  'GET /admin/v1/accounts/{account_id}': { readonly data: AdminAccount };
  'PATCH /admin/v1/accounts/{account_id}': {
    readonly body?: {
      readonly name?: string;
      readonly credit_limit?: string | null;
      readonly price_rules?: readonly { readonly models: string; readonly multiplier: string }[];
      readonly hidden_models?: readonly string[];
    };
    readonly data: AdminAccount;
  };
  'POST /admin/v1/accounts/{account_id}/credit': {
    readonly body?: { readonly amount: string; readonly note?: string };
    readonly data: AdminAccount;
  };
  'GET /admin/v1/credits': {
    readonly query?: { readonly limit?: number; readonly after?: string };
    readonly data: { readonly items: readonly AdminCredit[]; readonly limit: number; readonly has_more: boolean };
  };
  'POST /admin/v1/credits/{credit_id}/take_back': { readonly data: AdminCredit };
  'GET /admin/v1/keys': {
    readonly query?: { readonly account_id?: string; readonly limit?: number; readonly after?: string };
    readonly data: { readonly items: readonly AdminKey[]; readonly limit: number; readonly has_more: boolean };
  };
  'POST /admin/v1/keys': {
    readonly body?: {
      readonly mode: 'live' | 'test' | 'admin';
      readonly account_id?: string;
      readonly name?: string;
      readonly expires_at?: string | null;
      readonly models?: readonly string[] | null;
      readonly rpm?: number;
      readonly read_rpm?: number;
      readonly concurrency?: number;
      readonly queue?: number;
      readonly spend_limits?: {
        readonly day?: string | null;
        readonly month?: string | null;
        readonly total?: string | null;
      };
      readonly end_user_limits?: {
        readonly day?: string | null;
        readonly month?: string | null;
        readonly total?: string | null;
      };
      readonly timezone?: string;
      readonly account_view?: boolean;
      readonly approve_over?: string | null;
    };
    readonly data: IssuedKey;
  };
  'GET /admin/v1/keys/usage': {
    readonly query?: { readonly key_ids: string };
    readonly data: { readonly items: readonly KeyUsage[]; readonly since: string };
  };
  'GET /admin/v1/keys/{key_id}': { readonly data: AdminKeyWithTasks };
  'PATCH /admin/v1/keys/{key_id}': {
    readonly body?: {
      readonly name?: string;
      readonly expires_at?: string | null;
      readonly models?: readonly string[] | null;
      readonly rpm?: number;
      readonly read_rpm?: number;
      readonly concurrency?: number;
      readonly queue?: number;
      readonly spend_limits?: {
        readonly day?: string | null;
        readonly month?: string | null;
        readonly total?: string | null;
      };
      readonly end_user_limits?: {
        readonly day?: string | null;
        readonly month?: string | null;
        readonly total?: string | null;
      };
      readonly timezone?: string;
      readonly account_view?: boolean;
      readonly approve_over?: string | null;
    };
    readonly data: AdminKey;
  };
  'POST /admin/v1/keys/{key_id}/revoke': { readonly data: RevokedKey };
  'POST /admin/v1/keys/{key_id}/rotate': {
    readonly body?: { readonly grace_seconds?: number };
    readonly data: IssuedKey;
  };
  'GET /admin/v1/engines/hours': { readonly data: { readonly items: readonly AdminEngineHour[] } };
  'GET /admin/v1/engines': {
    readonly query?: { readonly mode?: 'live' | 'test' | 'all' };
    readonly data: { readonly items: readonly AdminEngine[] };
  };
  'GET /admin/v1/models': { readonly data: { readonly items: readonly AdminModel[] } };
  'POST /admin/v1/engines/{name}/circuit/close': { readonly data: ClosedCircuit };
  'POST /admin/v1/engines/{name}/pause': { readonly body?: { readonly reason?: string }; readonly data: AdminSwitch };
  'POST /admin/v1/engines/{name}/resume': { readonly data: AdminSwitch };
  'POST /admin/v1/models/{name}/pause': { readonly body?: { readonly reason?: string }; readonly data: AdminSwitch };
  'POST /admin/v1/models/{name}/resume': { readonly data: AdminSwitch };
  'POST /admin/v1/catalog/reload': { readonly data: CatalogReload };
  'GET /admin/v1/reconciliation': {
    readonly query?: {
      readonly resolved?: 'true' | 'false';
      readonly mode?: 'live' | 'test' | 'all';
      readonly engine?: string;
      readonly limit?: number;
      readonly after?: string;
    };
    readonly data: { readonly items: readonly Reconciliation[]; readonly limit: number; readonly has_more: boolean };
  };
  'GET /admin/v1/reconciliation/causes': {
    readonly query?: { readonly mode?: 'live' | 'test' | 'all' };
    readonly data: { readonly items: readonly ReconciliationCause[] };
  };
  'POST /admin/v1/reconciliation/{id}/resolve': {
    readonly body?: { readonly resolution: string };
    readonly data: Reconciliation;
  };
  'POST /admin/v1/reconciliation/resolve': {
    readonly body?: { readonly ids: readonly string[]; readonly resolution: string };
    readonly data: { readonly items: readonly Reconciliation[] };
  };
  'GET /admin/v1/audit': {
    readonly query?: {
      readonly actor?: string;
      readonly act?: string;
      readonly target?: string;
      readonly from?: string;
      readonly to?: string;
      readonly limit?: number;
      readonly after?: string;
    };
    readonly data: { readonly items: readonly AuditAct[]; readonly limit: number; readonly has_more: boolean };
  };
  'GET /admin/v1/audit/export': {
    readonly query?: {
      readonly actor?: string;
      readonly act?: string;
      readonly target?: string;
      readonly from?: string;
      readonly to?: string;
    };
    readonly data: unknown;
  };
  'GET /admin/v1/tasks': {
    readonly query?: {
      readonly state?: 'all' | 'open' | 'failed' | 'unknown';
      readonly search?: string;
      readonly mode?: 'live' | 'test' | 'all';
      readonly engine?: string;
      readonly limit?: number;
      readonly after?: string;
    };
    readonly data: {
      readonly items: readonly AdminTask[];
      readonly limit: number;
      readonly has_more: boolean;
      readonly next_after: string | null;
      readonly found_by: 'task' | 'end_user' | 'account' | 'key' | 'request' | 'text' | null;
      readonly searched_since: string | null;
    };
  };
  'GET /admin/v1/tasks/deeds': {
    readonly query?: { readonly search?: string; readonly mode?: 'live' | 'test' | 'all'; readonly engine?: string };
    readonly data: OrderDeedCounts;
  };
  'GET /admin/v1/tasks/{task_id}': { readonly data: AdminTask };
  'POST /admin/v1/tasks/{task_id}/refund': { readonly data: AdminTask };
  'POST /admin/v1/tasks/{task_id}/ask': { readonly data: AdminTask };
  'POST /admin/v1/tasks/{task_id}/cancel': { readonly data: AdminTask };
  'POST /admin/v1/tasks/{task_id}/give_up': { readonly data: AdminTask };
  'POST /admin/v1/tasks/ask': {
    readonly body?: {
      readonly search?: string;
      readonly mode?: 'live' | 'test' | 'all';
      readonly engine?: string;
      readonly expected: number;
    };
    readonly data: OrderDeed;
  };
  'POST /admin/v1/tasks/cancel': {
    readonly body?: {
      readonly search?: string;
      readonly mode?: 'live' | 'test' | 'all';
      readonly engine?: string;
      readonly expected: number;
    };
    readonly data: OrderDeed;
  };
  'POST /admin/v1/tasks/give_up': {
    readonly body?: {
      readonly search?: string;
      readonly mode?: 'live' | 'test' | 'all';
      readonly engine?: string;
      readonly expected: number;
    };
    readonly data: OrderDeed;
  };
  'GET /admin/v1/failures': {
    readonly query?: { readonly mode?: 'live' | 'test' | 'all'; readonly search?: string; readonly limit?: number };
    readonly data: { readonly items: readonly AdminFailure[]; readonly since: string; readonly truncated: boolean };
  };
  'GET /admin/v1/failures/causes': {
    readonly query?: { readonly mode?: 'live' | 'test' | 'all' };
    readonly data: {
      readonly items: readonly AdminFailureCause[];
      readonly since: string;
      readonly truncated: boolean;
    };
  };
  'GET /admin/v1/webhooks/deliveries': {
    readonly query?: {
      readonly account_id?: string;
      readonly status?: 'pending' | 'delivered' | 'failed';
      readonly task_id?: string;
      readonly mode?: 'live' | 'test' | 'all';
      readonly limit?: number;
      readonly after?: string;
    };
    readonly data: { readonly items: readonly WebhookDelivery[]; readonly limit: number; readonly has_more: boolean };
  };
  'POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver': { readonly data: WebhookDelivery };
  'POST /admin/v1/hold': { readonly body?: { readonly message?: string }; readonly data: Service };
  'DELETE /admin/v1/hold': {
    readonly query?: { readonly as?: 'successor' | 'copy'; readonly webhooks?: 'send' | 'drop' };
    readonly data: Service;
  };
  'POST /admin/v1/signing_secrets/rotate': {
    readonly body?: { readonly grace_seconds?: number };
    readonly data: SigningSecrets;
  };
  'GET /admin/v1/requests': {
    readonly query?: {
      readonly key_id?: string;
      readonly account_id?: string;
      readonly task_id?: string;
      readonly status?: string;
      readonly code?: string;
      readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      readonly since?: string;
      readonly until?: string;
      readonly limit?: number;
      readonly after?: string;
    };
    readonly data: {
      readonly items: readonly LoggedRequest[];
      readonly limit: number;
      readonly has_more: boolean;
      readonly next_after: string | null;
    };
  };
  'GET /admin/v1/processes': { readonly data: { readonly items: readonly Process[] } };
  'GET /admin/v1/events': { readonly data: unknown };
  'GET /admin/v1/costs': {
    readonly query?: {
      readonly from?: string;
      readonly to?: string;
      readonly group_by?: string;
      readonly limit?: number;
      readonly after?: string;
    };
    readonly data: CostReport;
  };
  'GET /admin/v1/costs/orders': {
    readonly query?: {
      readonly from?: string;
      readonly to?: string;
      readonly model_id?: string;
      readonly account_id?: string;
      readonly engine?: string;
      readonly note?: 'below_cost' | 'differing' | 'unsuccessful' | 'unknown' | 'without_amount';
      readonly limit?: number;
      readonly after?: string;
    };
    readonly data: {
      readonly items: readonly CostOrder[];
      readonly limit: number;
      readonly has_more: boolean;
      readonly next_after: string | null;
    };
  };
  'GET /admin/v1/examples': {
    readonly query?: {
      readonly model_id?: string;
      readonly task_id?: string;
      readonly limit?: number;
      readonly after?: string;
    };
    readonly data: { readonly items: readonly AdminModelExample[]; readonly limit: number; readonly has_more: boolean };
  };
  'PUT /admin/v1/tasks/{task_id}/example': { readonly data: AdminModelExample };
  'DELETE /admin/v1/tasks/{task_id}/example': { readonly data: ModelExampleDeletion };
  'GET /admin/v1/alerts': {
    readonly query?: {
      readonly state?: 'open' | 'ended';
      readonly kind?:
        | 'circuit_open'
        | 'upstream_credit'
        | 'upstream_balance_low'
        | 'unknown_outcomes'
        | 'oldest_waiting'
        | 'margin_below_zero'
        | 'below_cost'
        | 'unknown_cost'
        | 'model_ends'
        | 'disk_nearly_full'
        | 'storage_unavailable'
        | 'spool_unavailable'
        | 'database_unavailable'
        | 'standby_behind'
        | 'standby_asynchronous'
        | 'process_silent'
        | 'process_apart'
        | 'held'
        | 'sweep_stopped'
        | 'watch_failed';
      readonly limit?: number;
      readonly after?: string;
    };
    readonly data: { readonly items: readonly Alert[]; readonly limit: number; readonly has_more: boolean };
  };
  'POST /admin/v1/alerts/{alert_id}/acknowledge': { readonly data: Alert };
  'POST /admin/v1/alerts/{alert_id}/silence': { readonly body?: { readonly seconds: number }; readonly data: Alert };
  'GET /admin/v1/local/models': { readonly data: AdminLocalModels };
  'POST /admin/v1/local/models/{name}/pull': {
    readonly body?: {
      readonly build?: string;
      readonly accept_licence?: boolean;
      readonly accept_unverified?: boolean;
      readonly ignore_memory?: boolean;
    };
    readonly data: AdminLocalModel;
  };
  'POST /admin/v1/local/models/{name}/cancel': { readonly data: AdminLocalModel };
  'DELETE /admin/v1/local/models/{name}': { readonly data: AdminRemovedLocalModel };
  'GET /admin/v1/accounts/{account_id}/data_rules': { readonly data: DataRuleList };
  'PUT /admin/v1/accounts/{account_id}/data_rules': { readonly body?: DataRule; readonly data: DataRuleList };
  'GET /admin/v1/accounts/{account_id}/provenance': { readonly data: AccountProvenance };
  'PUT /admin/v1/accounts/{account_id}/provenance': {
    readonly body?: NewAccountProvenance;
    readonly data: AccountProvenance;
  };
  'GET /admin/v1/provenance': { readonly query?: { readonly sha256: string }; readonly data: Origin };
  'POST /admin/v1/exports': { readonly body?: NewDataRequest; readonly data: AdminDataExport };
  'GET /admin/v1/exports/{export_id}/archive': { readonly query?: { readonly after?: string }; readonly data: unknown };
  'GET /admin/v1/erasures': {
    readonly query?: { readonly limit?: number; readonly after?: string };
    readonly data: { readonly items: readonly AdminErasure[]; readonly limit: number; readonly has_more: boolean };
  };
  'POST /admin/v1/erasures': { readonly body?: NewErasure; readonly data: AdminErasure };
  'POST /admin/v1/erasures/repeat': {
    readonly body?: KnownErasure;
    readonly data: { readonly erasure_id: string; readonly repeated: boolean };
  };
  'GET /admin/v1/erasures/{erasure_id}': { readonly data: AdminErasure };
  'GET /admin/v1/people': {
    readonly query?: { readonly limit?: number; readonly after?: string };
    readonly data: { readonly items: readonly Person[]; readonly limit: number; readonly has_more: boolean };
  };
  'PUT /admin/v1/people/{person_id}/role': { readonly body?: RoleChange; readonly data: Person };
  'POST /admin/v1/people/{person_id}/sign_out': { readonly data: Person };
  'DELETE /admin/v1/people/{person_id}': {
    readonly query?: { readonly revoke_keys?: 'true' | 'false' };
    readonly data: RemovedPerson;
  };
  'GET /admin/v1/invitations': {
    readonly query?: { readonly account_id?: string };
    readonly data: { readonly items: readonly Invitation[] };
  };
  'POST /admin/v1/invitations': { readonly body?: AdminInvitation; readonly data: IssuedInvitation };
  'DELETE /admin/v1/invitations/{invitation_id}': { readonly data: Invitation };
}

type Account = Wire<typeof import('@darkroom-service/contract/schemas').Account>;
type AccountProvenance = {
  readonly account_id: string;
  readonly setting: 'off' | 'metadata' | 'c2pa' | null;
  readonly prompt: boolean;
  readonly can_sign: boolean;
};
type AccountTask = {
  readonly task: Task;
  readonly ordered_by: { readonly key_id: string; readonly person_id: string | null; readonly name: string };
};
type ActionOrder = {
  readonly parent_task_id: string;
  readonly action: string;
  readonly model_id?: string | null;
  readonly index?: number | null;
  readonly prompt?: string | null;
  readonly metadata?: { readonly [name: string]: string } | null;
  readonly end_user?: string | null;
  readonly webhook_url?: string | null;
  readonly deliver_to?: {
    readonly url?: string;
    readonly urls?: readonly string[];
    readonly headers?: { readonly [name: string]: string };
    readonly destination?: string;
  } | null;
  readonly max_price?: string | number | null;
  readonly allow_dearer?: boolean | null;
  readonly fallback_models?: readonly string[] | null;
  readonly fallback_on_content_policy?: boolean | null;
  readonly wait_for_parent?: boolean | null;
  readonly simulate?: {
    readonly seconds?: number;
    readonly outcome?:
      | 'succeeded'
      | 'content_policy'
      | 'upstream_error'
      | 'timeout'
      | 'outcome_unknown'
      | 'stuck'
      | 'late';
    readonly explain?: boolean;
  } | null;
} & { readonly [field: string]: unknown };
type AdminAccount = Wire<typeof import('@darkroom-service/contract/schemas').AdminAccount>;
type AdminCredit = Wire<typeof import('@darkroom-service/contract/schemas').AdminCredit>;
type AdminDataExport = {
  readonly export_id: string;
  readonly account_id: string;
  readonly end_user: string | null;
  readonly requested_at: string;
  readonly expires_at: string;
};
type AdminEngine = Wire<typeof import('@darkroom-service/contract/schemas').AdminEngine>;
type AdminEngineHour = Wire<typeof import('@darkroom-service/contract/schemas').EngineHour>;
type AdminErasure = {
  readonly erasure_id: string;
  readonly account_id: string;
  readonly end_user: string | null;
  readonly requested_at: string;
  readonly end_user_digest: string | null;
  readonly status: 'processing' | 'completed';
  readonly orders: number;
  readonly files: number;
  readonly waiting: number;
  readonly uploads: boolean;
  readonly undecided: number;
  readonly undecided_uploads: readonly string[];
  readonly completed_at: string | null;
};
type AdminFailure = Wire<typeof import('@darkroom-service/contract/schemas').AdminFailure>;
type AdminFailureCause = Wire<typeof import('@darkroom-service/contract/schemas').FailureCause>;
type AdminInvitation = {
  readonly account_id?: string | null;
  readonly role: 'viewer' | 'finance' | 'creator' | 'manager' | 'operator' | 'owner';
  readonly email?: string | null;
};
type AdminKey = Wire<typeof import('@darkroom-service/contract/schemas').AdminKey>;
type AdminKeyWithTasks = Wire<typeof import('@darkroom-service/contract/schemas').AdminKeyWithTasks>;
type AdminLocalFailure = {
  readonly message: string;
  readonly unverified: readonly { readonly file: string; readonly facts: readonly string[] }[];
  readonly at: string;
};
type AdminLocalModel = {
  readonly name: string;
  readonly title: string;
  readonly type: 'image' | 'video';
  readonly state: 'not_pulled' | 'pulling' | 'pulled';
  readonly model_ids: readonly string[];
  readonly licence: { readonly id: string; readonly must_be_accepted: boolean };
  readonly bytes: number | null;
  readonly is_exact: boolean;
  readonly memory_bytes: number | null;
  readonly time: string | null;
  readonly builds: readonly string[];
  readonly build: string | null;
  readonly pulled_at: string | null;
  readonly pull: AdminLocalPull | null;
  readonly failure: AdminLocalFailure | null;
  readonly server: AdminLocalServer | null;
};
type AdminLocalModels = {
  readonly items: readonly AdminLocalModel[];
  readonly own_servers: readonly AdminOwnServer[];
  readonly is_on: boolean;
  readonly machine: {
    readonly platform: string;
    readonly memory_bytes: number;
    readonly free_bytes: number | null;
    readonly network: AdminLocalNetwork;
  };
};
type AdminLocalNetwork = { readonly state: 'closed' | 'open' | 'unavailable'; readonly reason: string };
type AdminLocalPull = {
  readonly work: 'planning' | 'downloading' | 'copying' | 'checking';
  readonly file: string | null;
  readonly done_bytes: number;
  readonly total_bytes: number | null;
  readonly bytes_per_second: number | null;
  readonly seconds_left: number | null;
  readonly started_at: string;
};
type AdminLocalServer = {
  readonly state: 'stopped' | 'starting' | 'ready' | 'busy' | 'stopping' | 'waiting' | 'unavailable';
  readonly reason: string | null;
  readonly network: 'closed' | 'open' | null;
  readonly memory_bytes: number | null;
  readonly step: { readonly done: number; readonly total: number } | null;
  readonly started_at: string | null;
  readonly log: readonly string[];
};
type AdminModel = Wire<typeof import('@darkroom-service/contract/schemas').AdminModel>;
type AdminModelExample = {
  readonly example_id: string;
  readonly model_id: string;
  readonly type: 'image' | 'video';
  readonly prompt: string | null;
  readonly amount: string;
  readonly currency: 'USD';
  readonly picture_url: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly ordered_at: string;
  readonly task_id: string;
  readonly account_id: string;
};
type AdminOwnServer = {
  readonly name: string;
  readonly api: string;
  readonly model_ids: readonly string[];
  readonly memory_bytes: number | null;
  readonly server: AdminLocalServer | null;
};
type AdminRemovedLocalModel = { readonly name: string; readonly bytes: number; readonly removed: boolean };
type AdminSwitch = Wire<typeof import('@darkroom-service/contract/schemas').Switched>;
type AdminTask = Wire<typeof import('@darkroom-service/contract/schemas').AdminTask>;
type Alert = {
  readonly alert_id: string;
  readonly kind:
    | 'circuit_open'
    | 'upstream_credit'
    | 'upstream_balance_low'
    | 'unknown_outcomes'
    | 'oldest_waiting'
    | 'margin_below_zero'
    | 'below_cost'
    | 'unknown_cost'
    | 'model_ends'
    | 'disk_nearly_full'
    | 'storage_unavailable'
    | 'spool_unavailable'
    | 'database_unavailable'
    | 'standby_behind'
    | 'standby_asynchronous'
    | 'process_silent'
    | 'process_apart'
    | 'held'
    | 'sweep_stopped'
    | 'watch_failed';
  readonly state: 'open' | 'ended';
  readonly subject: string | null;
  readonly summary: string;
  readonly action: string | null;
  readonly began_at: string;
  readonly seen_at: string;
  readonly ended_at: string | null;
  readonly acknowledged: { readonly by: string; readonly by_name: string | null; readonly at: string } | null;
  readonly silenced: { readonly by: string; readonly by_name: string | null; readonly until: string } | null;
  readonly url: string | null;
  readonly runbook_url: string | null;
  readonly messages: readonly {
    readonly receiver: string | null;
    readonly type: 'alert.began' | 'alert.continues' | 'alert.ended';
    readonly status: 'pending' | 'delivered' | 'failed';
    readonly attempts: number;
    readonly error: string | null;
    readonly created_at: string;
    readonly delivered_at: string | null;
  }[];
};
type Alive = Wire<typeof import('@darkroom-service/contract/schemas').Alive>;
type AuditAct = Wire<typeof import('@darkroom-service/contract/schemas').AuditAct>;
type Batch = Wire<typeof import('@darkroom-service/contract/schemas').Batch>;
type BatchEntry = Wire<typeof import('@darkroom-service/contract/schemas').BatchEntry>;
type BatchOrder = {
  readonly orders: readonly BatchEntry[];
  readonly max_price?: string | number | null;
  readonly max_parallel?: number | null;
  readonly webhook_url?: string | null;
  readonly deliver_to?: {
    readonly url?: string;
    readonly urls?: readonly string[];
    readonly headers?: { readonly [name: string]: string };
    readonly destination?: string;
  } | null;
  readonly metadata?: { readonly [name: string]: string } | null;
};
type BatchQuote = Wire<typeof import('@darkroom-service/contract/schemas').BatchQuote>;
type BatchReceipt = {
  readonly issuer: string | null;
  readonly account_id: string;
  readonly mode: 'live' | 'test';
  readonly batch_id: string;
  readonly status: 'processing' | 'succeeded' | 'failed' | 'partial' | 'canceled';
  readonly orders: number;
  readonly cost: { readonly quoted: string; readonly charged: string; readonly currency: 'USD' };
  readonly tasks: readonly {
    readonly task_id: string;
    readonly status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
    readonly charged: string;
    readonly sha256: readonly string[] | null;
  }[];
  readonly created_at: string;
  readonly completed_at: string | null;
};
type CatalogReload = Wire<typeof import('@darkroom-service/contract/schemas').Reloaded>;
type ClientToken = Wire<typeof import('@darkroom-service/contract/schemas').ClientToken>;
type ClosedCircuit = Wire<typeof import('@darkroom-service/contract/schemas').ClosedCircuit>;
type CostOrder = Wire<typeof import('@darkroom-service/contract/schemas').CostOrder>;
type CostReport = Wire<typeof import('@darkroom-service/contract/schemas').CostReport>;
type DataReceiverList = Wire<typeof import('@darkroom-service/contract/schemas').DataReceiverList>;
type DataRule = {
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly country?: readonly string[];
  readonly retention?: number;
  readonly training?: false;
};
type DataRuleList = Wire<typeof import('@darkroom-service/contract/schemas').DataRuleList>;
type DataRuleRemoval = Wire<typeof import('@darkroom-service/contract/schemas').DataRuleRemoval>;
type DeletedTask = Wire<typeof import('@darkroom-service/contract/schemas').DeletedTask>;
type Destination = {
  readonly name: string;
  readonly bucket: string;
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly path: string;
  readonly last_four: string;
  readonly default: boolean;
  readonly set_by: string;
  readonly set_at: string;
};
type DestinationRemoval = { readonly name: string; readonly removed_at: string };
type EndUser = Wire<typeof import('@darkroom-service/contract/schemas').EndUser>;
type EndUserChange = {
  readonly limits: {
    readonly day?: string | null;
    readonly month?: string | null;
    readonly total?: string | null;
    readonly timezone?: string;
  };
};
type File = Wire<typeof import('@darkroom-service/contract/schemas').File>;
type FileDeletion = Wire<typeof import('@darkroom-service/contract/schemas').FileDeletion>;
type Health = Wire<typeof import('@darkroom-service/contract/schemas').Health>;
type ImageOrder = {
  readonly model_id: string;
  readonly prompt?: string | null;
  readonly negative_prompt?: string | null;
  readonly num_images?: number | null;
  readonly image_urls?: readonly string[] | null;
  readonly image_roles?:
    | readonly (
        | 'reference'
        | 'mask'
        | 'control:depth'
        | 'control:pose'
        | 'control:edges'
        | 'style'
        | 'face'
        | 'first_frame'
        | 'last_frame'
      )[]
    | null;
  readonly resolution?: string | null;
  readonly aspect_ratio?: string | null;
  readonly seed?: number | null;
  readonly style?: string | null;
  readonly watermark?: boolean | null;
  readonly prompt_enhance?: boolean | null;
  readonly size?: string | null;
  readonly output_format?: string | null;
  readonly output_compression?: number | null;
  readonly speed?: string | null;
  readonly quality?: string | null;
  readonly background?: string | null;
  readonly strength?: number | null;
  readonly mask_url?: string | null;
  readonly style_image_urls?: readonly string[] | null;
  readonly steps?: number | null;
  readonly guidance_scale?: number | null;
  readonly source?: string;
  readonly action?: string;
  readonly metadata?: { readonly [name: string]: string } | null;
  readonly end_user?: string | null;
  readonly webhook_url?: string | null;
  readonly deliver_to?: {
    readonly url?: string;
    readonly urls?: readonly string[];
    readonly headers?: { readonly [name: string]: string };
    readonly destination?: string;
  } | null;
  readonly max_price?: string | number | null;
  readonly allow_dearer?: boolean | null;
  readonly fallback_models?: readonly string[] | null;
  readonly fallback_on_content_policy?: boolean | null;
  readonly wait_for_parent?: boolean | null;
  readonly simulate?: {
    readonly seconds?: number;
    readonly outcome?:
      | 'succeeded'
      | 'content_policy'
      | 'upstream_error'
      | 'timeout'
      | 'outcome_unknown'
      | 'stuck'
      | 'late';
    readonly explain?: boolean;
  } | null;
} & { readonly [field: string]: unknown };
type ImageTaskPage = Wire<typeof import('@darkroom-service/contract/schemas').ImagePage>;
type Invitation = {
  readonly invitation_id: string;
  readonly account_id: string | null;
  readonly role: 'viewer' | 'finance' | 'creator' | 'manager' | 'operator' | 'owner';
  readonly email: string | null;
  readonly invited_by: string;
  readonly created_at: string;
  readonly expires_at: string;
};
type IssuedInvitation = {
  readonly invitation_id: string;
  readonly account_id: string | null;
  readonly role: 'viewer' | 'finance' | 'creator' | 'manager' | 'operator' | 'owner';
  readonly email: string | null;
  readonly invited_by: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly url: string | null;
};
type IssuedKey = Wire<typeof import('@darkroom-service/contract/schemas').IssuedKey>;
type KeyUsage = Wire<typeof import('@darkroom-service/contract/schemas').KeyUsage>;
type KnownErasure = {
  readonly erasure_id: string;
  readonly account_id: string;
  readonly end_user_digest: string | null;
  readonly requested_at: number;
  readonly uploads?: true;
};
type LedgerEntry = Wire<typeof import('@darkroom-service/contract/schemas').LedgerEntry>;
type LoggedRequest = Wire<typeof import('@darkroom-service/contract/schemas').LoggedRequest>;
type Member = {
  readonly person_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: 'viewer' | 'finance' | 'creator' | 'manager';
  readonly by_group: boolean;
  readonly limits: {
    readonly day?: string | null;
    readonly month?: string | null;
    readonly total?: string | null;
    readonly timezone?: string;
  };
  readonly windows: {
    readonly day: {
      readonly limit: string | null;
      readonly charged: string;
      readonly held: string;
      readonly available: string | null;
      readonly resets_at: string | null;
    };
    readonly month: {
      readonly limit: string | null;
      readonly charged: string;
      readonly held: string;
      readonly available: string | null;
      readonly resets_at: string | null;
    };
    readonly total: {
      readonly limit: string | null;
      readonly charged: string;
      readonly held: string;
      readonly available: string | null;
      readonly resets_at: string | null;
    };
  };
  readonly signed_in_at: string;
};
type MemberChange = {
  readonly role?: 'viewer' | 'finance' | 'creator' | 'manager';
  readonly limits?: {
    readonly day?: string | null;
    readonly month?: string | null;
    readonly total?: string | null;
    readonly timezone?: string;
  };
};
type MemberDeletion = {
  readonly person_id: string;
  readonly removed_at: string;
  readonly keys: readonly {
    readonly key_id: string;
    readonly account_id: string;
    readonly mode: 'live' | 'test' | 'admin';
    readonly name: string;
    readonly created_at: string;
    readonly revoked_at: string | null;
  }[];
};
type Model = Wire<typeof import('@darkroom-service/contract/schemas').Model>;
type ModelExample = {
  readonly example_id: string;
  readonly model_id: string;
  readonly type: 'image' | 'video';
  readonly prompt: string | null;
  readonly amount: string;
  readonly currency: 'USD';
  readonly picture_url: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly ordered_at: string;
};
type ModelExampleDeletion = { readonly task_id: string; readonly deleted_at: string };
type ModelWithSchema = Wire<typeof import('@darkroom-service/contract/schemas').ModelWithSchema>;
type NewAccountKey = {
  readonly mode: 'live' | 'test';
  readonly name?: string;
  readonly expires_at?: string | null;
  readonly models?: readonly string[] | null;
  readonly rpm?: number;
  readonly read_rpm?: number;
  readonly concurrency?: number;
  readonly queue?: number;
  readonly spend_limits?: {
    readonly day?: string | null;
    readonly month?: string | null;
    readonly total?: string | null;
  };
  readonly end_user_limits?: {
    readonly day?: string | null;
    readonly month?: string | null;
    readonly total?: string | null;
  };
  readonly timezone?: string;
  readonly account_view?: boolean;
  readonly approve_over?: string | null;
};
type NewAccountProvenance = { readonly setting: 'off' | 'metadata' | 'c2pa' | null; readonly prompt: boolean };
type NewClientToken = {
  readonly end_user: string;
  readonly models?: readonly string[];
  readonly data?: {
    readonly only?: readonly string[];
    readonly except?: readonly string[];
    readonly country?: readonly string[];
    readonly retention?: number;
    readonly training?: false;
  };
  readonly max_price?: string | null;
  readonly rpm?: number;
  readonly origins?: readonly string[];
  readonly expires_in?: number;
};
type NewDataRequest = { readonly account_id: string; readonly end_user?: string };
type NewDestination = {
  readonly bucket: string;
  readonly endpoint?: string | null;
  readonly region?: string | null;
  readonly path?: string;
  readonly access_key_id: string;
  readonly secret_access_key: string;
  readonly default?: boolean;
};
type NewErasure = { readonly account_id: string; readonly end_user?: string; readonly uploads?: boolean };
type NewInvitation = { readonly role: 'viewer' | 'finance' | 'creator' | 'manager'; readonly email?: string | null };
type NewShare = unknown;
type NewTaskTags = { readonly tags: readonly string[] };
type NewUpstreamKey = { readonly secret: string };
type OrderDeed = Wire<typeof import('@darkroom-service/contract/schemas').OrderDeed>;
type OrderDeedCounts = Wire<typeof import('@darkroom-service/contract/schemas').OrderDeedCounts>;
type Origin = {
  readonly sha256: string;
  readonly type: 'image' | 'video';
  readonly made_at: string;
  readonly task_id: string | null;
};
type Person = {
  readonly person_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly memberships: readonly {
    readonly account_id: string | null;
    readonly role: 'viewer' | 'finance' | 'creator' | 'manager' | 'operator' | 'owner';
    readonly by_group: boolean;
  }[];
  readonly sessions: number;
  readonly created_at: string;
  readonly signed_in_at: string;
};
type PriceLine = Wire<typeof import('@darkroom-service/contract/schemas').PriceLine>;
type PriceQuestion = {
  readonly model_id: string;
  readonly prompt?: string | null;
  readonly negative_prompt?: string | null;
  readonly num_images?: number | null;
  readonly image_urls?: readonly string[] | null;
  readonly image_roles?:
    | readonly (
        | 'reference'
        | 'mask'
        | 'control:depth'
        | 'control:pose'
        | 'control:edges'
        | 'style'
        | 'face'
        | 'first_frame'
        | 'last_frame'
      )[]
    | null;
  readonly resolution?: string | null;
  readonly aspect_ratio?: string | null;
  readonly seed?: number | null;
  readonly style?: string | null;
  readonly watermark?: boolean | null;
  readonly prompt_enhance?: boolean | null;
  readonly size?: string | null;
  readonly output_format?: string | null;
  readonly output_compression?: number | null;
  readonly speed?: string | null;
  readonly quality?: string | null;
  readonly background?: string | null;
  readonly strength?: number | null;
  readonly mask_url?: string | null;
  readonly style_image_urls?: readonly string[] | null;
  readonly steps?: number | null;
  readonly guidance_scale?: number | null;
  readonly duration?: string | number | null;
  readonly fps?: number | null;
  readonly first_frame_url?: string | null;
  readonly last_frame_url?: string | null;
  readonly video_url?: string | null;
  readonly reference_video_urls?: readonly string[] | null;
  readonly reference_audio_urls?: readonly string[] | null;
  readonly generate_audio?: boolean | null;
  readonly camera?: string | null;
  readonly source?: string;
  readonly action?: string | null;
  readonly parent_task_id?: string | null;
  readonly index?: number | null;
  readonly metadata?: { readonly [name: string]: string } | null;
  readonly end_user?: string | null;
  readonly webhook_url?: string | null;
  readonly deliver_to?: {
    readonly url?: string;
    readonly urls?: readonly string[];
    readonly headers?: { readonly [name: string]: string };
    readonly destination?: string;
  } | null;
  readonly max_price?: string | number | null;
  readonly allow_dearer?: boolean | null;
  readonly fallback_models?: readonly string[] | null;
  readonly fallback_on_content_policy?: boolean | null;
  readonly wait_for_parent?: boolean | null;
  readonly simulate?: {
    readonly seconds?: number;
    readonly outcome?:
      | 'succeeded'
      | 'content_policy'
      | 'upstream_error'
      | 'timeout'
      | 'outcome_unknown'
      | 'stuck'
      | 'late';
    readonly explain?: boolean;
  } | null;
} & { readonly [field: string]: unknown };
type Process = Wire<typeof import('@darkroom-service/contract/schemas').ServiceProcess>;
type PublicKeySet = {
  readonly keys: readonly {
    readonly kty: 'OKP';
    readonly crv: 'Ed25519';
    readonly x: string;
    readonly kid: string;
    readonly alg: 'EdDSA';
    readonly use: 'sig';
  }[];
};
type Quote = Wire<typeof import('@darkroom-service/contract/schemas').Quote>;
type QuoteList = Wire<typeof import('@darkroom-service/contract/schemas').QuoteList>;
type Ready = Wire<typeof import('@darkroom-service/contract/schemas').Ready>;
type Reconciliation = Wire<typeof import('@darkroom-service/contract/schemas').Reconciliation>;
type ReconciliationCause = Wire<typeof import('@darkroom-service/contract/schemas').ReconciliationCause>;
type Redelivery = {
  readonly deliver_to?: {
    readonly url?: string;
    readonly urls?: readonly string[];
    readonly headers?: { readonly [name: string]: string };
    readonly destination?: string;
  };
};
type RemovedPerson = {
  readonly person_id: string;
  readonly name: string;
  readonly email: string | null;
  readonly memberships: readonly {
    readonly account_id: string | null;
    readonly role: 'viewer' | 'finance' | 'creator' | 'manager' | 'operator' | 'owner';
    readonly by_group: boolean;
  }[];
  readonly sessions: number;
  readonly created_at: string;
  readonly signed_in_at: string;
  readonly keys: readonly {
    readonly key_id: string;
    readonly account_id: string;
    readonly mode: 'live' | 'test' | 'admin';
    readonly name: string;
    readonly created_at: string;
    readonly revoked_at: string | null;
  }[];
};
type RevokedKey = Wire<typeof import('@darkroom-service/contract/schemas').RevokedKey>;
type RoleChange = {
  readonly account_id: string | null;
  readonly role: 'viewer' | 'finance' | 'creator' | 'manager' | 'operator' | 'owner' | null;
};
type Service = Wire<typeof import('@darkroom-service/contract/schemas').Service>;
type Share = {
  readonly share_id: string;
  readonly task_id: string;
  readonly task_ids: readonly string[];
  readonly type: 'image' | 'video';
  readonly url: string;
  readonly file_url: string;
  readonly show_prompt: boolean;
  readonly created_at: string;
  readonly expires_at: string;
};
type ShareDeletion = { readonly share_id: string; readonly deleted_at: string };
type SigningSecrets = Wire<typeof import('@darkroom-service/contract/schemas').SigningSecrets>;
type Tag = { readonly tag: string; readonly tasks: number };
type Task = Wire<typeof import('@darkroom-service/contract/schemas').Task>;
type TaskDeletion = Wire<typeof import('@darkroom-service/contract/schemas').Deletion>;
type TaskReceipt = {
  readonly issuer: string | null;
  readonly account_id: string;
  readonly mode: 'live' | 'test';
  readonly task_id: string;
  readonly batch_id: string | null;
  readonly type: 'image' | 'video';
  readonly status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  readonly model_id: string;
  readonly requested_model_id?: string;
  readonly tried_models?: readonly { readonly model_id: string; readonly reason: string }[];
  readonly action: string | null;
  readonly parent_task_id: string | null;
  readonly route: {
    readonly engine: string;
    readonly model: string | null;
    readonly earlier: readonly { readonly engine: string; readonly model: string | null }[];
    readonly rule: { readonly [name: string]: unknown } | null;
  } | null;
  readonly input: { readonly [name: string]: unknown } | null;
  readonly outputs:
    | readonly {
        readonly sha256: string;
        readonly content_type: string;
        readonly bytes: number;
        readonly width: number | null;
        readonly height: number | null;
        readonly duration_seconds: number | null;
      }[]
    | null;
  readonly cost: {
    readonly quoted: string;
    readonly charged: string;
    readonly currency: 'USD';
    readonly basis: 'list' | 'route_cost';
    readonly basis_route?: { readonly engine: string; readonly model: string | null };
    readonly dearer?: {
      readonly usual_amount: string;
      readonly route: { readonly engine: string; readonly model: string | null } | null;
      readonly reason: string | null;
    };
    readonly lines: readonly PriceLine[];
    readonly ledger: readonly { readonly kind: string; readonly amount: string; readonly created_at: string }[];
  };
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly erased_at: string | null;
};
type TaskTags = { readonly task_id: string; readonly tags: readonly string[] };
type UpstreamKeyList = Wire<typeof import('@darkroom-service/contract/schemas').UpstreamKeyList>;
type UpstreamKeyRemoval = Wire<typeof import('@darkroom-service/contract/schemas').UpstreamKeyRemoval>;
type UsageReport = Wire<typeof import('@darkroom-service/contract/schemas').UsageReport>;
type VideoOrder = {
  readonly model_id: string;
  readonly prompt?: string | null;
  readonly negative_prompt?: string | null;
  readonly num_images?: number | null;
  readonly image_urls?: readonly string[] | null;
  readonly image_roles?:
    | readonly (
        | 'reference'
        | 'mask'
        | 'control:depth'
        | 'control:pose'
        | 'control:edges'
        | 'style'
        | 'face'
        | 'first_frame'
        | 'last_frame'
      )[]
    | null;
  readonly resolution?: string | null;
  readonly aspect_ratio?: string | null;
  readonly seed?: number | null;
  readonly style?: string | null;
  readonly watermark?: boolean | null;
  readonly prompt_enhance?: boolean | null;
  readonly duration?: string | number | null;
  readonly fps?: number | null;
  readonly first_frame_url?: string | null;
  readonly last_frame_url?: string | null;
  readonly video_url?: string | null;
  readonly reference_video_urls?: readonly string[] | null;
  readonly reference_audio_urls?: readonly string[] | null;
  readonly generate_audio?: boolean | null;
  readonly camera?: string | null;
  readonly source?: string;
  readonly action?: string;
  readonly metadata?: { readonly [name: string]: string } | null;
  readonly end_user?: string | null;
  readonly webhook_url?: string | null;
  readonly deliver_to?: {
    readonly url?: string;
    readonly urls?: readonly string[];
    readonly headers?: { readonly [name: string]: string };
    readonly destination?: string;
  } | null;
  readonly max_price?: string | number | null;
  readonly allow_dearer?: boolean | null;
  readonly fallback_models?: readonly string[] | null;
  readonly fallback_on_content_policy?: boolean | null;
  readonly wait_for_parent?: boolean | null;
  readonly simulate?: {
    readonly seconds?: number;
    readonly outcome?:
      | 'succeeded'
      | 'content_policy'
      | 'upstream_error'
      | 'timeout'
      | 'outcome_unknown'
      | 'stuck'
      | 'late';
    readonly explain?: boolean;
  } | null;
} & { readonly [field: string]: unknown };
type VideoTaskPage = Wire<typeof import('@darkroom-service/contract/schemas').VideoPage>;
type WebhookDelivery = Wire<typeof import('@darkroom-service/contract/schemas').Delivery>;
type WebhookSecret = Wire<typeof import('@darkroom-service/contract/schemas').Secret>;
type WebhookTest = Wire<typeof import('@darkroom-service/contract/schemas').WebhookTest>;
