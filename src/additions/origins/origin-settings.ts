import { defineSettings } from '../../service/config/settings.ts';
import { oneOf } from '../../service/config/variable-types.ts';

/** The circle of those who may learn that this service made a file. */
export const ORIGIN_SETTINGS = defineSettings({
  variables: {
    DARKROOM_PROVENANCE_LOOKUP: oneOf(
      ['owner', 'public'],
      'Who learns from `/v1/provenance` that this service made a file: `owner`: its account. `public`: everybody learns that and when, without a key.',
      'owner',
    ),
  },
  read: ({ DARKROOM_PROVENANCE_LOOKUP: lookup }) => lookup,
});
