import { answersRecord, changedRecord, createdPath, isRecord, takesIdempotencyKey, type Api, type Route } from '@groundwork/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { Context, Platform, SessionContext, PublicContext } from '../context.ts'
import { WithHeaders, type Bytes, type Handlers, type SentFile } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'
import { issueMessage, queryIssueMessage } from '../lib/issue-message.ts'
import { schemaError } from '../lib/schema-error.ts'
import type { Limits } from '../limits/limits.ts'
import type { Authenticate } from '../tokens/authenticator.ts'
import { prefersPlainText } from './accept.ts'
import { admitSession, admitter, identifier, publicContext, type Admit, type Identify } from './admit.ts'
import { etagOf, noneMatchNames } from './etag.ts'
import { sendFile } from './file.ts'
import { safely } from './safely.ts'
import { sendStream, streamSlots, type BeginStream } from './stream.ts'

type AnyHandler = (ctx: PublicContext | SessionContext | Context, input: unknown) => Promise<unknown>

/** Serves every route of the table: who asks and what they may, schemas in, verb, reply cut to its schema. */
export function mount<A extends Api>(
  app: FastifyInstance,
  api: A,
  handlers: Handlers<A>,
  platform: Platform,
  authenticate: Authenticate,
  limits: Limits,
): void {
  const beginStream = streamSlots(app)
  const identify = identifier(platform, authenticate)
  const admit = admitter(platform, limits)
  for (const [resource, verbs] of Object.entries(api)) {
    for (const [verb, route] of Object.entries(verbs)) {
      const handle = handlerOf(handlers, resource, verb)
      const changed = changedRecord(api, route)
      const served: Served = {
        route,
        handle,
        answersRecord: answersRecord(api, route),
        changed: changed && { route: changed.route, handle: handlerOf(handlers, changed.resource, changed.verb) },
      }
      if (route.bytes) app.register(async (scope) => mountRoute(takingBytes(scope), served, platform, { identify, admit, beginStream }))
      else mountRoute(app, served, platform, { identify, admit, beginStream })
    }
  }
}

interface Served {
  route: Route
  handle: AnyHandler
  answersRecord: boolean
  /** The route that answers the record which this one changes. */
  changed: { route: Route; handle: AnyHandler } | undefined
}

/** Hands on every body as it arrives, JSON also: a file may well be JSON. */
function takingBytes(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  return scope
}

/** `Handlers<A>` has a function under every name of the table; the loop over names cannot see which. */
function handlerOf(handlers: object, resource: string, verb: string): AnyHandler {
  return (handlers as Record<string, Record<string, AnyHandler>>)[resource]?.[verb] as AnyHandler
}

function mountRoute(
  app: FastifyInstance,
  { route, handle, answersRecord: tagged, changed }: Served,
  platform: Platform,
  { identify, admit, beginStream }: { identify: Identify; admit: Admit; beginStream: BeginStream },
): void {
  const read = reader(route)
  const readChanged = changed && reader(changed.route)
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request, reply) => {
      if (route.scope === 'public') return
      if (route.scope === 'session') request.signedIn = await admitSession(request, platform)
      else request.ctx = await admit(request, reply, await identify(request), route.scope)
    },
    handler: async (request, reply) => {
      const { reply: schema } = route
      const visit = (): PublicContext => request.signedIn ?? publicContext(request, platform)
      if (route.stream && schema !== undefined) {
        const records = await handle(request.ctx ?? visit(), { ...read(request), stream: beginStream(request, reply) })
        const admitted = (): Promise<boolean> => mayUse(identify, route, request)
        return sendStream(reply.code(route.status), streamed(records), (record) => cut(schema, record), admitted)
      }
      const input = read(request)
      if (route.file) return sendFile(request, reply, fileIn(await handle(request.ctx ?? visit(), input)))
      const current =
        changed && readChanged && (async (own: Context) => finished(changed.route, await changed.handle(own, readChanged(request))))
      const work = async (own: PublicContext | Context): Promise<WithHeaders<unknown>> => finished(route, await handle(own, input))
      const { ctx } = request
      const answer = await (ctx === undefined
        ? work(visit())
        : safely(request, reply, ctx, { idempotent: takesIdempotencyKey(route), current }, work))
      reply.code(route.status).headers(answer.headers)
      const location = locationOf(route, request, answer.body)
      if (location !== undefined) reply.header('Location', location)
      if (schema === undefined) return reply.send()
      if (route.plain !== undefined) {
        reply.header('Vary', 'Accept')
        if (prefersPlainText(request.headers.accept ?? '')) {
          return reply.type('text/plain; charset=utf-8').send(textIn(answer.body, route.plain))
        }
      }
      const text = JSON.stringify(answer.body)
      if (tagged) {
        const etag = etagOf(text)
        reply.header('ETag', etag)
        if (isRecord(route) && noneMatchNames(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
      }
      return reply.type('application/json; charset=utf-8').send(text)
    },
  })
}

/** The answer as it is sent: its body cut to the schema. */
function finished(route: Route, answer: unknown): WithHeaders<unknown> {
  const { body, headers } = answer instanceof WithHeaders ? answer : new WithHeaders(answer, {})
  return new WithHeaders(route.reply === undefined ? undefined : cut(route.reply, body), headers)
}

/** Whether who opened a stream may still read it: the token may have been revoked meanwhile, the session ended. */
const mayUse = (identify: Identify, route: Route, request: FastifyRequest): Promise<boolean> =>
  identify(request).then(
    ({ actor }) => actor.scopes.some((scope) => scope === route.scope),
    () => false,
  )

/** The path of what was created, also where the answer is a kept one. */
function locationOf(route: Route, { params }: FastifyRequest, body: unknown): string | undefined {
  const values: Record<string, string | undefined> = {
    ...(params as Record<string, string>),
    id: (body as { id?: string } | undefined)?.id,
  }
  return createdPath(route)?.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''))
}

/** `Handlers` has the verb of a streaming route give records, each fit for its reply. */
const streamed = (answer: unknown): AsyncIterable<unknown> => answer as AsyncIterable<unknown>

/** `Handlers` has the verb of a route that answers a file give one. */
const fileIn = (answer: unknown): SentFile => answer as SentFile

/** A body that was cut to the schema of a route has the field that the route names. */
const textIn = (body: unknown, field: string): string => (body as Record<string, string>)[field] ?? ''

/** What the verb is given. A path that names nothing possible is 404, a wrong query 400, a wrong body 422. */
function reader(route: Route): (request: FastifyRequest) => object {
  return (request) => ({
    url: request.url,
    ...(route.params && { params: parse(route.params, request.params, () => new AppError('not_found', 'there is nothing here')) }),
    ...(route.query && { query: parse(route.query, request.query, (error) => schemaError('bad_request', error), queryIssueMessage) }),
    ...(route.body && { body: parse(route.body, presentBody(request), (error) => schemaError('validation_error', error)) }),
    ...(route.bytes && { bytes: { stream: bodyStream(request), length: declaredLength(request) } satisfies Bytes }),
  })
}

function presentBody(request: FastifyRequest): unknown {
  if (request.body === undefined) throw new AppError('bad_request', 'a JSON body is required')
  return request.body
}

/** The body behind `takingBytes`; a request without one has nothing in it. */
function bodyStream(request: FastifyRequest): Readable {
  return request.body === undefined ? Readable.from([]) : (request.body as Readable)
}

function declaredLength(request: FastifyRequest): number | null {
  const length = Number(request.headers['content-length'] ?? Number.NaN)
  return Number.isSafeInteger(length) ? length : null
}

function parse(schema: z.ZodType, value: unknown, refusal: (error: z.ZodError) => AppError, error = issueMessage): unknown {
  const result = schema.safeParse(value, { error })
  if (!result.success) throw refusal(result.error)
  return result.data
}

function cut(schema: z.ZodType, body: unknown): unknown {
  const result = schema.safeParse(body)
  if (!result.success) throw new Error(`the reply does not fit its schema: ${z.prettifyError(result.error)}`, { cause: result.error })
  return result.data
}
