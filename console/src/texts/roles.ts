/** What people may do in an account, or as operators. */
export const roleWords = {
  viewer: 'Viewer',
  finance: 'Finance',
  creator: 'Creator',
  manager: 'Manager',
  operator: 'Operator',
  owner: 'Owner',
} as const;
