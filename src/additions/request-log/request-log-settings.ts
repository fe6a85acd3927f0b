import { defineSettings } from '../../service/config/settings.ts';
import { oneOf } from '../../service/config/variable-types.ts';

/** The kinds of requests that the request log keeps. */
export const REQUEST_LOG_SETTINGS = defineSettings({
  variables: {
    DARKROOM_REQUEST_LOG: oneOf(
      ['all', 'changes', 'failures', 'off'],
      'Which requests the [request log](operating.md#see-what-a-key-sent) keeps: `changes` leaves out successful reads, `failures` keeps errors only.',
      'changes',
    ),
  },
  read: ({ DARKROOM_REQUEST_LOG: kept }) => kept,
});
