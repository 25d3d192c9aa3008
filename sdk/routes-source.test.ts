import { describe, expect, test } from 'vitest'
import { routesSource, type Document } from './routes-source.ts'

type Operation = Document['paths'][string][string]

const operation = (operationId: string, parts: Partial<Operation> = {}): Operation => ({
  operationId,
  summary: 'Do it',
  parameters: [],
  responses: { 200: { content: { 'application/json': {} } } },
  ...parts,
})
const cursor = { parameters: [{ name: 'cursor', in: 'query', required: false }] }
const body = { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateHouse' } } } } }

describe('method names follow from the path', () => {
  test.each<[name: string, document: Document['paths'], pattern: RegExp]>([
    ['a collection has list and create', { '/v1/bases': { get: operation('bases.list', cursor) } }, /bases = .*\n.*\n {2}list: /],
    ['a member has get', { '/v1/bases/{id}': { get: operation('bases.get') } }, /\n {2}get: \(id: string, options\?/],
    ['the last name is an action', { '/v1/bases/{id}/reindex-all': { post: operation('bases.x') } }, /\n {2}reindexAll: \(id: string, /],
    ['a name before an id is a resource', { '/v1/a/{id}/b/{bId}/go': { post: operation('b.go') } }, /b: \{\n.*\n {4}go: \(id: string, bId/],
    [
      'a paged name is a resource',
      { '/v1/a/{id}/log': { get: operation('a.log', cursor) } },
      /log: \{\n.*\n {4}list: \(id: string, query\?/,
    ],
    [
      'a single name is an action if its POST changes nothing',
      { '/v1/search': { post: operation('search.all', { ...body, 'x-reads': true }) } },
      /search = \(transport: Transport\) => \(body: Api.CreateHouse, /,
    ],
    [
      'a single name with another POST is a resource',
      { '/v1/houses': { post: operation('houses.create', body) } },
      /houses = .*\n.*\n {2}create: \(body: Api.CreateHouse, /,
    ],
    [
      'a singleton has get and update',
      { '/v1/settings': { get: operation('settings.get'), patch: operation('settings.update', body) } },
      /settings = .*\n.*\n {2}get: [^]*\n {2}update: \(body/,
    ],
  ])('%s', (_name, paths, pattern) => expect(routesSource({ paths })).toMatch(pattern))

  test('parameters are ids, body, query and options, in this order', () => {
    const all = operation('a.go', { ...body, parameters: [{ name: 'dryRun', in: 'query', required: true }] })
    expect(routesSource({ paths: { '/v1/a/{id}/go': { post: all } } })).toContain(
      '(id: string, body: Api.CreateHouse, query: Api.AGoQuery, options?: RequestOptions)',
    )
  })

  test('a body that can be left out is an optional argument before the options', () => {
    const all = operation('a.go', { requestBody: { ...body.requestBody, required: false } })
    expect(routesSource({ paths: { '/v1/a/{id}/go': { post: all } } })).toMatch(
      /\(id: string, body\?: Api.CreateHouse, options\?: RequestOptions\) =>\n.*, body \}, options\)/,
    )
  })

  test('an action of a collection that its records have too ends with Many', () => {
    const paths = { '/v1/a/{id}/go': { post: operation('a.go') }, '/v1/a/go': { post: operation('a.goMany') } }
    expect(routesSource({ paths })).toMatch(
      /go: \(id: string.*\n.*\/v1\/a\/\$\{segment\(id\)\}\/go[^]*goMany: \(options.*\n.*'\/v1\/a\/go'/,
    )
  })

  test('two routes cannot have the same name', () => {
    const paths = { '/v1/a/{id}': { get: operation('a.get') }, '/v1/a/get': { get: operation('a.other') } }
    expect(() => routesSource({ paths })).toThrow('two routes have the name a.get')
  })

  test('a file is returned as a Response', () => {
    const file = operation('a.file', { responses: { 200: { content: { '*/*': {} } } } })
    expect(routesSource({ paths: { '/v1/a/{id}/file': { get: file } } })).toMatch(
      /file: \(id: string, options\?: RequestOptions\) =>\n +transport\.receive\(\{ method: 'GET', path: `\/v1\/a\/\$\{segment\(id\)\}\/file` \}, options\)/,
    )
  })

  test('routes with binary bodies or event streams have no method', () => {
    const bytes = operation('a.put', { requestBody: { content: { 'application/octet-stream': {} } } })
    const stream = operation('a.stream', { responses: { 200: { content: { 'text/event-stream': {} } } } })
    const source = routesSource({ paths: { '/v1/a/{id}': { put: bytes }, '/v1/a/stream': { get: stream } } })
    expect(source).not.toContain('export const a ')
  })
})
