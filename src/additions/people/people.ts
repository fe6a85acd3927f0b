import type { Addition } from '../../service/addition.ts';
import { addLoginCommands } from './cli/login-command.ts';
import { PEOPLE_TABLES } from './people-tables.ts';

/** People who sign in with the account of their company, and what they may do. */
export const PEOPLE: Addition = {
  name: 'people',
  tables: PEOPLE_TABLES,
  commands: addLoginCommands,
  async http({ config }, closers) {
    const [routes, { PEOPLE_OPERATIONS }, wire, { mayCall }] = await Promise.all([
      import('./people-http.ts'),
      import('./people-operations.ts'),
      import('./people-wire.ts'),
      import('./access/permission-table.ts'),
    ]);
    const { AccountTask, Invitation, IssuedInvitation, Member, MemberDeletion, Person } = wire;
    return {
      mount: (scope, { options }) => routes.consoleSignIn(scope, config, options, closers),
      v1: routes.accountRoutes,
      admin: routes.operatorRoutes,
      operations: PEOPLE_OPERATIONS,
      section: ['People', 'For people who sign in: the members, the keys and the orders of their account.'],
      components: [Person, Member, MemberDeletion, Invitation, IssuedInvitation, AccountTask],
      pages: [{ name: 'roles', title: 'Roles', behind: 'operating' }],
      mayCall,
    };
  },
};
