/** Made from the OpenAPI document of the service by `npm run console:types`. Do not edit. */

export interface Api {
  /**
   * All public models at default prices
   */
  'GET /v1/catalog': {
    query: {
      type?: 'image' | 'video';
    };
    data: {
      items: Model[];
    };
  };
  /**
   * A file under its signed address
   */
  'GET /files/{file}': {
    path: {
      file: string;
    };
    query: {
      expires?: string;
      signature?: string;
      download?: '0' | '1';
    };
  };
  /**
   * Alive
   */
  'GET /healthz': {};
  /**
   * Ready for orders; details with an admin key
   */
  'GET /readyz': {};
  /**
   * Figures for Prometheus
   */
  'GET /metrics': {};
  /**
   * What works and what does not
   */
  'GET /admin/v1/health': {
    data: {
      ready: boolean;
      checks: {
        name: string;
        ok: boolean;
        detail: string;
      }[];
    };
  };
  /**
   * Follow an image task by server-sent events
   */
  'GET /v1/images/{task_id}/events': {
    path: {
      task_id: string;
    };
    query: {
      /**
       * part of a signed address
       */
      expires?: string;
      /**
       * part of a signed address; without one a bearer is needed
       */
      signature?: string;
    };
  };
  /**
   * Follow a video task by server-sent events
   */
  'GET /v1/videos/{task_id}/events': {
    path: {
      task_id: string;
    };
    query: {
      /**
       * part of a signed address
       */
      expires?: string;
      /**
       * part of a signed address; without one a bearer is needed
       */
      signature?: string;
    };
  };
  /**
   * List the key's image tasks
   */
  'GET /v1/images': {
    query: {
      /**
       * entries of a page, 1 to 100
       */
      limit?: number;
      /**
       * one status or several, comma-separated
       */
      status?: string;
      model_id?: string;
      end_user?: string;
      parent_task_id?: string;
      /**
       * ISO 8601, such as 2026-11-20T00:00:00Z
       */
      created_after?: string;
      /**
       * ISO 8601, such as 2026-11-21T00:00:00Z
       */
      created_before?: string;
      /**
       * a task_id: the tasks that follow it in the list, older ones
       */
      after?: string;
      /**
       * entries to skip, at most 10000
       */
      offset?: number;
    };
    data: {
      items: Task[];
      limit: number;
      offset?: number;
      after?: string;
      has_more: boolean;
    };
  };
  /**
   * Create an image task
   */
  'POST /v1/images': {
    /**
     * And the model's own fields: see its input_schema.
     */
    body: {
      /**
       * the id of a model; GET /v1/models lists those that your key can order
       */
      model_id: string;
      /**
       * a supported reference may stand in for it
       */
      prompt?: string;
      /**
       * one of the model's values
       */
      resolution?: string;
      /**
       * one of the model's values
       */
      aspect_ratio?: string;
      num_images?: number;
      /**
       * https:, http: and data: addresses, upload:<file_id>, task:<task_id>
       */
      image_urls?: string[];
      /**
       * up to 16 pairs, echoed
       */
      metadata?: {
        [k: string]: string;
      };
      /**
       * your own customer
       */
      end_user?: string;
      /**
       * where the end of the task is told
       */
      webhook_url?: string;
      /**
       * US dollars; a dearer order is refused (409 price_exceeded)
       */
      max_price?: string | number;
      /**
       * with a test key only
       */
      simulate?: {
        seconds?: number;
        outcome?: 'succeeded' | 'content_policy' | 'upstream_error' | 'timeout' | 'outcome_unknown' | 'stuck' | 'late';
        /**
         * whether the output tells what was understood of the order
         */
        explain?: boolean;
      };
      [k: string]: unknown;
    };
    data: Task;
  };
  /**
   * Retrieve a task
   */
  'GET /v1/images/{task_id}': {
    path: {
      task_id: string;
    };
    data: Task;
  };
  /**
   * Erase a final task
   */
  'DELETE /v1/images/{task_id}': {
    path: {
      task_id: string;
    };
    data: {
      task_id: string;
      deleted_at: string;
    };
  };
  /**
   * Cancel a task
   */
  'POST /v1/images/{task_id}/cancel': {
    path: {
      task_id: string;
    };
    body: {};
    data: Task;
  };
  /**
   * A task's output, its thumbnail or a film's preview, as a file
   */
  'GET /v1/images/{task_id}/content': {
    path: {
      task_id: string;
    };
    query: {
      variant?: 'output' | 'thumbnail' | 'preview';
      /**
       * 1 = to be saved under a name
       */
      download?: '0' | '1';
    };
  };
  /**
   * List the key's video tasks
   */
  'GET /v1/videos': {
    query: {
      /**
       * entries of a page, 1 to 100
       */
      limit?: number;
      /**
       * one status or several, comma-separated
       */
      status?: string;
      model_id?: string;
      end_user?: string;
      parent_task_id?: string;
      /**
       * ISO 8601, such as 2026-11-20T00:00:00Z
       */
      created_after?: string;
      /**
       * ISO 8601, such as 2026-11-21T00:00:00Z
       */
      created_before?: string;
      /**
       * a task_id: the tasks that follow it in the list, older ones
       */
      after?: string;
      /**
       * from 1
       */
      page?: number;
    };
    data: {
      items: Task[];
      limit: number;
      page?: number;
      after?: string;
      has_more: boolean;
    };
  };
  /**
   * Create a video task
   */
  'POST /v1/videos': {
    /**
     * And the model's own fields: see its input_schema.
     */
    body: {
      /**
       * the id of a model; GET /v1/models lists those that your key can order
       */
      model_id: string;
      /**
       * a supported reference may stand in for it
       */
      prompt?: string;
      /**
       * one of the model's values
       */
      resolution?: string;
      /**
       * one of the model's values
       */
      aspect_ratio?: string;
      num_images?: number;
      /**
       * https:, http: and data: addresses, upload:<file_id>, task:<task_id>
       */
      image_urls?: string[];
      /**
       * seconds
       */
      duration?: string | number;
      /**
       * up to 16 pairs, echoed
       */
      metadata?: {
        [k: string]: string;
      };
      /**
       * your own customer
       */
      end_user?: string;
      /**
       * where the end of the task is told
       */
      webhook_url?: string;
      /**
       * US dollars; a dearer order is refused (409 price_exceeded)
       */
      max_price?: string | number;
      /**
       * with a test key only
       */
      simulate?: {
        seconds?: number;
        outcome?: 'succeeded' | 'content_policy' | 'upstream_error' | 'timeout' | 'outcome_unknown' | 'stuck' | 'late';
        /**
         * whether the output tells what was understood of the order
         */
        explain?: boolean;
      };
      [k: string]: unknown;
    };
    data: Task;
  };
  /**
   * Retrieve a task
   */
  'GET /v1/videos/{task_id}': {
    path: {
      task_id: string;
    };
    data: Task;
  };
  /**
   * Erase a final task
   */
  'DELETE /v1/videos/{task_id}': {
    path: {
      task_id: string;
    };
    data: {
      task_id: string;
      deleted_at: string;
    };
  };
  /**
   * Cancel a task
   */
  'POST /v1/videos/{task_id}/cancel': {
    path: {
      task_id: string;
    };
    body: {};
    data: Task;
  };
  /**
   * A task's output, its thumbnail or a film's preview, as a file
   */
  'GET /v1/videos/{task_id}/content': {
    path: {
      task_id: string;
    };
    query: {
      variant?: 'output' | 'thumbnail' | 'preview';
      /**
       * 1 = to be saved under a name
       */
      download?: '0' | '1';
    };
  };
  /**
   * Follow up on an earlier image task
   */
  'POST /v1/images/actions': {
    /**
     * And the action's own fields: see the parent's available_actions.
     */
    body: {
      /**
       * an image task of this key that succeeded
       */
      parent_task_id: string;
      /**
       * one of the parent's available_actions
       */
      action: string;
      /**
       * if sent, the parent's
       */
      model_id?: string;
      index?: number;
      prompt?: string;
      /**
       * up to 16 pairs, echoed
       */
      metadata?: {
        [k: string]: string;
      };
      /**
       * your own customer
       */
      end_user?: string;
      /**
       * where the end of the task is told
       */
      webhook_url?: string;
      /**
       * US dollars; a dearer order is refused (409 price_exceeded)
       */
      max_price?: string | number;
      /**
       * with a test key only
       */
      simulate?: {
        seconds?: number;
        outcome?: 'succeeded' | 'content_policy' | 'upstream_error' | 'timeout' | 'outcome_unknown' | 'stuck' | 'late';
        /**
         * whether the output tells what was understood of the order
         */
        explain?: boolean;
      };
      [k: string]: unknown;
    };
    data: Task;
  };
  /**
   * Calculate the cost of a generation
   */
  'POST /v1/prices': {
    /**
     * And the model's own fields: see its input_schema.
     */
    body: {
      /**
       * the id of a model; GET /v1/models lists those that your key can order
       */
      model_id: string;
      /**
       * a supported reference may stand in for it
       */
      prompt?: string;
      /**
       * one of the model's values
       */
      resolution?: string;
      /**
       * one of the model's values
       */
      aspect_ratio?: string;
      num_images?: number;
      /**
       * https:, http: and data: addresses, upload:<file_id>, task:<task_id>
       */
      image_urls?: string[];
      /**
       * seconds
       */
      duration?: string | number;
      /**
       * a follow-up action, for its price
       */
      action?: string;
      parent_task_id?: string;
      [k: string]: unknown;
    };
    data: Quote;
  };
  /**
   * Models that your key can order, at your prices
   */
  'GET /v1/models': {
    query: {
      type?: 'image' | 'video';
    };
    data: {
      items: Model[];
    };
  };
  /**
   * One model, with the JSON Schema of its create body
   */
  'GET /v1/models/{model_id}': {
    path: {
      model_id: string;
    };
    data: Model;
  };
  /**
   * Balance and limits
   */
  'GET /v1/account': {
    data: Account;
  };
  /**
   * Tasks and what they cost
   */
  'GET /v1/account/usage': {
    query: {
      /**
       * a date or time; by default 30 days before to
       */
      from?: string;
      /**
       * a date or time, itself excluded; by default now
       */
      to?: string;
      /**
       * one or several of day, model_id, status, end_user, comma-separated
       */
      group_by?: string;
      /**
       * also how long results took, as seconds
       */
      timing?: 'true' | 'false';
      /**
       * account needs a key made with --account-view
       */
      scope?: 'key' | 'account';
    };
    data: {
      from: string;
      to: string;
      group_by: ('day' | 'model_id' | 'status' | 'end_user')[];
      scope: 'key' | 'account';
      items: UsageRow[];
    };
  };
  /**
   * Entries of the ledger, newest first
   */
  'GET /v1/account/ledger': {
    query: {
      /**
       * entries of a page, 1 to 100
       */
      limit?: number;
      /**
       * an entry_id: older entries
       */
      after?: string;
      /**
       * account needs a key made with --account-view
       */
      scope?: 'key' | 'account';
    };
    data: {
      items: LedgerEntry[];
      limit: number;
      scope: 'key' | 'account';
      has_more: boolean;
    };
  };
  /**
   * The log of webhook deliveries, newest first
   */
  'GET /v1/account/webhooks/deliveries': {
    query: {
      /**
       * entries of a page, 1 to 100
       */
      limit?: number;
      /**
       * a delivery_id: older deliveries
       */
      after?: string;
      status?: 'pending' | 'delivered' | 'failed';
      task_id?: string;
      /**
       * account needs a key made with --account-view
       */
      scope?: 'key' | 'account';
    };
    data: {
      items: {
        /**
         * the webhook-id of every attempt
         */
        delivery_id: string;
        task_id: string;
        type: 'task.succeeded' | 'task.failed' | 'task.canceled';
        url: string;
        status: 'pending' | 'delivered' | 'failed';
        created_at: string;
        delivered_at: string | null;
        next_attempt_at: string | null;
        attempts: {
          started_at: string;
          duration_ms: number;
          response_status: number | null;
          error: string | null;
        }[];
      }[];
      has_more: boolean;
    };
  };
  /**
   * Send a delivery again
   */
  'POST /v1/account/webhooks/deliveries/{delivery_id}/redeliver': {
    path: {
      delivery_id: string;
    };
    body: {};
    data: {
      /**
       * the webhook-id of every attempt
       */
      delivery_id: string;
      task_id: string;
      type: 'task.succeeded' | 'task.failed' | 'task.canceled';
      url: string;
      status: 'pending' | 'delivered' | 'failed';
      created_at: string;
      delivered_at: string | null;
      next_attempt_at: string | null;
      attempts: {
        started_at: string;
        duration_ms: number;
        response_status: number | null;
        error: string | null;
      }[];
    };
  };
  /**
   * The secrets that sign webhooks
   */
  'GET /v1/account/webhooks/secret': {
    data: {
      items: {
        /**
         * whsec_… as Standard Webhooks writes it
         */
        secret: string;
        created_at: string;
        /**
         * null = the one in force
         */
        valid_until: string | null;
      }[];
    };
  };
  /**
   * Put a new secret in force; the old one signs along for 24 hours
   */
  'POST /v1/account/webhooks/secret/rotate': {
    body: {};
    data: {
      items: {
        /**
         * whsec_… as Standard Webhooks writes it
         */
        secret: string;
        created_at: string;
        /**
         * null = the one in force
         */
        valid_until: string | null;
      }[];
    };
  };
  /**
   * The default address of webhooks
   */
  'GET /v1/account/webhooks': {
    data: {
      /**
       * null = nowhere
       */
      url: string | null;
    };
  };
  /**
   * Set the default address of webhooks
   */
  'PUT /v1/account/webhooks': {
    body: {
      /**
       * null = nowhere
       */
      url: string | null;
    };
    data: {
      /**
       * null = nowhere
       */
      url: string | null;
    };
  };
  /**
   * Upload a file
   */
  'POST /v1/files': {
    data: File;
  };
  /**
   * Look up an uploaded file
   */
  'GET /v1/files/{file_id}': {
    path: {
      file_id: string;
    };
    data: File;
  };
  /**
   * Erase an uploaded file
   */
  'DELETE /v1/files/{file_id}': {
    path: {
      file_id: string;
    };
    data: {
      file_id: string;
      deleted_at: string;
    };
  };
  /**
   * List accounts
   */
  'GET /admin/v1/accounts': {
    data: {
      items: {
        account_id: string;
        name: string;
        created_at: string;
        /**
         * US dollars as a decimal string
         */
        balance: string;
        credit_limit: string | null;
        currency: 'USD';
        price_rules: {
          models: string;
          multiplier: string;
        }[];
        hidden_models: string[];
        webhook_url: string | null;
      }[];
    };
  };
  /**
   * Create an account
   */
  'POST /admin/v1/accounts': {
    body: {
      account_id?: string;
      name?: string;
      /**
       * dollars as a decimal string, or null for an account that pays later
       */
      credit_limit?: string | null;
    };
    data: {
      account_id: string;
      name: string;
      created_at: string;
      /**
       * US dollars as a decimal string
       */
      balance: string;
      credit_limit: string | null;
      currency: 'USD';
      price_rules: {
        models: string;
        multiplier: string;
      }[];
      hidden_models: string[];
      webhook_url: string | null;
    };
  };
  /**
   * Show an account
   */
  'GET /admin/v1/accounts/{account_id}': {
    path: {
      account_id: string;
    };
    data: {
      account_id: string;
      name: string;
      created_at: string;
      /**
       * US dollars as a decimal string
       */
      balance: string;
      credit_limit: string | null;
      currency: 'USD';
      price_rules: {
        models: string;
        multiplier: string;
      }[];
      hidden_models: string[];
      webhook_url: string | null;
    };
  };
  /**
   * Change name, credit limit, prices or hidden models
   */
  'PATCH /admin/v1/accounts/{account_id}': {
    path: {
      account_id: string;
    };
    body: {
      name?: string;
      /**
       * dollars as a decimal string, or null for an account that pays later
       */
      credit_limit?: string | null;
      /**
       * @maxItems 100
       */
      price_rules?: {
        models: string;
        multiplier: string;
      }[];
      /**
       * @maxItems 100
       */
      hidden_models?: string[];
    };
    data: {
      account_id: string;
      name: string;
      created_at: string;
      /**
       * US dollars as a decimal string
       */
      balance: string;
      credit_limit: string | null;
      currency: 'USD';
      price_rules: {
        models: string;
        multiplier: string;
      }[];
      hidden_models: string[];
      webhook_url: string | null;
    };
  };
  /**
   * Credit an account; honours Idempotency-Key
   */
  'POST /admin/v1/accounts/{account_id}/credit': {
    path: {
      account_id: string;
    };
    body: {
      /**
       * dollars as a decimal string such as "25.00"
       */
      amount: string;
      note?: string;
    };
    data: {
      account_id: string;
      name: string;
      created_at: string;
      /**
       * US dollars as a decimal string
       */
      balance: string;
      credit_limit: string | null;
      currency: 'USD';
      price_rules: {
        models: string;
        multiplier: string;
      }[];
      hidden_models: string[];
      webhook_url: string | null;
    };
  };
  /**
   * List keys
   */
  'GET /admin/v1/keys': {
    query: {
      account_id?: string;
    };
    data: {
      items: {
        key_id: string;
        account_id: string;
        mode: 'live' | 'test' | 'admin';
        name: string;
        created_at: string;
        expires_at: string | null;
        revoked_at: string | null;
        /**
         * until when the secret before the last rotation works
         */
        previous_until: string | null;
        models: string[];
        rpm: number;
        read_rpm: number;
        concurrency: number;
        queue: number;
        spend_limits: {
          day: string | null;
          month: string | null;
          total: string | null;
        };
        account_view: boolean;
      }[];
    };
  };
  /**
   * Issue a key
   */
  'POST /admin/v1/keys': {
    body: {
      mode: 'live' | 'test' | 'admin';
      account_id?: string;
      name?: string;
      expires_at?: string | null;
      /**
       * patterns such as 'flux-*'; empty = every model
       *
       * @maxItems 100
       */
      models?: string[];
      /**
       * 0 = no limit
       */
      rpm?: number;
      /**
       * 0 = no limit
       */
      read_rpm?: number;
      /**
       * 0 = no limit
       */
      concurrency?: number;
      /**
       * 0 = no limit
       */
      queue?: number;
      spend_limits?: {
        day?: string | null;
        month?: string | null;
        total?: string | null;
      };
      account_view?: boolean;
    };
    data: {
      key_id: string;
      account_id: string;
      mode: 'live' | 'test' | 'admin';
      name: string;
      created_at: string;
      expires_at: string | null;
      revoked_at: string | null;
      /**
       * until when the secret before the last rotation works
       */
      previous_until: string | null;
      models: string[];
      rpm: number;
      read_rpm: number;
      concurrency: number;
      queue: number;
      spend_limits: {
        day: string | null;
        month: string | null;
        total: string | null;
      };
      account_view: boolean;
      /**
       * the secret: here, and never again
       */
      key: string;
    };
  };
  /**
   * Revoke a key
   */
  'POST /admin/v1/keys/{key_id}/revoke': {
    path: {
      key_id: string;
    };
    data: {
      key_id: string;
      account_id: string;
      mode: 'live' | 'test' | 'admin';
      name: string;
      created_at: string;
      expires_at: string | null;
      revoked_at: string | null;
      /**
       * until when the secret before the last rotation works
       */
      previous_until: string | null;
      models: string[];
      rpm: number;
      read_rpm: number;
      concurrency: number;
      queue: number;
      spend_limits: {
        day: string | null;
        month: string | null;
        total: string | null;
      };
      account_view: boolean;
      unreachable_tasks: number;
    };
  };
  /**
   * Give a key a new secret
   */
  'POST /admin/v1/keys/{key_id}/rotate': {
    path: {
      key_id: string;
    };
    body: {
      /**
       * how long the old secret still works
       */
      grace_seconds?: number;
    };
    data: {
      key_id: string;
      account_id: string;
      mode: 'live' | 'test' | 'admin';
      name: string;
      created_at: string;
      expires_at: string | null;
      revoked_at: string | null;
      /**
       * until when the secret before the last rotation works
       */
      previous_until: string | null;
      models: string[];
      rpm: number;
      read_rpm: number;
      concurrency: number;
      queue: number;
      spend_limits: {
        day: string | null;
        month: string | null;
        total: string | null;
      };
      account_view: boolean;
      /**
       * the secret: here, and never again
       */
      key: string;
    };
  };
  /**
   * List engines, whether they are paused, their circuits and their queues
   */
  'GET /admin/v1/engines': {
    data: {
      items: {
        name: string;
        paused: boolean;
        paused_at: string | null;
        reason: string | null;
        /**
         * open: its upstream gets no orders for now; half_open: one is tried; all but the state is null while it is closed
         */
        circuit: {
          state: 'closed' | 'open' | 'half_open';
          /**
           * when it was opened
           */
          since: string | null;
          fault: ('auth' | 'billing' | 'rate_limited' | 'busy' | 'upstream' | 'timeout') | null;
          /**
           * the upstream's own words
           */
          reason: string | null;
          /**
           * when the next order is tried
           */
          retry_at: string | null;
        };
        queues: {
          engine: string;
          mode: 'live' | 'test' | 'simulated';
          waiting: number;
          in_flight: number;
          oldest_waiting_at: string | null;
          /**
           * how the orders placed within the last hour ended so far
           */
          last_hour: {
            succeeded: number;
            failed: number;
            canceled: number;
          };
        }[];
      }[];
    };
  };
  /**
   * List models, their routes, and why one is not live
   */
  'GET /admin/v1/models': {
    data: {
      items: {
        model_id: string;
        name: string;
        vendor: string;
        type: 'image' | 'video';
        status: 'active' | 'paused' | 'deprecated' | 'retired';
        availability: {
          live: boolean;
          test: boolean;
        };
        /**
         * in the order in which they are tried
         */
        routes: {
          engine: string;
          model: string | null;
          configured: boolean;
          paused: boolean;
        }[];
        /**
         * why live orders are refused; null while they are taken
         */
        not_live_because: string | null;
        paused: boolean;
        paused_at: string | null;
        reason: string | null;
      }[];
    };
  };
  /**
   * Give orders to an upstream again without waiting for its circuit to close
   */
  'POST /admin/v1/engines/{name}/circuit/close': {
    path: {
      name: string;
    };
    data: {
      name: string;
      /**
       * open: its upstream gets no orders for now; half_open: one is tried; all but the state is null while it is closed
       */
      circuit: {
        state: 'closed' | 'open' | 'half_open';
        /**
         * when it was opened
         */
        since: string | null;
        fault: ('auth' | 'billing' | 'rate_limited' | 'busy' | 'upstream' | 'timeout') | null;
        /**
         * the upstream's own words
         */
        reason: string | null;
        /**
         * when the next order is tried
         */
        retry_at: string | null;
      };
    };
  };
  /**
   * Stop taking orders of an engine
   */
  'POST /admin/v1/engines/{name}/pause': {
    path: {
      name: string;
    };
    body: {
      reason?: string;
    };
    data: {
      name: string;
      paused: boolean;
    };
  };
  /**
   * Take orders again
   */
  'POST /admin/v1/engines/{name}/resume': {
    path: {
      name: string;
    };
    data: {
      name: string;
      paused: boolean;
    };
  };
  /**
   * Stop taking orders of a model
   */
  'POST /admin/v1/models/{name}/pause': {
    path: {
      name: string;
    };
    body: {
      reason?: string;
    };
    data: {
      name: string;
      paused: boolean;
    };
  };
  /**
   * Take orders again
   */
  'POST /admin/v1/models/{name}/resume': {
    path: {
      name: string;
    };
    data: {
      name: string;
      paused: boolean;
    };
  };
  /**
   * List a key's tasks
   */
  'GET /admin/v1/tasks': {
    query: {
      key_id: string;
      type: 'image' | 'video';
      status?: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
      /**
       * entries of a page, 1 to 100
       */
      limit?: number;
      /**
       * the last id of the page before
       */
      after?: string;
    };
    data: {
      items: {
        task_id: string;
        key_id: string;
        account_id: string;
        mode: 'live' | 'test';
        status: string;
        step: string;
        progress: number;
        model_id: string;
        action: string | null;
        route: {
          [k: string]: unknown;
        };
        queue: string;
        worker: string | null;
        attempts: number;
        operation: unknown;
        error: {
          [k: string]: unknown;
        } | null;
        /**
         * US dollars as a decimal string
         */
        price: string;
        charged: string | null;
        created_at: string;
        started_at: string | null;
        completed_at: string | null;
        next_at: string | null;
        deadline_at: string;
        deleted_at: string | null;
      }[];
      limit: number;
      has_more: boolean;
    };
  };
  /**
   * Look up a task
   */
  'GET /admin/v1/tasks/{task_id}': {
    path: {
      task_id: string;
    };
    data: {
      task_id: string;
      key_id: string;
      account_id: string;
      mode: 'live' | 'test';
      status: string;
      step: string;
      progress: number;
      model_id: string;
      action: string | null;
      route: {
        [k: string]: unknown;
      };
      queue: string;
      worker: string | null;
      attempts: number;
      operation: unknown;
      error: {
        [k: string]: unknown;
      } | null;
      /**
       * US dollars as a decimal string
       */
      price: string;
      charged: string | null;
      created_at: string;
      started_at: string | null;
      completed_at: string | null;
      next_at: string | null;
      deadline_at: string;
      deleted_at: string | null;
    };
  };
  /**
   * Read the catalog's files anew
   */
  'POST /admin/v1/catalog/reload': {
    data: {
      models: number;
      version: string;
    };
  };
  /**
   * List the acts of operators, newest first
   */
  'GET /admin/v1/audit': {
    query: {
      /**
       * entries of a page, 1 to 100
       */
      limit?: number;
      /**
       * the last id of the page before
       */
      after?: string;
    };
    data: {
      items: {
        audit_id: string;
        actor: string;
        act: string;
        target: string | null;
        detail: {
          [k: string]: unknown;
        };
        created_at: string;
      }[];
      limit: number;
      has_more: boolean;
    };
  };
  /**
   * List orders of unknown outcome and late results
   */
  'GET /admin/v1/reconciliation': {
    query: {
      resolved?: 'true' | 'false';
      /**
       * entries of a page, 1 to 100
       */
      limit?: number;
      /**
       * the last id of the page before
       */
      after?: string;
    };
    data: {
      items: {
        reconciliation_id: string;
        task_id: string;
        kind: 'outcome_unknown' | 'late_result';
        detail: {
          [k: string]: unknown;
        };
        created_at: string;
        resolved_at: string | null;
        resolution: string | null;
      }[];
      limit: number;
      has_more: boolean;
    };
  };
  /**
   * Write down what was found
   */
  'POST /admin/v1/reconciliation/{id}/resolve': {
    path: {
      id: string;
    };
    body: {
      resolution: string;
    };
    data: {
      reconciliation_id: string;
      task_id: string;
      kind: 'outcome_unknown' | 'late_result';
      detail: {
        [k: string]: unknown;
      };
      created_at: string;
      resolved_at: string | null;
      resolution: string | null;
    };
  };
  /**
   * List orders of the last day that failed, latest first
   */
  'GET /admin/v1/failures': {
    query: {
      /**
       * entries of a page, 1 to 100
       */
      limit?: number;
    };
    data: {
      items: {
        task_id: string;
        model_id: string;
        engine: string;
        mode: 'live' | 'test';
        account_id: string;
        key_id: string;
        code: string;
        message: string;
        created_at: string;
        completed_at: string | null;
      }[];
    };
  };
  /**
   * List webhook deliveries of every account, newest first
   */
  'GET /admin/v1/webhooks/deliveries': {
    query: {
      account_id?: string;
      status?: 'pending' | 'delivered' | 'failed';
      task_id?: string;
      /**
       * entries of a page, 1 to 100
       */
      limit?: number;
      /**
       * a delivery_id: older deliveries
       */
      after?: string;
    };
    data: {
      items: {
        /**
         * the webhook-id of every attempt
         */
        delivery_id: string;
        task_id: string;
        type: 'task.succeeded' | 'task.failed' | 'task.canceled';
        url: string;
        status: 'pending' | 'delivered' | 'failed';
        created_at: string;
        delivered_at: string | null;
        next_attempt_at: string | null;
        attempts: {
          started_at: string;
          duration_ms: number;
          response_status: number | null;
          error: string | null;
        }[];
      }[];
      limit: number;
      has_more: boolean;
    };
  };
  /**
   * Send a webhook delivery again
   */
  'POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver': {
    path: {
      delivery_id: string;
    };
    data: {
      /**
       * the webhook-id of every attempt
       */
      delivery_id: string;
      task_id: string;
      type: 'task.succeeded' | 'task.failed' | 'task.canceled';
      url: string;
      status: 'pending' | 'delivered' | 'failed';
      created_at: string;
      delivered_at: string | null;
      next_attempt_at: string | null;
      attempts: {
        started_at: string;
        duration_ms: number;
        response_status: number | null;
        error: string | null;
      }[];
    };
  };
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Model".
 */
export interface Model {
  model_id: string;
  aliases: string[];
  name: string;
  vendor: string;
  type: 'image' | 'video';
  description: string;
  status: 'active' | 'paused' | 'deprecated' | 'retired';
  sunset_at: string | null;
  replaced_by: string | null;
  default_config: {
    [k: string]: unknown;
  };
  /**
   * JSON Schema (2020-12) of each parameter
   */
  parameters: {
    [k: string]: unknown;
  };
  /**
   * any one of the lists must be present in full
   */
  required: string[][];
  constraints: {
    [k: string]: unknown;
  }[];
  supported_features: string[];
  actions: string[];
  limits: {
    [k: string]: unknown;
  };
  pricing: {
    [k: string]: unknown;
  };
  availability: {
    live: boolean;
    test: boolean;
  };
  typical_seconds: {
    p50: number;
    p80: number;
  } | null;
  [k: string]: unknown;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Task".
 */
export interface Task {
  task_id: string;
  type: 'image' | 'video';
  status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  /**
   * never falls
   */
  progress: number;
  queue_position: number | null;
  estimated_seconds: number | null;
  /**
   * grows with every change
   */
  revision: number;
  model_id: string;
  action: string | null;
  parent_task_id: string | null;
  /**
   * the request with its defaults filled in
   */
  input: {
    [k: string]: unknown;
  };
  outputs: Output[];
  error: {
    code: string;
    message: string;
    retry: 'never' | 'new_order';
    charged: false;
  } | null;
  cost: {
    state: 'held' | 'charged' | 'released';
    /**
     * US dollars as a decimal string: two to six decimals
     */
    amount: string;
    /**
     * US dollars as a decimal string: two to six decimals
     */
    quoted: string;
    currency: 'USD';
    lines: PriceLine[];
  };
  available_actions: {
    action: string;
    /**
     * US dollars as a decimal string: two to six decimals
     */
    price: string;
    parameters: {
      [k: string]: unknown;
    };
  }[];
  can_cancel: boolean;
  cancel_requested_at: string | null;
  end_user: string | null;
  metadata: {
    [k: string]: string;
  };
  mode: 'live' | 'test';
  /**
   * UTC with milliseconds
   */
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  /**
   * UTC with milliseconds
   */
  deadline_at: string;
  /**
   * UTC with milliseconds
   */
  expires_at: string;
  urls: {
    self: string;
    cancel: string;
    events: string | null;
  };
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Output".
 */
export interface Output {
  /**
   * signed, good for a day at least; may be shown in a browser
   */
  url: string;
  /**
   * UTC with milliseconds
   */
  url_expires_at: string;
  /**
   * the address to store: it takes the bearer and never runs out
   */
  content_url: string;
  content_type: string;
  bytes: number;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
  fps: number | null;
  has_audio: boolean | null;
  sha256: string;
  thumbnail_url: string | null;
  preview_url: string | null;
  tiles: number | null;
  seed: number | null;
  revised_prompt: string | null;
  /**
   * where a test key asked by simulate.explain: what was understood of the order
   */
  explanation?: string[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PriceLine".
 */
export interface PriceLine {
  description: string;
  unit: string;
  quantity: string;
  /**
   * US dollars as a decimal string: two to six decimals
   */
  unit_price: string;
  /**
   * US dollars as a decimal string: two to six decimals
   */
  amount: string;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Quote".
 */
export interface Quote {
  model_id: string;
  type: 'image' | 'video';
  action: string | null;
  currency: 'USD';
  /**
   * US dollars as a decimal string: two to six decimals
   */
  amount: string;
  /**
   * false where the charge depends on media that must be measured first; never more is charged
   */
  exact: boolean;
  lines: PriceLine[];
  input: {
    [k: string]: unknown;
  };
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Account".
 */
export interface Account {
  account_id: string;
  name: string;
  mode: 'live' | 'test';
  currency: 'USD';
  /**
   * US dollars as a decimal string: two to six decimals
   */
  balance: string;
  /**
   * US dollars as a decimal string: two to six decimals
   */
  held: string;
  credit_limit: string | null;
  key: {
    key_id: string;
    name: string;
    expires_at: string | null;
    models: string[];
    rpm: number;
    read_rpm: number;
    concurrency: number;
    queue: number;
    account_view: boolean;
    spend_limits: {
      day: {
        /**
         * US dollars as a decimal string: two to six decimals
         */
        limit: string;
        /**
         * US dollars as a decimal string: two to six decimals
         */
        spent: string;
      } | null;
      month: {
        /**
         * US dollars as a decimal string: two to six decimals
         */
        limit: string;
        /**
         * US dollars as a decimal string: two to six decimals
         */
        spent: string;
      } | null;
      total: {
        /**
         * US dollars as a decimal string: two to six decimals
         */
        limit: string;
        /**
         * US dollars as a decimal string: two to six decimals
         */
        spent: string;
      } | null;
    };
  };
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "UsageRow".
 */
export interface UsageRow {
  day?: string;
  model_id?: string;
  status?: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  end_user?: string | null;
  tasks: number;
  /**
   * US dollars as a decimal string: two to six decimals
   */
  charged: string;
  /**
   * US dollars as a decimal string: two to six decimals
   */
  held: string;
  currency: 'USD';
  /**
   * with timing=true: from the order to its result
   */
  seconds?: {
    p50: number | null;
    p95: number | null;
  };
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LedgerEntry".
 */
export interface LedgerEntry {
  entry_id: string;
  kind: 'credit' | 'hold' | 'release' | 'charge';
  /**
   * US dollars as a decimal string: two to six decimals
   */
  amount: string;
  currency: 'USD';
  task_id: string | null;
  note: string | null;
  /**
   * UTC with milliseconds
   */
  created_at: string;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "File".
 */
export interface File {
  file_id: string;
  url: string;
  /**
   * UTC with milliseconds
   */
  url_expires_at: string;
  content_type: string;
  bytes: number;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
  sha256: string;
  /**
   * UTC with milliseconds
   */
  created_at: string;
  /**
   * UTC with milliseconds
   */
  expires_at: string;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Error".
 */
export interface Error {
  error: {
    status: number;
    code:
      | 'invalid_json'
      | 'invalid_request'
      | 'unsupported_field'
      | 'unsupported_value'
      | 'missing_prompt'
      | 'missing_reference'
      | 'prompt_too_long'
      | 'invalid_reference'
      | 'unsupported_action'
      | 'missing_api_key'
      | 'invalid_api_key'
      | 'expired_api_key'
      | 'revoked_api_key'
      | 'insufficient_balance'
      | 'spend_limit_reached'
      | 'model_not_allowed'
      | 'forbidden'
      | 'model_not_found'
      | 'task_not_found'
      | 'not_found'
      | 'method_not_allowed'
      | 'request_timeout'
      | 'parent_not_ready'
      | 'parent_not_usable'
      | 'not_cancelable'
      | 'not_final'
      | 'price_exceeded'
      | 'model_retired'
      | 'outputs_expired'
      | 'body_too_large'
      | 'uri_too_long'
      | 'unsupported_media_type'
      | 'range_not_satisfiable'
      | 'idempotency_key_reused'
      | 'rate_limited'
      | 'queue_full'
      | 'headers_too_large'
      | 'internal_error'
      | 'model_unavailable'
      | 'service_unavailable'
      | 'storage_full'
      | 'shutting_down';
    message: string;
    param: string | null;
    details: {
      [k: string]: unknown;
    }[];
    retryable: boolean;
    request_id: string;
    docs_url: string;
  };
  /**
   * UTC with milliseconds
   */
  timestamp: string;
}
