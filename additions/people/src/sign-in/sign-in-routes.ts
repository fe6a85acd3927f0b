import { hash, timingSafeEqual } from 'node:crypto';
import { reasonOf, ServiceError } from '@darkroom-service/contract';
import { closedObject } from '@darkroom-service/contract/parts';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { readOffer } from '../members/invitations.ts';
import type { PeopleParts } from '../people-parts.ts';
import { ProviderFault } from '../provider/provider-fault.ts';
import { LONGEST_MS } from '../session/sessions.ts';
import { admitPerson, nameOf, rolesOf } from './admit-person.ts';
import { fieldOf } from './forms.ts';
import { requireOwnPage } from './own-page.ts';
import { sendSignInPage } from './sign-in-page.ts';
import {
  cookieOf,
  openState,
  openVouchedFor,
  readPage,
  SIGN_IN_SECONDS,
  type SignInState,
  sealState,
  sealVouchedFor,
  type VouchedFor,
} from './sign-in-state.ts';

/** Maximum number of current sign-ins of one browser. */
const MOST_SIGN_INS = 8;

const BeginQuery = closedObject({
  page: Type.Optional(Type.String({ maxLength: 200 })),
  invitation: Type.Optional(Type.String({ pattern: '^[\\w-]{43}$' })),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  state: Type.Optional(Type.String({ pattern: '^[\\w-]{20,100}$' })),
  challenge: Type.Optional(Type.String({ pattern: '^[\\w-]{43}$' })),
});

/**
 * Serves the redirects to the provider and back. A failed sign-in is reported on a page, never by a redirect elsewhere.
 */
export function signInRoutes(app: App, parts: PeopleParts): void {
  const { kernel, options, cookies } = parts;
  const { publicUrl } = options;
  const { clock, log, store } = kernel;

  app.get('/console/sign-in', { schema: { hide: true, querystring: BeginQuery } }, async (request, reply) => {
    try {
      const { page, invitation = null, port, state, challenge } = request.query;
      const provider = await parts.provider();
      const { url, checks } = await provider.begin();
      const isCommandLine = port !== undefined && state !== undefined && challenge !== undefined;
      const kept: SignInState = {
        ...checks,
        page: readPage(page),
        invitation,
        commandLine: isCommandLine ? { port, state, challenge } : null,
        expiresAt: clock.now() + SIGN_IN_SECONDS * 1000,
      };
      for (const name of cookies.signIns(request).slice(0, 1 - MOST_SIGN_INS)) cookies.set(reply, name, '', 0);
      cookies.set(reply, cookieOf(kept.state), sealState(await parts.vault(), kept), SIGN_IN_SECONDS);
      return await reply.header('cache-control', 'no-store').redirect(url.href, 302);
    } catch (error) {
      return await failed(reply, error);
    }
  });

  app.get('/console/callback', { schema: { hide: true } }, async (request, reply) => {
    const answer = new URL(`${publicUrl}/console/callback`);
    answer.search = request.raw.url?.split('?', 2)[1] ?? '';
    const state = answer.searchParams.get('state') ?? '';
    try {
      const kept = await begun(request, state);
      // It is used up in any case. Only a page that asks needs it once more.
      if (kept.invitation === null) cookies.set(reply, cookieOf(state), '', 0);
      const provider = await parts.provider();
      const signedIn = await provider.finish(answer, kept);
      const vouchedFor = { state, signedIn, at: clock.now() };
      if (kept.invitation !== null) return await askToJoin(reply, kept.invitation, vouchedFor);
      return await admit(reply, kept, vouchedFor);
    } catch (error) {
      return await failed(reply, error);
    }
  });

  app.post('/console/invitation', { schema: { hide: true } }, async (request, reply) => {
    try {
      requireOwnPage(request, publicUrl);
      const vouchedFor = openVouchedFor(await parts.vault(), fieldOf(request, 'answer'));
      if (vouchedFor === null) throw notBegun();
      const kept = await begun(request, vouchedFor.state);
      cookies.set(reply, cookieOf(kept.state), '', 0);
      return await admit(reply, kept, vouchedFor);
    } catch (error) {
      return await failed(reply, error);
    }
  });

  /** Returns the sign-in that this browser has begun. @throws ServiceError `forbidden` */
  async function begun(request: FastifyRequest, state: string): Promise<SignInState> {
    const kept = openState(await parts.vault(), cookies.read(request, cookieOf(state)), clock.now());
    if (kept === null || !isSame(state, kept.state)) throw notBegun();
    return kept;
  }

  async function admit(reply: FastifyReply, kept: SignInState, vouchedFor: VouchedFor): Promise<FastifyReply> {
    const { commandLine, invitation } = kept;
    const challenge = commandLine?.challenge ?? null;
    const { secret, name } = await admitPerson(parts, vouchedFor, { invitation, challenge });
    if (commandLine !== null) return await letIn(reply, commandLine, secret, name);
    cookies.set(reply, 'session', secret, LONGEST_MS / 1000);
    return await reply.header('cache-control', 'no-store').redirect(`${publicUrl}/#${kept.page}`, 303);
  }

  /**
   * Asks for a click, so that no other page makes somebody a member of an account unnoticed. Nothing is stored before
   * it.
   */
  async function askToJoin(reply: FastifyReply, token: string, vouchedFor: VouchedFor): Promise<FastifyReply> {
    const { signedIn, at } = vouchedFor;
    rolesOf(parts, signedIn);
    const { account, role, invitedBy } = await readOffer(store.read, token, signedIn, at);
    const name = nameOf(signedIn);
    const you = signedIn.email === null || signedIn.email === name ? name : `${name} (${signedIn.email})`;
    const where = account === null ? 'the operators of this service' : `the account ${account.name} (${account.id})`;
    return await sendSignInPage(reply, 200, {
      title: `Join ${account === null ? 'the operators' : account.name} as ${role}?`,
      text: `You are ${you}. ${invitedBy} invites you to ${where}, as ${role}. What you order in an account is seen by its other members. Accept only if you expected this.`,
      form: {
        action: `${publicUrl}/console/invitation`,
        field: 'answer',
        value: sealVouchedFor(await parts.vault(), vouchedFor),
        submit: `Join as ${role}`,
      },
      link: { href: `${publicUrl}/console/sign-in`, text: 'Sign in without joining' },
    });
  }

  /** Asks for a click, so that no other page signs in a command line unnoticed. */
  async function letIn(
    reply: FastifyReply,
    { port, state }: NonNullable<SignInState['commandLine']>,
    code: string,
    name: string,
  ): Promise<FastifyReply> {
    return await sendSignInPage(reply, 200, {
      title: 'Let the command line in?',
      text: `A command line on this computer wants to work here as ${name}. Continue only if you have just typed "darkroom login".`,
      link: {
        href: `http://127.0.0.1:${port}/?${new URLSearchParams({ code, state })}`,
        text: `Continue as ${name}`,
      },
    });
  }

  async function failed(reply: FastifyReply, error: unknown): Promise<FastifyReply> {
    if (!(error instanceof ServiceError) && !(error instanceof ProviderFault)) throw error;
    const isAway = error instanceof ProviderFault && error.kind === 'away';
    const status = error instanceof ServiceError ? error.status : isAway ? 503 : 403;
    if (error instanceof ProviderFault)
      log.warn(
        { kind: error.kind, reason: reasonOf(error.cause ?? error), ...(error.issuers ?? {}) },
        'sign-in failed',
      );
    const advice = isAway ? ' Try again in a moment, or sign in with an API key.' : '';
    return await sendSignInPage(reply, status, {
      title: 'You are not signed in',
      text: `${error.message}${advice}`,
      link: { href: `${publicUrl}/#/sign-in`, text: 'Back to the sign-in page' },
    });
  }
}

function notBegun(): ServiceError {
  return new ServiceError(
    'forbidden',
    'This browser has not begun this sign-in, or took longer than ten minutes. Begin again.',
  );
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
