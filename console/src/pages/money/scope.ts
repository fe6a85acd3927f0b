export type Scope = 'key' | 'account';
