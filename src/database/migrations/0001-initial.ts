import { type Compilable, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { DatabaseKind, Migration } from '../migrate.ts';
import type { Schema } from '../schema.ts';

type ColumnKind = 'text' | 'text?' | 'int' | 'int?' | 'real' | 'real?';

/** Everything that 1.0 needs. Ids and names compare by code point on either database. */
export const initial: Migration = { version: 1, name: 'initial', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  const table = (name: string, columns: Record<string, ColumnKind>, primaryKey: string[] | null) => {
    let create: CreateTableBuilder<string, string> = builder.schema.createTable(name);
    if (primaryKey === null) create = identity(create, kind);
    for (const [column, type] of Object.entries(columns)) create = addColumn(create, column, type, kind);
    return primaryKey === null ? create : create.addPrimaryKeyConstraint(`${name}_pk`, primaryKey);
  };
  const index = (on: string, name: string, columns: string[], options: { where?: string; unique?: boolean } = {}) =>
    sql.raw(
      `create ${options.unique ? 'unique ' : ''}index ${on}_${name} on ${on} (${columns.join(', ')})${options.where === undefined ? '' : ` where ${options.where}`}`,
    ) as unknown as { compile(executor: Kysely<Schema>): ReturnType<Compilable<unknown>['compile']> };
  const indexes = [
    index('api_keys', 'by_hash', ['hash'], { unique: true }),
    index('api_keys', 'by_previous_hash', ['previous_hash'], { where: 'previous_hash is not null' }),
    index('ledger', 'by_account', ['account_id', 'mode', 'id']),
    index('ledger', 'by_key', ['api_key_id', 'id'], { where: 'api_key_id is not null' }),
    index('ledger', 'once_per_task', ['task_id', 'kind'], { unique: true, where: 'task_id is not null' }),
    index('tasks', 'by_key', ['api_key_id', 'type', 'id']),
    index('tasks', 'by_status', ['api_key_id', 'type', 'status', 'id']),
    index('tasks', 'by_model', ['api_key_id', 'type', 'model_id', 'id']),
    index('tasks', 'by_end_user', ['api_key_id', 'type', 'end_user', 'id'], { where: 'end_user is not null' }),
    index('tasks', 'by_parent', ['parent_task_id', 'id'], { where: 'parent_task_id is not null' }),
    index('tasks', 'claimable', ['queue', 'rank', 'id'], { where: "step = 'waiting' and claimable = 1" }),
    index('tasks', 'queued_by_key', ['api_key_id', 'queue', 'rank'], { where: "status = 'queued'" }),
    index('tasks', 'slots', ['api_key_id'], { where: 'claimable = 1' }),
    index('tasks', 'blocked', ['api_key_id', 'rank', 'id'], { where: "status = 'queued' and claimable = 0" }),
    index('tasks', 'in_flight', ['queue', 'api_key_id'], {
      where: "step in ('preparing', 'submitting', 'deferred', 'running', 'collecting')",
    }),
    index('tasks', 'due', ['next_at'], { where: 'next_at is not null' }),
    index('tasks', 'expiring', ['expires_at'], { where: 'erased_at is null' }),
    index('files', 'by_key', ['api_key_id', 'id']),
    index('files', 'expiring', ['expires_at'], { where: 'erased_at is null' }),
    index('idempotency', 'by_subject', ['subject_id']),
    index('reconciliation', 'by_task', ['task_id']),
  ].map((raw) => ({ compile: () => raw.compile(builder) }) as Compilable<unknown>);
  return [
    table(
      'accounts',
      {
        id: 'text',
        name: 'text',
        created_at: 'int',
        credit_limit: 'int?',
        price_rules_json: 'text',
        hidden_models_json: 'text',
      },
      ['id'],
    ),
    table(
      'api_keys',
      {
        id: 'text',
        account_id: 'text',
        mode: 'text',
        name: 'text',
        hash: 'text',
        previous_hash: 'text?',
        previous_until: 'int?',
        created_at: 'int',
        expires_at: 'int?',
        revoked_at: 'int?',
        models_json: 'text',
        rpm: 'int',
        read_rpm: 'int',
        concurrency: 'int',
        queue_limit: 'int',
        spend_day: 'int?',
        spend_month: 'int?',
        spend_total: 'int?',
        account_view: 'int',
      },
      ['id'],
    ),
    table(
      'ledger',
      {
        account_id: 'text',
        api_key_id: 'text?',
        mode: 'text',
        task_id: 'text?',
        kind: 'text',
        amount: 'int',
        created_at: 'int',
        note: 'text?',
      },
      null,
    ),
    table('ledger_checkpoints', { account_id: 'text', mode: 'text', ledger_id: 'int', balance: 'int' }, [
      'account_id',
      'mode',
    ]),
    table('spend_windows', { api_key_id: 'text', period: 'text', amount: 'int' }, ['api_key_id', 'period']),
    table(
      'tasks',
      {
        id: 'text',
        type: 'text',
        api_key_id: 'text',
        account_id: 'text',
        mode: 'text',
        status: 'text',
        step: 'text',
        progress: 'int',
        revision: 'int',
        model_id: 'text',
        action: 'text?',
        parent_task_id: 'text?',
        end_user: 'text?',
        metadata_json: 'text',
        input_json: 'text',
        request_json: 'text',
        media_json: 'text?',
        outputs_json: 'text',
        keep_json: 'text?',
        error_json: 'text?',
        price: 'int',
        charged: 'int?',
        lines_json: 'text',
        price_basis_json: 'text?',
        simulate_json: 'text?',
        route_json: 'text',
        queue: 'text',
        rank: 'real',
        claimable: 'int',
        fence: 'int',
        worker: 'text?',
        next_at: 'int?',
        operation_json: 'text?',
        attempts: 'int',
        created_at: 'int',
        started_at: 'int?',
        progressed_at: 'int?',
        completed_at: 'int?',
        deadline_at: 'int',
        expires_at: 'int',
        cancel_requested_at: 'int?',
        erased_at: 'int?',
        deleted_at: 'int?',
      },
      ['id'],
    ),
    table('idempotency', { scope: 'text', idempotency_key: 'text', fingerprint: 'text', subject_id: 'text' }, [
      'scope',
      'idempotency_key',
    ]),
    table(
      'files',
      {
        id: 'text',
        api_key_id: 'text',
        storage_key: 'text',
        kind: 'text',
        content_type: 'text',
        bytes: 'int',
        width: 'int?',
        height: 'int?',
        duration_seconds: 'real?',
        sha256: 'text',
        created_at: 'int',
        expires_at: 'int',
        erased_at: 'int?',
      },
      ['id'],
    ),
    table('queues', { name: 'text', clock: 'real' }, ['name']),
    table('switches', { kind: 'text', name: 'text', paused_at: 'int', reason: 'text?' }, ['kind', 'name']),
    table(
      'reconciliation',
      {
        id: 'text',
        task_id: 'text',
        kind: 'text',
        detail_json: 'text',
        created_at: 'int',
        resolved_at: 'int?',
        resolution: 'text?',
      },
      ['id'],
    ),
    table(
      'audit_log',
      { id: 'text', actor: 'text', act: 'text', target: 'text?', detail_json: 'text', created_at: 'int' },
      ['id'],
    ),
    table('secrets', { name: 'text', value: 'text' }, ['name']),
    ...indexes,
  ];
}

function identity(create: CreateTableBuilder<string, string>, kind: DatabaseKind) {
  return kind === 'sqlite'
    ? create.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    : create.addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity());
}

function addColumn(create: CreateTableBuilder<string, string>, name: string, type: ColumnKind, kind: DatabaseKind) {
  const text = kind === 'postgres' ? sql`text collate "C"` : sql`text`;
  const of = type.startsWith('text') ? text : type.startsWith('int') ? sql`bigint` : sql`double precision`;
  return create.addColumn(name, of, (column) => (type.endsWith('?') ? column : column.notNull()));
}
