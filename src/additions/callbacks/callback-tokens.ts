import { createHmac, timingSafeEqual } from 'node:crypto';
import { TASK_ID } from '@darkroom-service/contract';
import type { Kernel } from '../../kernel.ts';

/** Claim under which an order was submitted, as named in the URL that its upstream calls. */
export interface CallbackClaim {
  /** The engine that submitted the order. */
  readonly engine: string;
  readonly taskId: string;
  /** The fence of the claim. */
  readonly fence: number;
}

/**
 * Makes and checks the secret part of callback URLs. It is not stored: any process with the signing secret can make it
 * again.
 */
export interface CallbackTokens {
  /** Returns the path of a callback URL, such as `/callbacks/fal/img_….3.<signature>`. */
  sign(claim: CallbackClaim): string;
  /** Reads a token. @returns the claim; `forged` if the signature is wrong, `malformed` if it can be no token */
  verify(engine: string, token: string): CallbackClaim | 'forged' | 'malformed';
}

const TOKEN = new RegExp(`^(${TASK_ID})\\.(\\d{1,15})\\.([\\w-]{43})$`);

/**
 * Creates and verifies the tokens of callback URLs.
 * @param secrets returns the secrets that sign now and are accepted
 */
export function createCallbackTokens(secrets: () => ReturnType<Kernel['accounts']['signingSecret']>): CallbackTokens {
  return {
    sign(claim) {
      const { engine, taskId, fence } = claim;
      return `/callbacks/${encodeURIComponent(engine)}/${taskId}.${fence}.${signatureOf(claim, secrets().signing)}`;
    },
    verify(engine, token) {
      const [, taskId, fence, signature] = TOKEN.exec(token) ?? [];
      if (taskId === undefined || signature === undefined) return 'malformed';
      const claim: CallbackClaim = { engine, taskId, fence: Number(fence) };
      const found = Buffer.from(signature);
      const isSigned = (secret: string) => timingSafeEqual(Buffer.from(signatureOf(claim, secret)), found);
      // All are compared, so that the duration reveals nothing.
      return secrets().accepted.filter(isSigned).length > 0 ? claim : 'forged';
    },
  };
}

/** Signs a claim. File URLs are signed with the same secret, but their texts have a line break. */
function signatureOf({ engine, taskId, fence }: CallbackClaim, secret: string): string {
  return createHmac('sha256', secret).update(`callback:${engine}:${taskId}:${fence}`).digest('base64url');
}
