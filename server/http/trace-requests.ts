import type { FastifyInstance, FastifyRequest } from 'fastify'
import { currentTracer, type OpenSpan } from '../lib/tracing.ts'

/** Frequent requests of monitoring. */
const untraced = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Runs each request in a span, which continues the `traceparent` of the request. Must be the first hook of the server. Tracing is
 * opened before the server is; without it, requests pass no hook.
 */
export function traceRequests(app: FastifyInstance): void {
  const tracer = currentTracer()
  if (tracer === null) return
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url
    if (untraced.has(route ?? '')) return done()
    const { traceparent } = request.headers
    const attributes = { 'http.request.method': request.method, 'groundwork.request_id': request.id, ...(route && { 'http.route': route }) }
    const name = route === undefined ? request.method : `${request.method} ${route}`
    const span = tracer.begin({ name, kind: 'server', attributes, parent: typeof traceparent === 'string' ? traceparent : undefined })
    spans.set(request, span)
    span.within(done)
  })
  // The events of a body belong to the connection, which may have been opened in the context of another request.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span === undefined) done()
    else span.within(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.set('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.fail()
    span?.end()
    done()
  })
}
