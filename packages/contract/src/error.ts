import { Type } from 'typebox';
import { ERROR_TABLE } from './error-table.ts';
import type { ErrorCode } from './errors.ts';
import { Flag, Nullable, refTo, Text, Time, type Wire } from './parts.ts';

const CODES = Object.keys(ERROR_TABLE) as ErrorCode[];

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      status: Type.Integer({ description: 'The HTTP status.' }),
      code: Type.Unsafe<ErrorCode>({ type: 'string', enum: CODES }),
      message: Type.String({ description: 'What was wrong, what is accepted, and what to do.' }),
      param: Nullable(Text, 'The field, query parameter or header that was wrong.'),
      details: Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true }), {
        description:
          'Every fault of the request as {param, code, message}, or facts such as the price and the balance.',
      }),
      retryable: Type.Boolean({
        description: 'Whether the same request may succeed later. Repeating it never charges twice.',
      }),
      request_id: Type.String({ description: 'Quote it to the operator.' }),
      docs_url: Type.Optional(
        Type.String({
          format: 'uri',
          description: 'The documentation of this error code. Absent if the operator has closed the guide.',
        }),
      ),
    }),
    timestamp: Time,
  },
  { $id: 'Error', description: 'The body of every failure.' },
);
export type ErrorBodyView = Wire<typeof ErrorBody>;

/** Whether accepted orders are sent. */
export const Service = Type.Object(
  {
    held: Type.Boolean({ description: 'Orders are accepted and wait: none is sent to an engine, and no webhook.' }),
    message: Nullable(Text, 'What the operator says about it; null = not held.'),
    since: Type.Optional({ ...Time, description: 'Since when it is held; told to operators only.' }),
    reason: Type.Optional({ ...Text, description: 'Why it is held; told to operators only.' }),
    is_copy: Type.Optional({
      ...Flag,
      description: 'Whether the hold ends only with `as`; told to operators only.',
    }),
  },
  { $id: 'Service', description: 'Whether the service sends orders and webhooks.' },
);
const Checks = Type.Array(
  Type.Object({
    name: Text,
    ok: Flag,
    detail: Text,
    worked_at: Type.Optional({ ...Time, description: 'When it was last seen to work; absent = not seen yet.' }),
    cannot_make: Type.Optional({
      ...Text,
      description: 'The results that it cannot make although it works, such as `films`: `detail` says why.',
    }),
    waits_for: Type.Optional({
      ...Text,
      description: 'The failed check that holds it up, so that its own state is not known; absent = none.',
    }),
    since: Type.Optional({
      ...Time,
      description:
        'When the outage began that this process is certain of; absent = it works, or may work again at once.',
    }),
  }),
);
/** The result of one check, as `/readyz` shows it. */
export type CheckResult = Wire<typeof Checks>[number];
export const Alive = Type.Object({ status: Type.Literal('ok') }, { $id: 'Alive', description: 'The process runs.' });
export const Ready = Type.Object(
  {
    status: Type.Literal('ready'),
    orders: Type.Optional(
      Type.Literal(false, { description: 'The database takes no writes, so no order can be placed now.' }),
    ),
    service: Type.Optional(refTo(Service)),
    checks: Type.Optional(Checks),
  },
  {
    $id: 'Ready',
    description:
      'The service can work; `orders` is there while only reads are possible, `service` while it is held. The checks are shown to an admin key only.',
  },
);
export const Health = Type.Object(
  { ready: Flag, orders: Flag, reads: Flag, files: Flag, service: refTo(Service), checks: Checks },
  { $id: 'Health', description: 'The capabilities of the service and every check.' },
);
