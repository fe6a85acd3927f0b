import { failed } from './endings.ts';
import { type EventRows, IMPOSSIBLE } from './row.ts';

/** The decision about an order that waited for others. Nobody has claimed it. */
export const PARENTS_ENDED: EventRows<'parents_ended'> = {
  ...IMPOSSIBLE,
  blocked: [
    {
      when: 'a parent cannot be used, or the order cannot be made of what its parents became',
      does: 'settle',
      how: ({ event: { outlook } }) => ('failure' in outlook ? failed(outlook.failure) : null),
    },
    {
      when: 'otherwise',
      does: 'release',
      how: ({ event: { outlook } }) => {
        if ('failure' in outlook) throw new Error('an order that fails is settled');
        return { release: outlook };
      },
    },
  ],
};
