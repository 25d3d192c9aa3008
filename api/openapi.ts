import { z } from 'zod'
import { errorDescription, ErrorReply, errorStatus, isReplayed, type ErrorCode } from './errors.ts'
import type { Api, Route } from './route.ts'
import { answersRecord, changedRecord, createdPath, isRecord, ofOrganization, takesIdempotencyKey } from './rules.ts'

type Json = Record<string, unknown>

export interface OpenapiInfo {
  title: string
  version: string
  description: string
  license?: { name: string; identifier: string }
}

/** Components of the document, collected while its operations are written: only those in use. */
interface Components {
  readonly schemas: Json
  readonly responses: Json
}

/** Returns the OpenAPI 3.1 document of a route table. `tags` describes its resources. The same input gives the same document. */
export function openapi(api: Api, info: OpenapiInfo, tags: Readonly<Record<string, string>> = {}): Json {
  const components: Components = { schemas: {}, responses: {} }
  const paths: Record<string, Json> = {}
  for (const [resource, verbs] of Object.entries(api)) {
    for (const [verb, route] of Object.entries(verbs)) {
      const path = (paths[route.path] ??= {})
      path[route.method.toLowerCase()] = operation(`${resource}.${verb}`, resource, route, { api, components })
    }
  }
  reference(ErrorReply, 'output', components.schemas)
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      headers: sharedHeaders,
      responses: sorted(components.responses),
      schemas: sorted(components.schemas),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token (`gw_…`), sent as `Authorization: Bearer`. It belongs to one organization.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'An API token (`gw_…`), for clients that cannot send an Authorization header.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'groundwork.session_token',
          description:
            'The session cookie of a signed-in user; `__Secure-groundwork.session_token` over https. Requests that change something also need an `Origin` header of this service.',
        },
        organization: {
          type: 'apiKey',
          in: 'header',
          name: 'Groundwork-Organization',
          description: 'The id of the organization that a request with a session acts for. The user must be a member of it.',
        },
      },
    },
  }
}

const sorted = (components: Json): Json => Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => a.localeCompare(b)))

function operation(operationId: string, tag: string, route: Route, { api, components }: { api: Api; components: Components }): Json {
  return {
    operationId,
    tags: [tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(route.reads && { 'x-reads': true }),
    ...security(route),
    parameters: [
      ...parameters('path', route.params, components.schemas),
      ...parameters('query', route.query, components.schemas),
      ...(route.stream && route.method === 'GET' ? [lastEventId] : []),
      ...Object.entries(requestHeaders(api, route)).map(([name, { description, schema }]) => ({
        name,
        in: 'header',
        required: false,
        description,
        schema,
      })),
    ],
    ...requestBody(route, components.schemas),
    responses: {
      [route.status]: {
        description: answer(route),
        ...withRateLimit(route, described(answerHeaders(api, route))),
        ...(route.reply && { content: replyContent(route, reference(route.reply, 'output', components.schemas)) }),
        ...(route.file && { content: anyBytes }),
        ...(route.csv !== undefined && { content: { 'text/csv': { schema: { type: 'string' } } } }),
        ...(route.download !== undefined && { content: Object.fromEntries(route.download.map((type) => [type, anyBytes['*/*']])) }),
      },
      ...(route.file && {
        206: shared(components, 'PartialContent', {
          description: 'The requested range of the file.',
          ...withRateLimit(route, described({ ...fileHeaders, ...rangeHeader })),
          content: anyBytes,
        }),
      }),
      ...((isRecord(route) || route.file) && {
        304: shared(components, 'NotModified', {
          description: 'Unchanged: `If-None-Match` lists the ETag of the current version. The response has no body.',
          ...described({ ETag: etag }),
        }),
      }),
      ...Object.fromEntries(statuses(errorsOf(route, api)).map(([status, codes]) => [status, errorResponse(components, route, codes)])),
    },
  }
}

/** Returns the description of the successful response: the route's own, or the one of its form. */
function answer(route: Route): string {
  if (route.answer !== undefined) return route.answer
  if (route.status === 204) return 'Done. The response has no body.'
  if (route.status === 201) return 'Created. The body is the new record.'
  if (route.status === 202) return 'Accepted. The work continues in the background; the body is the record at this moment.'
  if (route.query instanceof z.ZodObject && 'cursor' in route.query.shape) return 'One page of the list.'
  return route.method === 'GET' ? 'The record in its current state.' : 'The record after the change.'
}

/** Adds a response to the components, once, and returns the reference to it. */
function shared({ responses }: Components, name: string, response: Json): Json {
  responses[name] ??= response
  return { $ref: `#/components/responses/${name}` }
}

/** Returns a reference to the response for these codes, all of one status. Kept refusals have names of their own. */
function errorResponse(components: Components, route: Route, codes: ErrorCode[]): Json {
  const isKept = takesIdempotencyKey(route) && codes.some(isReplayed)
  const names = codes.map((code) => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()))
  const suffix = isKept && !codes.includes('idempotency_conflict') ? 'WithIdempotencyKey' : ''
  const description = codes.map((code) => `\`${code}\`: ${errorDescription[code]}`).join(' ')
  return shared(components, `${names.join('Or')}${suffix}`, {
    description,
    ...refusalHeaders(route, codes),
    content: json({ $ref: '#/components/schemas/Error' }),
  })
}

function security(route: Route): Json {
  if (route.scope === 'public') return { security: [] }
  if (route.scope === 'session') return { security: [{ session: [] }] }
  const others = route.otherScopes !== undefined && { 'x-other-scopes': route.otherScopes }
  return { security: [{ token: [] }, { apiKey: [] }, { session: [], organization: [] }], 'x-scope': route.scope, ...others }
}

const etag = 'Version of the record, for `If-Match` and `If-None-Match`.'

const anyBytes = { '*/*': { schema: { type: 'string', format: 'binary' } } }
const fileHeaders = {
  ETag: 'Version of the bytes, for `If-None-Match` and `If-Range`.',
  'Accept-Ranges': '`bytes`: the request header `Range` is supported.',
  'Content-Disposition': '`attachment` with the file name (RFC 6266).',
  'Content-Security-Policy': 'Prevents browsers from running scripts of the file.',
}
const rangeHeader = { 'Content-Range': 'Position of the range and size of the file, such as `bytes 0-1023/482133`.' }
const replayed = '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`; absent otherwise.'

/** Headers of many responses. Error responses have the RateLimit fields too, once the token is known. */
const sharedHeaders = {
  RateLimit: {
    description: 'Remaining requests (r) of the token and of its organization, and seconds until their windows end (t).',
    schema: { type: 'string', examples: ['"token";r=59999;t=42, "organization";r=119990;t=42'] },
  },
  RateLimitPolicy: {
    description: 'Maximum number of requests (q) per window of w seconds.',
    schema: { type: 'string', examples: ['"token";q=60000;w=60, "organization";q=120000;w=60'] },
  },
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', examples: [1] } },
}
const header = (name: keyof typeof sharedHeaders): Json => ({ $ref: `#/components/headers/${name}` })

const isTemporary = (code: ErrorCode): boolean => code === 'rate_limited' || code === 'unavailable'

function refusalHeaders(route: Route, codes: ErrorCode[]): { headers?: Json } {
  const headers = {
    ...(codes.some(isTemporary) && { 'Retry-After': header('RetryAfter') }),
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
    ...((route.csv ?? route.download) !== undefined && { 'Content-Disposition': fileHeaders['Content-Disposition'] }),
    ...(route.plain !== undefined && { Vary: '`Accept`: the response depends on this request header.' }),
    ...(answersRecord(api, route) && { ETag: etag }),
    ...(createdPath(route) !== undefined && { Location: `Path of the new record: ${createdPath(route)}.` }),
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
        description:
          'A unique string of your choice, such as a UUID. A repeated request with the same key is not executed again within 24 hours; it gets the stored first response. 1 to 255 visible ASCII characters.',
        schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
      },
    }),
    ...(route.file && {
      Range: { description: 'A single range of bytes to return, such as `bytes=0-1023`.', schema: { type: 'string' } },
      'If-Range': {
        description: 'ETag of the bytes that the range refers to. The whole file is returned if the bytes have changed.',
        schema: { type: 'string' },
      },
    }),
    ...((isRecord(route) || route.file) && {
      'If-None-Match': {
        description: 'ETags of the versions you have. The response is 304 without a body if one of them is current.',
        schema: { type: 'string' },
      },
    }),
    ...(changedRecord(api, route) && {
      'If-Match': {
        description: 'ETag of the version to change. The response is 412 if the record has changed since; `*` matches every version.',
        schema: { type: 'string' },
      },
    }),
  }
}

/** Returns the error codes of a route: those of its form, and those that it lists. */
export function errorsOf(route: Route, api: Api): ErrorCode[] {
  const codes: ErrorCode[] = ['internal', 'unavailable']
  if (route.scope !== 'public') codes.push('unauthorized', 'forbidden')
  // A request with a session may name no organization, or one without the user.
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
    return {
      requestBody: {
        description: 'The bytes of the file, as many as `sizeBytes` announced, without any encoding.',
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    }
  if (route.body === undefined) return {}
  const description = z.globalRegistry.get(route.body)?.description
  const content = json(reference(route.body, 'input', components))
  return { requestBody: { ...(description !== undefined && { description }), required: route.bodyOptional !== true, content } }
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
  description: 'Id of the last event you received. The stream continues after it.',
  schema: { type: 'string' },
}

/** Returns the schema as JSON Schema. Schemas with an id go to the components and are referenced. */
function reference(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const { $schema: _draft, $defs = {}, ...root } = jsonSchema(schema, io)
  const id = z.globalRegistry.get(schema)?.id
  const named = id === undefined || id in $defs ? $defs : { ...$defs, [id]: root }
  for (const [name, definition] of Object.entries(named)) {
    // A schema of both requests and responses is written in its stricter form: that of requests.
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
      // zod drops the examples and defaults of transformed schemas, because they could have the output form; ours have the input form.
      const examples = z.globalRegistry.get(zodSchema)?.['examples']
      if (io === 'input' && Array.isArray(examples)) part.examples = examples
      if (io === 'input' && zodSchema instanceof z.ZodDefault) part.default = zodSchema.def.defaultValue
      if (zodSchema instanceof z.ZodDiscriminatedUnion) Object.assign(part, { discriminator: discriminatorOf(zodSchema) })
      // Responses may get more fields within a version of the API.
      if (io === 'output' && part.additionalProperties === false) delete part.additionalProperties
    },
  })
  return JSON.parse(JSON.stringify(made).replaceAll('#/$defs/', '#/components/schemas/')) as JsonSchema
}

/** Returns the discriminating property of a union, and the option for each of its values. */
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
  return Object.entries(properties).map(([name, { description, examples, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    ...(Array.isArray(examples) && { example: examples[0] as unknown }),
    schema: property,
  }))
}
