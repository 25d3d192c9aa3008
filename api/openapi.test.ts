import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { errorsOf, openapi } from './openapi.ts'
import { route } from './route.ts'
import { pageOf, text } from './schemas.ts'

const info = { title: 'T', version: '1', description: 'D' }
const Part = z.object({ note: z.string() }).meta({ id: 'Part' })
const Thing = z.object({ id: z.string(), part: Part }).meta({ id: 'Thing' })
const CreateThing = z.strictObject({ name: text(1, 9), part: Part.optional() }).meta({ id: 'CreateThing' })
const api = {
  things: {
    list: route({
      method: 'GET',
      path: '/v1/things',
      summary: 'List',
      scope: 'bases:read',
      query: z.strictObject({ q: z.string().optional() }),
      status: 200,
      reply: pageOf(Thing),
    }),
    create: route({
      method: 'POST',
      path: '/v1/things',
      summary: 'Create',
      scope: 'bases:write',
      body: CreateThing,
      status: 201,
      reply: Thing,
      errors: ['conflict'],
    }),
    put: route({
      method: 'PUT',
      path: '/v1/things/{id}',
      summary: 'Send',
      scope: 'public',
      params: z.object({ id: z.string() }),
      bytes: true,
      status: 204,
    }),
  },
}
interface Operation {
  security: unknown[]
  parameters: unknown[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, Response>
}
interface Response {
  $ref?: string
  description?: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema: unknown }>
}
const document = openapi(api, info) as {
  paths: Record<string, Record<string, Operation>>
  components: {
    responses: Record<string, Response>
    schemas: Record<string, { additionalProperties?: unknown; properties: Record<string, unknown> }>
  }
}

/** The response of an operation, or the shared one that it refers to. */
const resolved = (response: Response | undefined): Response | undefined =>
  response?.$ref === undefined ? response : document.components.responses[response.$ref.replace('#/components/responses/', '')]

describe('openapi', () => {
  it('puts every named schema into the components and refers to it', () => {
    expect(Object.keys(document.components.schemas)).toEqual(['CreateThing', 'Error', 'ErrorCandidate', 'ErrorIssue', 'Part', 'Thing'])
    expect(document.components.schemas['Thing']?.properties).toEqual({
      id: { type: 'string' },
      part: { $ref: '#/components/schemas/Part' },
    })
    expect(document.paths['/v1/things']?.['post']?.responses['201']?.content?.['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/Thing',
    })
  })

  it('forbids unknown fields in requests and allows them in responses', () => {
    expect(document.components.schemas['CreateThing']?.additionalProperties).toBe(false)
    expect(document.components.schemas['Thing']).not.toHaveProperty('additionalProperties')
  })

  it('writes parameters, bodies of bytes and public routes', () => {
    expect(document.paths['/v1/things']?.['get']?.parameters).toEqual([
      { name: 'q', in: 'query', required: false, schema: { type: 'string' } },
    ])
    const put = document.paths['/v1/things/{id}']?.['put']
    expect(put?.parameters).toEqual([{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }])
    expect(put?.security).toEqual([])
    expect(Object.keys(put?.requestBody?.content ?? {})).toEqual(['application/octet-stream'])
    expect(put?.responses['204']).not.toHaveProperty('content')
  })

  it('lists every error code of a route of its form', () => {
    expect(errorsOf(api.things.list, api)).toEqual([
      'internal',
      'unavailable',
      'unauthorized',
      'forbidden',
      'rate_limited',
      'bad_request',
      'not_found',
    ])
    expect(errorsOf(api.things.put, api)).toEqual(['internal', 'unavailable', 'not_found'])
    expect(Object.keys(document.paths['/v1/things']?.['post']?.responses ?? {})).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ])
  })

  it('documents Idempotency-Replayed for stored refusals only', () => {
    const { responses = {} } = document.paths['/v1/things']?.['post'] ?? {}
    const replayed = Object.keys(responses).filter((status) => 'Idempotency-Replayed' in (resolved(responses[status])?.headers ?? {}))
    expect(replayed).toEqual(['201', '400', '404', '409', '422'])
  })

  it('shares error responses, and describes each of their codes', () => {
    const { responses = {} } = document.paths['/v1/things']?.['post'] ?? {}
    expect(responses['401']).toEqual({ $ref: '#/components/responses/Unauthorized' })
    expect(responses['422']).toEqual({ $ref: '#/components/responses/ValidationErrorOrIdempotencyConflict' })
    expect(document.paths['/v1/things']?.['get']?.responses['400']).toEqual({ $ref: '#/components/responses/BadRequest' })
    expect(responses['400']).toEqual({ $ref: '#/components/responses/BadRequestWithIdempotencyKey' })
    expect(resolved(responses['422'])).toMatchObject({
      description: expect.stringMatching(/^`validation_error`: .+ `idempotency_conflict`: .+\.$/),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    })
  })

  it('gives the same document every time', () => expect(JSON.stringify(openapi(api, info))).toBe(JSON.stringify(document)))
})
