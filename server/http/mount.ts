import {
  admittingScopes,
  answersRecord,
  changeFields,
  changedRecord,
  createdPath,
  isRecord,
  takesIdempotencyKey,
  type Api,
  type Route,
  type Scope,
} from '@groundwork/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { readingReplica } from '../context.ts'
import type { PublicContext } from '../identity/context.ts'
import type { Platform, PlatformContext } from '../platform.ts'
import { WithHeaders, type BinaryBody, type Download, type Handlers, type FileResponse } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'
import { issueMessage, queryIssueMessage } from '../lib/issue-message.ts'
import { schemaError } from '../lib/schema-error.ts'
import type { Limits } from '../limits/limits.ts'
import type { Authenticate } from '../tokens/authenticator.ts'
import { prefersPlainText } from './accept.ts'
import { admitSession, createAdmit, createIdentify, publicContext, type Admit, type Identify } from './admit.ts'
import { etagOf, matchesIfNoneMatch } from './etag.ts'
import { sendCsv, sendDownload } from './download.ts'
import { sendFile } from './file.ts'
import { runConditionally } from './conditional-request.ts'
import { replicaReads } from './replica-reads.ts'
import { sendText } from './send-text.ts'
import { sendStream, streamSlots, type OpenStream } from './stream.ts'

type AnyHandler = (ctx: PublicContext | PlatformContext, input: unknown) => Promise<unknown>

/** Registers every route of the route table: authentication, rate limits, scope, input schemas, handler and reply schema. */
export function mount<A extends Api>(
  app: FastifyInstance,
  api: A,
  handlers: Handlers<A, Platform>,
  platform: Platform,
  authenticate: Authenticate,
  limits: Limits,
): void {
  const openStream = streamSlots(app)
  const identify = createIdentify(platform, authenticate)
  const admit = createAdmit(platform, limits)
  for (const [resource, routes] of Object.entries(api)) {
    for (const [verb, route] of Object.entries(routes)) {
      const handle = handlerOf(handlers, resource, verb)
      const changed = changedRecord(api, route)
      const served: MountedRoute = {
        route,
        readsReplica: replicaReads.has(`${resource}.${verb}`),
        handle,
        answersRecord: answersRecord(api, route),
        changed: changed && { route: changed.route, handle: handlerOf(handlers, changed.resource, changed.verb) },
      }
      if (route.bytes) app.register(async (scope) => mountRoute(withRawBodies(scope), served, platform, { identify, admit, openStream }))
      else mountRoute(app, served, platform, { identify, admit, openStream })
    }
  }
}

interface MountedRoute {
  route: Route
  handle: AnyHandler
  /** Whether a replica of the database may answer. */
  readsReplica: boolean
  answersRecord: boolean
  /** The route that returns the record which this route changes. */
  changed: { route: Route; handle: AnyHandler } | undefined
}

/** Passes bodies of every content type on as streams, including JSON: an uploaded file may be JSON. */
function withRawBodies(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  return scope
}

/** Safe cast: `Handlers<A>` has a function for every route, but the loop over names loses its type. */
function handlerOf(handlers: object, resource: string, verb: string): AnyHandler {
  return (handlers as Record<string, Record<string, AnyHandler>>)[resource]?.[verb] as AnyHandler
}

function mountRoute(
  app: FastifyInstance,
  { route, handle, readsReplica, answersRecord: hasETag, changed }: MountedRoute,
  platform: Platform,
  { identify, admit, openStream }: { identify: Identify; admit: Admit; openStream: OpenStream },
): void {
  const read = inputParser(route)
  const readChanged = changed && inputParser(changed.route)
  const scopes = admittingScopes(route)
  const ofChanges = changeFields(route)
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request, reply) => {
      if (route.scope === 'public') return
      if (route.scope === 'session') request.sessionContext = await admitSession(request, platform)
      else {
        const ctx = await admit(request, reply, await identify(request), scopes)
        request.ctx = readsReplica ? readingReplica(ctx) : ctx
      }
    },
    handler: async (request, reply) => {
      const { reply: schema } = route
      const publicCtx = (): PublicContext => request.sessionContext ?? publicContext(request, platform)
      if (route.stream && schema !== undefined) {
        const records = await handle(request.ctx ?? publicCtx(), { ...read(request), stream: openStream(request, reply) })
        const isAuthorized = (): Promise<boolean> => isStillAuthorized(identify, scopes, request)
        return sendStream(reply.code(route.status), asRecords(records), (record) => applySchema(schema, record), isAuthorized)
      }
      const input = read(request)
      if (route.csv !== undefined) return sendCsv(request, reply, asRows(await handle(request.ctx ?? publicCtx(), input)), route.csv)
      if (route.download !== undefined) return sendDownload(request, reply, asDownload(await handle(request.ctx ?? publicCtx(), input)))
      if (route.file) return sendFile(request, reply, asFile(await handle(request.ctx ?? publicCtx(), input)))
      const current =
        changed &&
        readChanged &&
        (async (requestCtx: PlatformContext) => toReply(changed.route, await changed.handle(requestCtx, readChanged(request))))
      const work = async (requestCtx: PublicContext | PlatformContext): Promise<WithHeaders<unknown>> =>
        toReply(route, await handle(requestCtx, input))
      const { ctx } = request
      const answer = await (ctx === undefined
        ? work(publicCtx())
        : runConditionally(request, reply, ctx, { idempotent: takesIdempotencyKey(route), current }, work))
      reply.code(route.status).headers(answer.headers)
      const location = locationOf(route, request, answer.body)
      if (location !== undefined) reply.header('Location', location)
      if (schema === undefined) return reply.send()
      if (route.plain !== undefined) {
        reply.header('Vary', 'Accept')
        if (prefersPlainText(request.headers.accept ?? '')) {
          return reply.type('text/plain; charset=utf-8').send(textField(answer.body, route.plain))
        }
      }
      const text = JSON.stringify(answer.body)
      if (hasETag) {
        const etag = etagOf(ofChanges.some((name) => isPresent(answer.body, name)) ? JSON.stringify(omit(answer.body, ofChanges)) : text)
        reply.header('ETag', etag)
        if (isRecord(route) && matchesIfNoneMatch(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
      }
      reply.type('application/json; charset=utf-8')
      // An ETag belongs to one encoding, and records are small.
      return hasETag ? reply.send(text) : sendText(request, reply, text)
    },
  })
}

const isPresent = (body: unknown, name: string): boolean => (body as Record<string, unknown>)[name] !== undefined

/** Returns the record without these fields. */
const omit = (record: unknown, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => !names.includes(name)))

/** Validates the reply and removes fields that its schema does not name. */
function toReply(route: Route, answer: unknown): WithHeaders<unknown> {
  const { body, headers } = answer instanceof WithHeaders ? answer : new WithHeaders(answer, {})
  return new WithHeaders(route.reply === undefined ? undefined : applySchema(route.reply, body), headers)
}

/** Authenticates a stream's request again, since its token may have been revoked or its session may have ended. */
const isStillAuthorized = (identify: Identify, scopes: readonly Scope[], request: FastifyRequest): Promise<boolean> =>
  identify(request).then(
    ({ actor }) => scopes.some((scope) => actor.scopes.includes(scope)),
    () => false,
  )

/** Returns the Location of a created record, also for a replayed reply. */
function locationOf(route: Route, { params }: FastifyRequest, body: unknown): string | undefined {
  const path = createdPath(route)
  if (path === undefined) return undefined
  const values: Record<string, string | undefined> = {
    ...(params as Record<string, string>),
    ...(body as Record<string, string> | undefined),
  }
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''))
}

/** Safe cast: likewise. */
const asDownload = (answer: unknown): Download => answer as Download

/** Safe cast: likewise. */
const asRows = (answer: unknown): AsyncIterable<string> => answer as AsyncIterable<string>

/** Safe cast: `Handlers` types the result of streaming routes. */
const asRecords = (answer: unknown): AsyncIterable<unknown> => answer as AsyncIterable<unknown>

/** Safe cast: `Handlers` types the result of file routes. */
const asFile = (answer: unknown): FileResponse => answer as FileResponse

/** Safe cast: the reply schema of the route has this field. */
const textField = (body: unknown, field: string): string => (body as Record<string, string>)[field] ?? ''

/** Returns a function that parses the handler's input. Invalid path parameters are 404, invalid queries 400, invalid bodies 422. */
function inputParser(route: Route): (request: FastifyRequest) => object {
  return (request) => ({
    url: request.url,
    ...(route.params && { params: parse(route.params, request.params, () => new AppError('not_found', 'There is no such resource.')) }),
    ...(route.query && { query: parse(route.query, request.query, (error) => schemaError('bad_request', error), queryIssueMessage) }),
    ...(route.body && { body: parse(route.body, presentBody(route, request), (error) => schemaError('validation_error', error)) }),
    ...(route.bytes && { bytes: { stream: bodyStream(request), length: declaredLength(request) } satisfies BinaryBody }),
  })
}

function presentBody(route: Route, request: FastifyRequest): unknown {
  if (request.body === undefined && route.bodyOptional) return {}
  if (request.body === undefined) throw new AppError('bad_request', 'A JSON body is required.')
  return request.body
}

/** Returns the body that `withRawBodies` passes on; empty without a body. */
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

function applySchema(schema: z.ZodType, body: unknown): unknown {
  const result = schema.safeParse(body)
  if (!result.success) throw new Error(`the reply does not match its schema: ${z.prettifyError(result.error)}`, { cause: result.error })
  return result.data
}
