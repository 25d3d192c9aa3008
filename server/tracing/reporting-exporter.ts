import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Logger } from 'pino'

/** Minimum time between two lines of the log about spans that could not be sent. */
const logPauseMs = 60_000

/** Returns an exporter that logs failures. Spans that cannot be sent are lost; requests and jobs do not notice. */
export function reportingExporter(exporter: SpanExporter, log: Pick<Logger, 'warn'>, now = Date.now): SpanExporter {
  let loggedAt = -Infinity
  let lost = 0
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        if (result.code !== 0) {
          lost += spans.length
          if (now() - loggedAt >= logPauseMs) {
            log.warn({ reason: result.error?.message, spans: lost }, 'traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT')
            loggedAt = now()
            lost = 0
          }
        }
        onResult(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
