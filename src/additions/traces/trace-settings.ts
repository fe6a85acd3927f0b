import { Type } from 'typebox';
import { defineSettings } from '../../service/config/settings.ts';
import { text } from '../../service/config/variable-types.ts';

/** The URL that traces and metrics are sent to, without a slash at the end; null = nowhere. */
export const TRACE_SETTINGS = defineSettings({
  variables: {
    OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
      text(
        {
          expected: 'a URL such as http://127.0.0.1:4318',
          description:
            'The [OpenTelemetry](operating.md#traces) collector that gets traces and metrics. Its other `OTEL_…` variables are read from the environment of the process. Unset: nothing is traced.',
        },
        (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
      ),
    ),
  },
  read: ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }) => endpoint?.replace(/\/+$/, '') ?? null,
});
