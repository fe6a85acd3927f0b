import type { Slip } from './slip.ts';

/** Slips that only `npm run slips -- --lives` tries. */
export const LIVED: readonly Slip[] = [
  {
    id: 'L2',
    severity: 1,
    promise: 'followers are told of a cancel',
    file: 'src/tasks/settle-task.ts',
    change: ['  await tellEnd(', "  if (ending.status !== 'canceled') await tellEnd("],
    tests: [],
    lives: 500,
  },
  {
    id: 'L3',
    severity: 2,
    promise: 'what an order does not cost is given back to the meter of its key once',
    file: 'src/tasks/settle-task.ts',
    change: [
      'countRelease(trx, ended, ended.price - charged);',
      'countRelease(trx, ended, 2 * (ended.price - charged));',
    ],
    tests: [],
    lives: 500,
  },
  {
    id: 'L5',
    severity: 1,
    promise: 'a deleted order says nothing of what it was',
    file: 'src/tasks/erase-task.ts',
    change: ["request_json: '{}',", ''],
    tests: [],
    lives: 500,
  },
  {
    id: 'L6',
    severity: 1,
    promise: 'an order that an upstream may have is not taken back',
    file: 'src/worker/decide/restart.ts',
    change: ['if: ({ facts }) => facts.engine?.isFree === true,', 'if: () => true,'],
    tests: [],
    lives: 500,
  },
  {
    id: 'L9',
    severity: 1,
    promise: 'an order that its upstream makes is not told as canceled before that has stopped it',
    file: 'src/orders/cancel-task.ts',
    change: ['if (isNobodys(task)) {', "if (task.status === 'queued' || task.status === 'processing') {"],
    tests: [],
    lives: 500,
  },
];
