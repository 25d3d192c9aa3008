import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span as ApiSpan } from '@opentelemetry/api'
import type { Logger } from 'pino'
import { useTracer, type OpenSpan, type SpanStart } from '../lib/tracing.ts'
import { reportingExporter } from './reporting-exporter.ts'

export interface TracingOptions {
  /** The base URL of an OTLP receiver. Spans are sent to its path `/v1/traces`. */
  readonly endpoint: string
  readonly serviceName: string
  readonly serviceVersion: string
  readonly log: Pick<Logger, 'warn'>
}

export interface Tracing {
  /** Sends the remaining spans, and gives up after two seconds. */
  close(): Promise<void>
}

const closeMs = 2000

/** Traces the process and sends its spans to an OTLP receiver over HTTP. The libraries are loaded here, so only if tracing is configured. */
export async function openTracing({ endpoint, serviceName, serviceVersion, log }: TracingOptions): Promise<Tracing> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const { trace, ROOT_CONTEXT, SpanKind, SpanStatusCode } = api
  const exporter = reportingExporter(new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` }), log)
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': serviceVersion }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  })
  const tracer = provider.getTracer('groundwork', serviceVersion)
  const current = new AsyncLocalStorage<Context>()
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER }

  /** Returns the context of a `traceparent`; null if it is invalid (https://www.w3.org/TR/trace-context/). */
  function remote(traceparent: string): Context | null {
    const [, traceId = '', spanId = '', flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? []
    const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
    return api.isSpanContextValid(context) ? trace.setSpanContext(ROOT_CONTEXT, context) : null
  }

  function begin({ name, kind, attributes = {}, parent, link }: SpanStart): OpenSpan {
    const cause = link === undefined ? null : remote(link)
    const within = link === undefined ? (current.getStore() ?? ROOT_CONTEXT) : ROOT_CONTEXT
    const context = (parent === undefined ? null : remote(parent)) ?? within
    const linked = cause === null ? undefined : trace.getSpanContext(cause)
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes, links: linked === undefined ? [] : [{ context: linked }] },
      context,
    )
    return {
      set: (key, value) => void span.setAttribute(key, value),
      rename: (next) => void span.updateName(next),
      fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
      traceparent: traceparentOf(span),
      within: (fn) => current.run(trace.setSpan(context, span), fn),
      end: () => span.end(),
    }
  }

  useTracer({ begin, isInSpan: () => current.getStore() !== undefined })
  return {
    async close() {
      useTracer(null)
      const timeout = new Promise((resolve) => setTimeout(resolve, closeMs).unref())
      // The exporter has reported a failure of the last spans.
      await Promise.race([provider.shutdown().catch(() => undefined), timeout])
    },
  }
}

function traceparentOf(span: ApiSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}
