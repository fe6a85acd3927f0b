import { ACCOUNT_ID, canonicalName } from '@darkroom-service/contract';
import { ConfigFault, defineSettings, list, text } from '@darkroom-service/darkroom/kernel';
import { isLoopback } from '@darkroom-service/media';
import { Type } from 'typebox';

const RULE = new RegExp(`^[^=,][^,]*=(?:(?:viewer|finance|creator|manager)@${ACCOUNT_ID}|operator|owner)$`);

const VARIABLES = {
  DARKROOM_OIDC_ISSUER: Type.Optional(
    text(
      {
        expected: 'an https URL such as https://login.example.com/realms/studio',
        description:
          'The OpenID Connect provider that [people sign in](roles.md) with. It may be at a private address; `http` only on this machine.',
      },
      isIssuer,
    ),
  ),
  DARKROOM_OIDC_CLIENT_ID: Type.Optional(
    text({ expected: 'a text', description: 'The id that the provider gave this service as a client.' }),
  ),
  DARKROOM_OIDC_CLIENT_SECRET: Type.Optional(
    text({ expected: 'a text', secret: true, description: 'Its secret. Unset: a public client, with PKCE.' }),
  ),
  DARKROOM_OIDC_DOMAINS: list(/^[a-z0-9.-]+\.[a-z0-9-]+$/, {
    expected: 'domains such as example.com, in lower case',
    description: 'Whose verified email addresses may sign in. Unset: everybody whom groups or an invitation admit.',
    default: '',
  }),
  DARKROOM_OIDC_GROUPS_CLAIM: Type.Optional(
    text(
      {
        expected: 'the name of a claim, of at most 200 characters',
        description:
          'The claim with the groups, such as `roles`, `cognito:groups` or `https://acme.example/roles`; `realm_access.roles` is `roles` within `realm_access`, unless a claim has that whole name. Unset: `groups`.',
      },
      (value) => value.length <= 200,
    ),
  ),
  DARKROOM_OIDC_ROLES: list(RULE, {
    expected: 'rules such as designers=creator@studio,support=operator',
    description: 'The role that each group of the provider has: in an account, or as `operator` or `owner`.',
    default: '',
  }),
} as const;

/** A rule that gives the members of a provider's group a role. */
export interface RoleRule {
  readonly group: string;
  readonly role: string;
  /** Account; null: the role of an operator. */
  readonly accountId: string | null;
}

export interface PeopleConfig {
  /** Provider; null: people sign in with keys only. */
  readonly provider: {
    readonly issuer: string;
    readonly clientId: string;
    /** Secret of the client; null: a public client. */
    readonly clientSecret: string | null;
  } | null;
  /** Name of the claim with the groups. */
  readonly groupsClaim: string;
  /** Domains of email addresses that may sign in; empty: all. */
  readonly domains: readonly string[];
  readonly rules: readonly RoleRule[];
}

/** The sign-in of people with a provider. */
export const PEOPLE_SETTINGS = defineSettings({
  variables: VARIABLES,
  read(values): PeopleConfig {
    const { DARKROOM_OIDC_ISSUER: issuer, DARKROOM_OIDC_CLIENT_ID: clientId } = values;
    if (issuer !== undefined && clientId === undefined) {
      const message = 'expected the id that the provider at DARKROOM_OIDC_ISSUER gave this service';
      throw new ConfigFault([{ variable: 'DARKROOM_OIDC_CLIENT_ID', message }]);
    }
    const provider =
      issuer === undefined || clientId === undefined
        ? null
        : {
            issuer,
            clientId,
            clientSecret: values.DARKROOM_OIDC_CLIENT_SECRET ?? null,
          };
    const groupsClaim = values.DARKROOM_OIDC_GROUPS_CLAIM ?? 'groups';
    return {
      provider,
      groupsClaim,
      domains: values.DARKROOM_OIDC_DOMAINS,
      rules: values.DARKROOM_OIDC_ROLES.map(readRule),
    };
  },
});

/** Parses `group=role@account`, or `group=operator`. */
function readRule(rule: string): RoleRule {
  const [group, grant] = splitLast(rule, '=');
  const [role, accountId] = grant.split('@');
  return { group: canonicalName(group), role: role ?? '', accountId: accountId ?? null };
}

/** Splits a text at the last separator, since names of groups may contain it. */
function splitLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Rejects parts that no issuer's address has: user and password, a query and a fragment. */
function isIssuer(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || url.username + url.password + url.search + url.hash !== '') return false;
  const isNear = url.protocol === 'http:' && isLoopback(url.hostname.replace(/[[\]]/g, ''));
  return isNear || value.startsWith('https://');
}
