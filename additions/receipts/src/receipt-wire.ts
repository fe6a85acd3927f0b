import { BATCH_STATUSES, TASK_STATUSES } from '@darkroom-service/contract';
import {
  AnyObject,
  Currency,
  MediaType,
  Mode,
  Nullable,
  refTo,
  Text,
  Time,
  Whole,
  type Wire,
} from '@darkroom-service/contract/parts';
import { BASIS, CONSENT, ORDER_MODELS, PriceLine } from '@darkroom-service/contract/schemas';
import { type TSchema, Type } from 'typebox';

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file, in hex.' });

/** First fields of receipts of orders and of batches. */
const HEAD = {
  issuer: Nullable(
    Type.String({ format: 'uri' }),
    'The public address of the service; null if its operator has named none (`DARKROOM_PUBLIC_URL`).',
  ),
  account_id: Text,
  mode: Mode,
};

const LedgerLine = Type.Object({
  kind: Type.String({ description: 'As in the ledger: hold, release, charge or a kind that is added later.' }),
  amount: Type.String({ description: 'US dollars; negative if it reduced the balance.' }),
  created_at: Time,
});

const TASK_ID = 'img_01kafx2r5gq3v8m1t0z6y4n7wd';
const SHA256 = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';
const KID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const HEADER_OF_EXAMPLE = 'eyJhbGciOiJFZERTQSIsImtpZCI6ImtQcktfcW14VldhWVZBOXd3QkY2SXVvM3ZWeno3VHhIQ1R3WEJ5Z3JTNGsifQ';

export const TaskReceipt = Type.Object(
  {
    ...HEAD,
    task_id: Text,
    batch_id: Nullable(Text),
    type: MediaType,
    status: Type.Enum(TASK_STATUSES),
    model_id: Text,
    ...ORDER_MODELS,
    action: Nullable(Text),
    parent_task_id: Nullable(Text),
    route: Nullable(
      Type.Object({
        engine: Text,
        model: Nullable(Text, "The upstream's name of the model."),
        earlier: Type.Array(Type.Object({ engine: Text, model: Nullable(Text) }), {
          description: 'The routes that the order left before. They did not accept it, and may have received it.',
        }),
        rule: Nullable(
          AnyObject,
          'The rules about data (`data`) that each of them fitted, in `all`; null = it had none.',
        ),
      }),
      'Where the order was made; null if it was never submitted.',
    ),
    input: Nullable(AnyObject, 'The request with its defaults filled in, without media; null once it was erased.'),
    outputs: Nullable(
      Type.Array(
        Type.Object({
          sha256: Digest,
          content_type: Text,
          bytes: Whole,
          width: Nullable(Whole),
          height: Nullable(Whole),
          duration_seconds: Nullable(Type.Number()),
        }),
      ),
      'The files that were delivered; null once they were erased.',
    ),
    cost: Type.Object({
      quoted: Type.String({ description: 'US dollars: the price when the order was placed, the maximum charge.' }),
      charged: Type.String({ description: 'US dollars.' }),
      currency: Currency,
      ...BASIS,
      ...CONSENT,
      lines: Type.Array(refTo(PriceLine), { description: 'Of the charge; of the quote if nothing was charged.' }),
      ledger: Type.Array(LedgerLine, {
        description:
          "The account's ledger entries of this order, and its part of the hold of its batch. Their sum is what was charged.",
      }),
    }),
    created_at: Time,
    started_at: Nullable(Time),
    completed_at: Nullable(Time),
    erased_at: Nullable(Time),
  },
  {
    $id: 'TaskReceipt',
    description: 'What is certain about an order that has ended.',
    examples: [
      {
        issuer: 'https://darkroom.example',
        account_id: 'default',
        mode: 'live',
        task_id: TASK_ID,
        batch_id: null,
        type: 'image',
        status: 'succeeded',
        model_id: 'sketch',
        action: null,
        parent_task_id: null,
        route: { engine: 'sketch', model: null, earlier: [], rule: null },
        input: { model_id: 'sketch', prompt: 'a fox' },
        outputs: [
          {
            sha256: SHA256,
            content_type: 'image/png',
            bytes: 48_213,
            width: 1024,
            height: 1024,
            duration_seconds: null,
          },
        ],
        cost: { quoted: '0.04', charged: '0.04', currency: 'USD', basis: 'list', lines: [], ledger: [] },
        created_at: '2026-11-20T09:30:00.000Z',
        started_at: '2026-11-20T09:30:00.020Z',
        completed_at: '2026-11-20T09:30:02.000Z',
        erased_at: null,
      },
    ],
  },
);
export type TaskReceiptView = Wire<typeof TaskReceipt>;

export const BatchReceipt = Type.Object(
  {
    ...HEAD,
    batch_id: Text,
    status: Type.Enum(BATCH_STATUSES),
    orders: Whole,
    cost: Type.Object({ quoted: Text, charged: Text, currency: Currency }),
    tasks: Type.Array(
      Type.Object({
        task_id: Text,
        status: Type.Enum(TASK_STATUSES),
        charged: Text,
        sha256: Nullable(Type.Array(Digest), 'Of each output; null once they were erased.'),
      }),
      { description: 'In the order of their ids. Tasks that were removed because of their age are left out.' },
    ),
    created_at: Time,
    completed_at: Nullable(Time),
  },
  {
    $id: 'BatchReceipt',
    description: 'What is certain about a batch that has ended. Each of its tasks has a receipt with the details.',
    examples: [
      {
        issuer: 'https://darkroom.example',
        account_id: 'default',
        mode: 'live',
        batch_id: 'bat_01kafx2r5gq3v8m1t0z6y4n7wd',
        status: 'succeeded',
        orders: 1,
        cost: { quoted: '0.04', charged: '0.04', currency: 'USD' },
        tasks: [{ task_id: TASK_ID, status: 'succeeded', charged: '0.04', sha256: [SHA256] }],
        created_at: '2026-11-20T09:30:00.000Z',
        completed_at: '2026-11-20T09:30:02.000Z',
      },
    ],
  },
);
export type BatchReceiptView = Wire<typeof BatchReceipt>;

/** Returns the schema of a document and its signature. */
export function signedOf<S extends TSchema>(document: S) {
  return Type.Object({
    jws: Type.String({
      description: 'The receipt, signed: a compact JWS (RFC 7515) whose payload is canonical JSON (RFC 8785).',
      examples: [`${HEADER_OF_EXAMPLE}.eyJpc3N1ZXIiOiJodHRwczovLy4uLiJ9.c2lnbmF0dXJl`],
    }),
    content: refTo(document),
  });
}

export const PublicKeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        x: Type.String({ description: 'The public key in Base64url.' }),
        kid: Type.String({ description: 'The key that a receipt names in its header.' }),
        alg: Type.Literal('EdDSA'),
        use: Type.Literal('sig'),
      }),
    ),
  },
  {
    $id: 'PublicKeySet',
    description: 'The keys that verify receipts, as a JWK Set (RFC 7517). Keys are added and never removed.',
    examples: [
      {
        keys: [
          {
            kty: 'OKP',
            crv: 'Ed25519',
            x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
            kid: KID,
            alg: 'EdDSA',
            use: 'sig',
          },
        ],
      },
    ],
  },
);
export type PublicKeys = Wire<typeof PublicKeySet>;

/** Answer of a rotation: the keys that no longer sign. */
export interface KeyRetirement {
  readonly retired: readonly string[];
}
