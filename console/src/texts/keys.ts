import { locale } from './locale.ts';

/** Texts of keys and accounts. */
export const keysTexts = {
  keys: {
    title: 'Keys',
    found: (count: number) => (count === 1 ? '1 key' : `${count.toLocaleString(locale)} keys`),
    pages: { label: 'Pages of keys', previous: 'Previous page', next: 'Next page', page: (n: number) => `Page ${n}` },
    modes: { test: 'Test', live: 'Live', admin: 'Admin' },
    limits: {
      models: (patterns: string) => `models ${patterns}`,
      rpm: (count: number) => `${count.toLocaleString(locale)} orders/min`,
      concurrency: (count: number) => `${count.toLocaleString(locale)} at once`,
      day: (amount: string) => `${amount} a day`,
      month: (amount: string) => `${amount} a month`,
      total: (amount: string) => `${amount} in total`,
      endUser: (amounts: string) => `each end user ${amounts}`,
    },
  },
  newKey: {
    title: 'New key',
    mode: 'Mode',
    modes: {
      test: ['Test', 'Drawings in place of every model; nothing is charged'],
      live: ['Live', 'The models’ real engines, charged to the account'],
      admin: ['Admin', 'Manages accounts, keys and engines; cannot order'],
    },
    submit: 'Create the key',
    failed: 'The key was not created',
    unknown: 'It is not known whether the key was created',
  },
  settings: {
    name: 'Name',
    namePlaceholder: 'shop backend',
    expires: 'Expires',
    expiresHint: 'Your local time. Empty: never',
    models: 'Models',
    modelsHint: 'Patterns with commas, such as flux-*, sketch. Empty: every model',
    spend: 'Spend limits',
    endUser: 'Limits of each end user without its own',
    day: 'a day',
    month: 'a month',
    total: 'in total',
    dollars: 'empty: no limit',
    rates: 'Rates',
    rpm: 'Orders/min',
    readRpm: 'Reads/min',
    concurrency: 'At once',
    queue: 'In the queue',
    zero: '0: no limit',
    approveOver: 'Ask a person above',
    approveOverHint: 'For orders of agents through MCP. Empty: as the service is set',
    accountView: 'Can see the usage and ledger of the whole account',
  },
  edit: {
    title: (name: string) => `Edit ${name}`,
    text: 'A change applies within five seconds. Orders that were placed before keep their price and their place.',
    submit: 'Save',
    failed: 'The key was not changed',
    done: (name: string) => `${name} is changed.`,
  },
  rotation: {
    title: (name: string) => `New secret for ${name}`,
    text: 'Its tasks and limits stay. Choose how long the old secret keeps working, so that your program can switch.',
    grace: 'The old secret works for',
    graces: [
      { value: '0', label: 'No time: stop it now' },
      { value: '3600', label: 'An hour' },
      { value: '86400', label: 'A day' },
      { value: '604800', label: 'A week' },
    ],
    submit: 'Rotate',
    failed: 'The key was not rotated',
    unknown: 'It is not known whether the key was rotated',
    lost: 'The key was rotated, but its new secret was lost with the answer',
    again: 'Rotate again',
  },
  revocation: {
    title: (name: string) => `Revoke ${name}?`,
    text: 'The key stops working within five seconds, permanently. Its tasks belong only to it, so nobody can access them afterwards.',
    lost: (count: number) =>
      count === 0
        ? 'It has no tasks.'
        : count === 1
          ? '1 task can no longer be accessed.'
          : `${count.toLocaleString(locale)} tasks can no longer be accessed.`,
    textInAccount: 'The key stops working within five seconds, permanently. Its orders stay with the account.',
    notCounted: 'Its tasks could not be counted',
    submit: 'Revoke permanently',
    failed: 'The key was not revoked',
    unknown: 'It is not known whether the key was revoked',
    doneInAccount: (name: string) => `${name} is revoked.`,
    done: (count: number) =>
      count === 0
        ? 'The key is revoked. It had no tasks.'
        : `The key is revoked. ${count.toLocaleString(locale)} of its tasks can no longer be accessed.`,
  },
  accounts: {},
  marking: {
    settings: {
      default: 'As the service is set',
      off: 'None',
      metadata: 'Metadata (XMP)',
      c2pa: 'Signed manifest (C2PA)',
    },
    submit: 'Save',
    failed: 'The marking was not changed',
  },
  signing: {
    title: 'Rotate the signing secrets',
    submit: 'Rotate',
    failed: 'The signing secrets were not rotated',
    unknown: 'It is not known whether the signing secrets were rotated',
  },
  newAccount: {
    title: 'New account',
    id: 'Id',
    idHint: 'Lower-case letters, digits, - and _. It cannot be changed. Empty: generated',
    name: 'Name',
    limit: 'Payment',
    limits: { prepaid: 'In advance', credit: 'Later, up to', unlimited: 'Later, without limit' },
    amount: 'Credit limit in dollars',
    submit: 'Create the account',
    failed: 'The account was not created',
  },
  change: {
    title: (name: string) => `Terms of ${name}`,
    hidden: 'Hidden models',
    hiddenHint: 'Patterns with commas, such as veo-*. This account cannot see them',
    rules: 'Price rules',
    rulesHint: 'One per line: pattern and factor, such as flux-* 0.9. The first matching rule applies',
    rulesFault: 'Each line is a pattern and a factor, such as: flux-* 0.9',
    submit: 'Save',
    failed: 'The terms were not changed',
  },
  credit: {
    title: (name: string) => `Credit ${name}`,
    submit: 'Credit',
    failed: 'Nothing was credited',
    unknown: 'It is not known whether it was credited',
    doneBefore: (name: string, balance: string, when: string) =>
      `${name} now has ${balance}. Your press at ${when} had credited it, and it was not credited again.`,
    done: (name: string, balance: string) => `${name} now has ${balance}.`,
  },
} as const;
