import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { integrationEndpoints } from '../integrations/integrations.ts'
import { testApp } from '../testing/app.ts'
import { person } from '../testing/people.ts'
import { address, bodies, bodyOf, paramsFrom, routes, createFixtures, unitEmbedder } from '../testing/fixtures.ts'

const service = await testApp({ embedder: unitEmbedder })
const caller = await service.organization()
const signedIn = await person(service)
const own = await createFixtures(caller)

/** Default phrases of zod and of JavaScript errors. */
const libraryPhrase =
  /[Ii]nvalid (input|option|key|value|string|format|discriminator|email|ISO)|\b(expected|received) |Unrecognized|Too (big|small)|[<>]=|\bNaN\b|\bundefined\b|\[object/

const wrongValues = [
  undefined,
  null,
  'x',
  '',
  'x'.repeat(30_000),
  '\u0000',
  1.5,
  -1,
  1e300,
  true,
  [],
  [[]],
  ['x'],
  {},
  { unknown: {} },
  Array(600).fill(1),
]

/** Yields the body with each field, and each field one level below, replaced by a wrong value in turn. */
function* wrongBodies(body: Record<string, unknown>, names: readonly string[]): Generator {
  yield* ['x', 1, null, true, [], [{}]]
  yield { ...body, unknown: 1 }
  for (const name of names) {
    for (const value of wrongValues) yield { ...body, [name]: value }
    for (const value of wrongValues) yield { ...body, [name]: { ...Object(body[name]), unknown: value } }
    for (const value of wrongValues) yield { ...body, [name]: [value] }
  }
}

const namesIn = (schema: z.ZodType | undefined): string[] => {
  const { properties, $defs = {} } = z.toJSONSchema(schema ?? z.object({}), { io: 'input', unrepresentable: 'any' })
  const options = Object.values($defs).map((each) => each.properties ?? {})
  return [...new Set([properties ?? {}, ...(properties === undefined ? options : [])].flatMap(Object.keys))]
}

interface Told {
  message: string
  field?: string
  issues?: { field: string; message: string }[]
}

function expectWords({ message, field, issues = [] }: Told): void {
  expect(message).not.toMatch(libraryPhrase)
  if (issues.length > 0) expect(message).toBe(issues[0]?.message)
  for (const issue of issues) {
    expect(issue.message).not.toMatch(libraryPhrase)
    expect(issue.message.startsWith(`${issue.field === '' ? 'The request' : issue.field} `)).toBe(true)
  }
  if (field !== undefined) expect(message).toContain(field)
}

describe('validation messages are readable', () => {
  it.each(routes.filter(({ route }) => route.body !== undefined))('for bodies of $name', async (each) => {
    const { call } = each.route.scope === 'session' ? signedIn : caller
    const url = address(each.route, paramsFrom(each.route, own))
    // Previews of text take time. Tests cannot fetch this URL.
    const right = each.name === 'previews.create' ? { url: 'https://example.com/' } : bodyOf(each, own)
    for (const body of wrongBodies({ ...right }, namesIn(each.route.body))) {
      const answer = await call(each.route.method, url, JSON.stringify(body))
      expect(answer.status).toBeLessThan(500)
      if (answer.status === 422) expectWords(answer.body.error)
    }
  })

  it.each(routes.filter(({ route }) => route.query !== undefined))('for queries of $name', async ({ route }) => {
    const url = address(route, paramsFrom(route, own))
    for (const name of [...namesIn(route.query), 'unknown']) {
      for (const value of ['', 'x', '%00', '1e1', '-1', 'x'.repeat(2000), `1&${name}=2`, `x&${name}=x`]) {
        const answer = await caller.call(route.method, `${url}?${name}=${value}`)
        if (answer.status !== 400) continue
        expectWords(answer.body.error)
        expect(answer.body.error.field).toMatch(new RegExp(`^${name}(\\.|$)`))
      }
    }
  })

  it.each<[path: string, bodies: object[]]>([
    [
      '/dify/retrieval',
      [{}, { knowledge_id: 1 }, { knowledge_id: own['kb'], query: 'x', retrieval_setting: { top_k: 1e9, score_threshold: 'x' } }],
    ],
    [`/vapi/bases/${own['kb']}`, [{}, { message: { type: 'other', messages: 1 } }, { message: { type: 'knowledge-base-request' } }]],
    [
      `/openai/v1/vector_stores/${own['kb']}/search`,
      [
        {},
        { query: 1 },
        { query: [] },
        { query: 'x', filters: { type: 'eq' } },
        { query: 'x', filters: { type: 'eq', key: 'a', value: {} } },
      ],
    ],
    [
      '/mcp',
      [{}, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_knowledge', arguments: { query: 1, topK: 99 } } }],
    ],
  ])('for requests to the integration endpoint %s', async (path, wrong) => {
    expect(
      integrationEndpoints.some(
        ({ path: integrationPath }) =>
          address({ path: integrationPath } as never, { id: own['kb'] ?? '', baseId: own['kb'] ?? '' }) === path,
      ),
    ).toBe(true)
    for (const body of wrong) {
      const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
      const answer = await caller.call('POST', path, body, headers)
      expect(JSON.stringify(answer.body)).not.toMatch(libraryPhrase)
      expect(answer.status === 200 ? 400 : answer.status).toBe(400)
    }
  })

  it.each<[method: string, path: string, body: object | undefined, message: string]>([
    ['POST', '/v1/proposals', { contactId: own['ctc'], totalAmount: '1' }, 'title is required'],
    ['POST', '/v1/proposals', { title: '', contactId: own['ctc'], totalAmount: '1' }, 'title must not be empty'],
    ['POST', '/v1/proposals', { title: 1, contactId: own['ctc'], totalAmount: '1' }, 'title must be text'],
    ['POST', '/v1/contacts', { email: 'x@y' }, 'email must be an email address'],
    ['POST', '/v1/contacts', { email: 'a@example.com', tags: ['a', 1] }, 'tags.1 must be text'],
    ['POST', '/v1/contacts', { email: 'a@example.com', shoeSize: 1 }, 'shoeSize is not a known field'],
    ['POST', '/v1/contacts', [1], 'The request must be an object.'],
    ['POST', '/v1/bases', { name: 'B', starred: 1 }, 'starred must be true or false'],
    ['POST', '/v1/bases', { name: 'B', ragSettings: { topK: 1000 } }, 'ragSettings.topK must be a whole number from 1 to 100'],
    ['POST', '/v1/bases', { name: 'B', ragSettings: { topK: 'x' } }, 'ragSettings.topK must be a whole number from 1 to 100'],
    ['POST', '/v1/tokens', { name: 'T', scopes: [] }, 'scopes must have at least 1 item'],
    ['GET', '/v1/contacts?limit=1000', undefined, 'limit must be a whole number from 1 to 100'],
    ['GET', '/v1/contacts?limit=5&limit=6', undefined, 'limit must be given only once'],
    ['GET', '/v1/contacts?q=a&q=b', undefined, 'q must be given only once'],
    ['GET', '/v1/proposals?status=lost&status=pending', undefined, 'status must be given only once'],
    ['GET', '/v1/events?type=contact.made', undefined, expect.stringMatching(/^type must be one of source\.processing, /)],
  ])('%s %s %j', async (method, path, body, message) => {
    expect((await caller.call(method, path, body)).body.error.message).toEqual(message)
  })

  it('are tested with a body for every route', () => expect(Object.keys(bodies).length).toBeGreaterThan(30))
})

describe('an integer in a query', () => {
  it.each(['1e1', '0x10', '%205', '5%20', '+5', '5.0', '05', '1_0', '٥', '', 'NaN', '-0'])('cannot be %j', async (value) => {
    for (const path of ['/v1/contacts', '/openai/v1/vector_stores']) {
      const answer = await caller.call('GET', `${path}?limit=${value}`)
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        expect.stringContaining('limit must be a whole number from 1 to 100'),
      ])
    }
  })
})

describe('a number outside the safe integer range', () => {
  const addSource = (metadata: string) =>
    caller.call('POST', `/v1/bases/${own['kb']}/sources`, `{"name":"S","type":"url","url":"https://example.com/","metadata":${metadata}}`)

  it.each(['9007199254740993', '-9007199254740993', '9007199254740992', '1e300'])('is rejected: %s', async (number) => {
    expect(await addSource(`{"n":${number}}`)).toMatchObject({ status: 422, body: { error: { field: 'metadata.n' } } })
    const update = await caller.call('PATCH', `/v1/bases/${own['kb']}/sources/${own['src']}`, `{"metadata":{"n":${number}}}`)
    expect(update).toMatchObject({ status: 422, body: { error: { field: 'metadata.n' } } })
    for (const compared of ['eq', 'gt', 'lte']) {
      const search = await caller.call(
        'POST',
        `/v1/bases/${own['kb']}/search`,
        `{"query":"x","filter":{"key":"n","${compared}":${number}}}`,
      )
      expect(search).toMatchObject({ status: 422, body: { error: { field: `filter.${compared}` } } })
    }
  })

  it('is stored exactly up to the maximum', async () => {
    expect((await addSource('{"a":9007199254740991,"b":-9007199254740991,"c":0.1}')).body.metadata).toEqual({
      a: 9007199254740991,
      b: -9007199254740991,
      c: 0.1,
    })
  })

  it.each(routes.filter(({ route }) => route.body !== undefined))('is outside the range of every number field: $name', ({ route }) => {
    const unbounded: string[] = []
    const walk = (part: unknown, path: string): void => {
      if (typeof part !== 'object' || part === null) return
      const { type, minimum = -Infinity, maximum = Infinity } = part as { type?: unknown; minimum?: number; maximum?: number }
      const numeric = type === 'number' || type === 'integer'
      if (numeric && (minimum < Number.MIN_SAFE_INTEGER || maximum > Number.MAX_SAFE_INTEGER)) unbounded.push(path)
      for (const [name, value] of Object.entries(part)) walk(value, `${path}/${name}`)
    }
    walk(z.toJSONSchema(route.body ?? z.object({}), { io: 'input', unrepresentable: 'any' }), '')
    expect(unbounded).toEqual([])
  })
})
