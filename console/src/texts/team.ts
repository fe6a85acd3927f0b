/** Texts of the page of people, their roles and the orders of an account. */
export const teamTexts = {
  roles: {
    viewer: 'Viewer',
    finance: 'Finance',
    creator: 'Creator',
    manager: 'Manager',
    operator: 'Operator',
    owner: 'Owner',
  },
  noRole: 'None',
  members: {
    remove: 'Remove',
    failed: 'Could not be changed',
    unknown: 'It is not known whether it was changed',
  },
  knownKeys: {
    revokeOf: (name: string) => `Revoke the key ${name}`,
  },
  limits: {
    title: (name: string) => `Limits of ${name}`,
    submit: 'Save',
    failed: 'The limits were not changed',
  },
  removal: {
    submit: 'Remove permanently',
    failed: 'The person was not removed',
    unknown: 'It is not known whether the person was removed',
  },
  people: {
    endOf: (name: string) => `Sign out: ${name}, everywhere`,
  },
  invite: {
    title: 'Invite somebody',
    submit: 'Create the link',
    failed: 'Could not invite',
    unknown: 'It is not known whether the invitation was made',
  },
} as const;
