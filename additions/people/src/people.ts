import { type Addition, type Config, ConfigFault } from '@darkroom-service/darkroom/kernel';
import { isLoopback } from '@darkroom-service/media';
import { addInvitationsCommand } from './cli/invitations-command.ts';
import { addLoginCommands } from './cli/login-command.ts';
import { PEOPLE_SETTINGS } from './people-settings.ts';
import { PEOPLE_TABLES } from './people-tables.ts';

/** @throws ConfigFault if browsers would not keep the cookie of a session */
function checkPublicUrl({ of, publicUrl, host }: Pick<Config, 'host' | 'of' | 'publicUrl'>): void {
  const url = new URL(publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}`);
  if (of(PEOPLE_SETTINGS).provider === null || url.protocol === 'https:' || isLoopback(url.hostname)) return;
  const message = 'expected a URL with https, or one of this machine, for people to sign in with DARKROOM_OIDC_ISSUER';
  throw new ConfigFault([{ variable: 'DARKROOM_PUBLIC_URL', message }]);
}

/** People who sign in with the account of their company, and their rights. */
export const PEOPLE: Addition = {
  name: 'people',
  settings: PEOPLE_SETTINGS,
  tables: PEOPLE_TABLES,
  hooks: {
    personalTables: [
      { table: 'people', personColumn: 'id' },
      { table: 'memberships', personColumn: 'person_id' },
      { table: 'person_keys', personColumn: 'person_id' },
      { table: 'person_sessions', personColumn: 'person_id', hidden: ['hash', 'tokens_sealed'] },
      { table: 'invitations', personColumn: 'invited_by', emailColumn: 'email', hidden: ['hash'] },
    ],
  },
  commands(program) {
    addLoginCommands(program);
    addInvitationsCommand(program);
  },
  checkSettings: checkPublicUrl,
  checks: [
    { name: 'sign-in', run: async (question) => (await import('./diagnose-people.ts')).diagnosePeople(question) },
  ],
  open: (kernel, closers) => ({
    async http(serving) {
      const [routes, { PEOPLE_OPERATIONS }, wire, { logAdminKeyUse }] = await Promise.all([
        import('./people-http.ts'),
        import('./people-operations.ts'),
        import('./people-wire.ts'),
        import('./session/log-admin-key-use.ts'),
      ]);
      const { AccountTask, Invitation, IssuedInvitation, Member, MemberDeletion, Person, RemovedPerson } = wire;
      return {
        mount: (scope, { options }) => routes.consoleSignIn(scope, serving, options, closers),
        v1: (v1) => routes.accountRoutes(v1, serving),
        admin: (admin) => routes.operatorRoutes(admin, serving),
        operations: PEOPLE_OPERATIONS,
        section: ['People', 'For people who sign in: the members, the keys and the orders of their account.'],
        components: [Person, RemovedPerson, Member, MemberDeletion, Invitation, IssuedInvitation, AccountTask],
        pages: [{ name: 'roles', title: 'Roles', behind: 'operating' }],
        ...(kernel.settings.of(PEOPLE_SETTINGS).provider === null ? {} : { adminKeyUsed: logAdminKeyUse(kernel) }),
      };
    },
  }),
};
