import { z } from 'zod'
import { ErrorReply, errorStatus, isReplayed, type ErrorCode } from './errors.ts'
import type { Api, Route } from './route.ts'
import { answersRecord, changedRecord, createdPath, isRecord, ofOrganization, takesIdempotencyKey } from './rules.ts'

type Json = Record<string, unknown>

export interface OpenapiInfo {
  title: string
  version: string
  description: string
  license?: { name: string; identifier: string }
}

/** The OpenAPI 3.1 document: a pure function of the route table. `tags` tells what each resource of it is. */
export function openapi(api: Api, info: OpenapiInfo, tags: Readonly<Record<string, string>> = {}): Json {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  for (const [resource, verbs] of Object.entries(api)) {
    for (const [verb, route] of Object.entries(verbs)) {
      const path = (paths[route.path] ??= {})
      path[route.method.toLowerCase()] = operation(`${resource}.${verb}`, resource, route, { api, components })
    }
  }
  reference(ErrorReply, 'output', components)
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      headers: sharedHeaders,
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => a.localeCompare(b))),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'groundwork.session_token',
          description: 'Of a user who signed in; __Secure-groundwork.session_token over https. What changes something needs an Origin too',
        },
        organization: {
          type: 'apiKey',
          in: 'header',
          name: 'Groundwork-Organization',
          description: 'The id of the organization that a session acts for',
        },
      },
    },
  }
}

function operation(operationId: string, tag: string, route: Route, { api, components }: { api: Api; components: Json }): Json {
  return {
    operationId,
    tags: [tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(route.reads && { 'x-reads': true }),
    ...security(route),
    parameters: [
      ...parameters('path', route.params, components),
      ...parameters('query', route.query, components),
      ...(route.stream ? [lastEventId] : []),
      ...Object.entries(requestHeaders(api, route)).map(([name, { description, schema }]) => ({
        name,
        in: 'header',
        required: false,
        description,
        schema,
      })),
    ],
    ...requestBody(route, components),
    responses: {
      [route.status]: {
        description: route.summary,
        ...withRateLimit(route, described(answerHeaders(api, route))),
        ...(route.reply && { content: replyContent(route, reference(route.reply, 'output', components)) }),
        ...(route.file && { content: anyBytes }),
      },
      ...(route.file && {
        206: { description: 'The range of it', ...withRateLimit(route, described({ ...fileHeaders, ...rangeHeader })), content: anyBytes },
      }),
      ...((isRecord(route) || route.file) && { 304: { description: 'It is as If-None-Match names it', ...described({ ETag: etag }) } }),
      ...Object.fromEntries(
        statuses(errorsOf(route, api)).map(([status, codes]) => [
          status,
          {
            description: codes.join(', '),
            ...refusalHeaders(route, codes),
            content: json({ $ref: '#/components/schemas/Error' }),
          },
        ]),
      ),
    },
  }
}

function security(route: Route): Json {
  if (route.scope === 'public') return { security: [] }
  if (route.scope === 'session') return { security: [{ session: [] }] }
  return { security: [{ token: [] }, { apiKey: [] }, { session: [], organization: [] }], 'x-scope': route.scope }
}

const etag = 'Names this version of the record'

const anyBytes = { '*/*': { schema: { type: 'string', format: 'binary' } } }
const fileHeaders = {
  ETag: 'Names these bytes',
  'Accept-Ranges': 'bytes',
  'Content-Disposition': 'attachment, with the name of the file (RFC 6266)',
  'Content-Security-Policy': 'Keeps a browser from running what the file may hold',
}
const rangeHeader = { 'Content-Range': 'Which bytes of how many these are' }
const replayed = 'true where this is the answer to an earlier request with the same key'

/** Headers of many answers. The RateLimit fields come with refusals also, as soon as the token is known. */
const sharedHeaders = {
  RateLimit: {
    description: 'Requests left to the token and to its organization (r), and seconds until their windows end (t)',
    schema: { type: 'string', examples: ['"token";r=59999;t=42, "organization";r=119990;t=42'] },
  },
  RateLimitPolicy: {
    description: 'Requests (q) in each window of so many seconds (w)',
    schema: { type: 'string', examples: ['"token";q=60000;w=60, "organization";q=120000;w=60'] },
  },
  RetryAfter: { description: 'Seconds after which another attempt is worth it', schema: { type: 'integer' } },
}
const header = (name: keyof typeof sharedHeaders): Json => ({ $ref: `#/components/headers/${name}` })

const comesBack = (code: ErrorCode): boolean => code === 'rate_limited' || code === 'unavailable'

function refusalHeaders(route: Route, codes: ErrorCode[]): { headers?: Json } {
  const headers = {
    ...(codes.some(comesBack) && { 'Retry-After': header('RetryAfter') }),
    ...(takesIdempotencyKey(route) && codes.some(isReplayed) && described({ 'Idempotency-Replayed': replayed }).headers),
  }
  return Object.keys(headers).length === 0 ? {} : { headers }
}

function withRateLimit(route: Route, { headers = {} }: { headers?: Json }): Json {
  if (!ofOrganization(route)) return Object.keys(headers).length === 0 ? {} : { headers }
  return { headers: { ...headers, RateLimit: header('RateLimit'), 'RateLimit-Policy': header('RateLimitPolicy') } }
}

function answerHeaders(api: Api, route: Route): Record<string, string> {
  return {
    ...route.headers,
    ...(route.file && fileHeaders),
    ...(route.plain !== undefined && { Vary: 'Accept' }),
    ...(answersRecord(api, route) && { ETag: etag }),
    ...(createdPath(route) !== undefined && { Location: `The path to GET what was created by: ${createdPath(route)}` }),
    ...(takesIdempotencyKey(route) && { 'Idempotency-Replayed': replayed }),
  }
}

function described(headers: Record<string, string>): { headers?: Json } {
  const entries = Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }])
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) as Json }
}

function requestHeaders(api: Api, route: Route): Record<string, { description: string; schema: Json }> {
  return {
    ...(takesIdempotencyKey(route) && {
      'Idempotency-Key': {
        description: 'Sent again with the same key within 24 hours, the request is not done again: its first answer is',
        schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
      },
    }),
    ...(route.file && {
      Range: { description: 'One range of bytes to be sent alone, such as bytes=0-1023', schema: { type: 'string' } },
      'If-Range': { description: 'The ETag of which the range is wanted: of other bytes all are sent', schema: { type: 'string' } },
    }),
    ...((isRecord(route) || route.file) && {
      'If-None-Match': {
        description: 'ETags of versions that the caller has: 304 when the record is one of them',
        schema: { type: 'string' },
      },
    }),
    ...(changedRecord(api, route) && {
      'If-Match': { description: 'ETag of the version to change: 412 when the record is another one by now', schema: { type: 'string' } },
    }),
  }
}

/** Every code that a route of the table can answer: those of its form, and those that it names. */
export function errorsOf(route: Route, api: Api): ErrorCode[] {
  const codes: ErrorCode[] = ['internal', 'unavailable']
  if (route.scope !== 'public') codes.push('unauthorized', 'forbidden')
  // A session can name no organization, or one that the user is no member of.
  if (ofOrganization(route)) codes.push('rate_limited', 'bad_request', 'not_found')
  if (route.params !== undefined) codes.push('not_found')
  if (route.query !== undefined) codes.push('bad_request')
  if (route.body !== undefined) codes.push('bad_request', 'payload_too_large', 'unsupported_media_type', 'validation_error')
  if (route.file) codes.push('range_not_satisfiable')
  if (takesIdempotencyKey(route)) codes.push('bad_request', 'conflict', 'idempotency_conflict')
  if (changedRecord(api, route) !== undefined) codes.push('precondition_failed')
  return [...new Set([...codes, ...(route.errors ?? [])])]
}

function statuses(codes: ErrorCode[]): [string, ErrorCode[]][] {
  const byStatus = new Map<string, ErrorCode[]>()
  for (const code of codes) byStatus.set(String(errorStatus[code]), [...(byStatus.get(String(errorStatus[code])) ?? []), code])
  return [...byStatus]
}

function requestBody(route: Route, components: Json): Json {
  if (route.bytes)
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } } }
  return route.body === undefined ? {} : { requestBody: { required: true, content: json(reference(route.body, 'input', components)) } }
}

const json = (schema: unknown): Json => ({ 'application/json': { schema } })
function replyContent(route: Route, schema: unknown): Json {
  if (route.stream) return { 'text/event-stream': { schema } }
  return { ...json(schema), ...(route.plain !== undefined && { 'text/plain': { schema: { type: 'string' } } }) }
}

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The id of the last event that was received',
  schema: { type: 'string' },
}

/** The schema as JSON Schema; every part that has a name of its own goes to the components. */
function reference(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const { $schema: _draft, $defs = {}, ...root } = jsonSchema(schema, io)
  const id = z.globalRegistry.get(schema)?.id
  const named = id === undefined || id in $defs ? $defs : { ...$defs, [id]: root }
  for (const [name, definition] of Object.entries(named)) {
    // A part of requests and replies both is described as a request has it, which is the stricter of the two.
    if (io === 'input' || !(name in components)) components[name] = definition
  }
  return id === undefined ? root : { $ref: `#/components/schemas/${id}` }
}

interface JsonSchema extends Json {
  $defs?: Record<string, Json>
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const made = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: part }) => {
      delete part.id
      // zod leaves out the examples of what it transforms, which could be of the form that comes out; ours are of what is sent.
      const examples = z.globalRegistry.get(zodSchema)?.['examples']
      if (io === 'input' && Array.isArray(examples)) part.examples = examples
      if (zodSchema instanceof z.ZodDiscriminatedUnion) Object.assign(part, { discriminator: discriminatorOf(zodSchema) })
      // Replies may get more fields within a version, so no client is told that there are none.
      if (io === 'output' && part.additionalProperties === false) delete part.additionalProperties
    },
  })
  return JSON.parse(JSON.stringify(made).replaceAll('#/$defs/', '#/components/schemas/')) as JsonSchema
}

/** Names the field that tells the options apart, and the option that each of its values stands for. */
function discriminatorOf({ def, options }: z.ZodDiscriminatedUnion): { propertyName: string; mapping: Record<string, string> } {
  const { discriminator } = def
  const mapping = options.flatMap((option) => {
    if (!(option instanceof z.ZodObject)) return []
    const { const: one, enum: several = [one] } = z.toJSONSchema(option.shape[discriminator])
    return several.map((value): [string, string] => [String(value), `#/$defs/${z.globalRegistry.get(option)?.id}`])
  })
  return { propertyName: discriminator, mapping: Object.fromEntries(mapping) }
}

function parameters(place: 'path' | 'query', schema: z.ZodType | undefined, components: Json): Json[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = reference(schema, 'input', components) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: property,
  }))
}
