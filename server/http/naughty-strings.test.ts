import { describe, expect, it } from 'vitest'
import { testApp, type Caller } from '../testing/app.ts'
import { hostileStrings } from '../testing/hostile-values.ts'

const unit = new Float32Array(384).fill(1 / Math.sqrt(384))
const { organization } = await testApp({
  embedder: {
    model: 'unit@test/float32',
    dimensions: 384,
    embed: async (texts) => texts.map(() => unit),
    competence: () => 1,
    close: async () => undefined,
  },
})

/** Strings for this test in addition to the common ones. */
const further = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\uffff',
  '\u202e',
  '%00',
  '\\u0000',
  "\\'; --",
  '12345/-67',
  '{}',
  'a\u2028b',
  '٣',
  'x'.repeat(100_000),
]

const id = '0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8'
const text = (value: string): string => value.trim()

interface Field {
  /** Returns a body with the string in the field. */
  body: (value: string) => object
  /** Returns the stored string from a record. */
  kept?: (record: any) => unknown // oxlint-disable-line typescript/no-explicit-any -- looks into any record
  as?: (value: string) => unknown
}

const contactFields: Record<string, Field> = {
  'names, source and tag': {
    body: (value) => ({ firstName: value, lastName: value, source: value, tags: [value] }),
    kept: ({ firstName, lastName, source, tags }) => [firstName, lastName, source, ...tags],
    as: (value) => Array.from({ length: 4 }, () => text(value)),
  },
  email: { body: (email) => ({ email }), kept: (contact) => contact.email, as: (value) => text(value).toLowerCase() },
  phone: { body: (phone) => ({ phone }) },
  externalId: { body: (externalId) => ({ externalId, email: 'a@example.com' }), kept: (contact) => contact.externalId },
  tags: { body: (tags) => ({ tags, email: 'a@example.com' }) },
  'name of a field': { body: (name) => ({ [name]: 'x', email: 'a@example.com' }) },
}

const offer = { title: 'T', contactId: id, totalAmount: '1' }
const item = { description: 'x', unitPrice: '1' }
const proposalFields: Record<string, Field> = {
  'title, message and description': {
    body: (value) => ({ title: value, message: value, items: [{ ...item, description: value }] }),
    kept: ({ title, message, items }) => [title, message, items[0].description],
    as: (value) => Array.from({ length: 3 }, () => text(value)),
  },
  contactId: { body: (contactId) => ({ contactId }) },
  totalAmount: { body: (totalAmount) => ({ totalAmount }) },
  currency: { body: (currency) => ({ currency }) },
  externalId: { body: (externalId) => ({ externalId }), kept: (proposal) => proposal.externalId },
  expiresAt: { body: (expiresAt) => ({ expiresAt }) },
  quantity: { body: (quantity) => ({ items: [{ ...item, quantity }], totalAmount: undefined }) },
  unitPrice: { body: (unitPrice) => ({ items: [{ ...item, unitPrice }], totalAmount: undefined }) },
  discount: { body: (discount) => ({ items: [{ ...item, discount }], totalAmount: undefined }) },
  taxRate: { body: (taxRate) => ({ items: [{ ...item, taxRate }], totalAmount: undefined }) },
  'name of a field': { body: (name) => ({ [name]: 'x' }) },
}

const baseFields: Record<string, Field> = {
  'name and description': {
    body: (value) => ({ name: value, description: value }),
    kept: ({ name, description }) => [name, description],
    as: (value) => [text(value), text(value)],
  },
  chunkingStrategy: { body: (chunkingStrategy) => ({ name: 'x', ragSettings: { chunkingStrategy } }) },
  'name of a setting': { body: (name) => ({ name: 'x', ragSettings: { [name]: 1 } }) },
}

const page = { name: 'x', type: 'url', url: 'https://example.com/' }
const sourceFields: Record<string, Field> = {
  name: { body: (name) => ({ ...page, name }), kept: ({ name }) => name },
  'value of metadata': { body: (value) => ({ ...page, metadata: { note: value } }), kept: ({ metadata }) => metadata.note },
  'key of metadata': { body: (key) => ({ ...page, metadata: { [key]: 1 } }) },
  type: { body: (type) => ({ ...page, type }) },
  url: { body: (url) => ({ ...page, url }), kept: ({ url }) => url },
  storageUrl: { body: (storageUrl) => ({ name: 'x', type: 'file', storageUrl }) },
}

const refusals = [400, 413, 422]

/** Sends every string in the field. An accepted string must be returned unchanged, also when the record is read again. */
async function send(
  { call }: Caller,
  strings: readonly string[],
  field: Field,
  request: { method: string; path: string; with?: object },
): Promise<number> {
  let taken = 0
  for (const value of strings) {
    const answer = await call(request.method, request.path, { ...request.with, ...field.body(value) })
    if (refusals.includes(answer.status)) continue
    // A duplicate externalId.
    if (answer.status === 409) continue
    expect([JSON.stringify(value), answer.status]).toEqual([JSON.stringify(value), request.method === 'POST' ? 201 : 200])
    taken += 1
    if (field.kept === undefined) continue
    expect(field.kept(answer.body)).toEqual((field.as ?? text)(value))
    if (request.method !== 'POST') continue
    const read = await call('GET', `${request.path}/${answer.body.id}`)
    expect(read.body).toEqual(answer.body)
  }
  return taken
}

describe.each<[string, readonly string[]]>([
  ['further strings', further],
  ['hostile strings', hostileStrings],
])('%s', { timeout: 240_000 }, (name, strings) => {
  describe('in a contact', () => {
    it.each(Object.entries(contactFields))('%s', async (fieldName, field) => {
      const caller = await organization()
      const taken = await send(caller, strings, field, { method: 'POST', path: '/v1/contacts' })
      const { body } = await caller.call('POST', '/v1/contacts', { email: 'b@example.com' })
      await send(caller, strings, field, { method: 'PATCH', path: `/v1/contacts/${body.id}` })
      const least = name === 'hostile strings' && fieldName.startsWith('names') ? strings.length * 0.6 : 0
      expect(taken).toBeGreaterThanOrEqual(least)
    })
  })

  describe('in a proposal', () => {
    it.each(Object.entries(proposalFields))('%s', async (fieldName, field) => {
      const caller = await organization()
      const contactId = (await caller.call('POST', '/v1/contacts', { email: 'b@example.com' })).body.id
      const taken = await send(caller, strings, field, { method: 'POST', path: '/v1/proposals', with: { ...offer, contactId } })
      const { body } = await caller.call('POST', '/v1/proposals', { ...offer, contactId, draft: true })
      await send(caller, strings, field, { method: 'PATCH', path: `/v1/proposals/${body.id}` })
      const least = name === 'hostile strings' && fieldName.startsWith('title') ? strings.length * 0.75 : 0
      expect(taken).toBeGreaterThanOrEqual(least)
    })

    it('as the reason of a void', async () => {
      const { call } = await organization()
      const contactId = (await call('POST', '/v1/contacts', { email: 'b@example.com' })).body.id
      for (const reason of strings) {
        const { body } = await call('POST', '/v1/proposals', { ...offer, contactId })
        const voided = await call('POST', `/v1/proposals/${body.id}/void`, { reason })
        expect([200, 422]).toContain(voided.status)
        expect(voided.status === 422 || voided.body.voidReason === text(reason)).toBe(true)
      }
    })
  })

  describe('in a base', () => {
    it.each(Object.entries(baseFields))('%s', async (fieldName, field) => {
      const caller = await organization()
      const taken = await send(caller, strings, field, { method: 'POST', path: '/v1/bases' })
      const { body } = await caller.call('POST', '/v1/bases', { name: 'b' })
      await send(caller, strings, field, { method: 'PATCH', path: `/v1/bases/${body.id}` })
      expect(taken).toBeGreaterThanOrEqual(name === 'hostile strings' && fieldName.startsWith('name and') ? strings.length * 0.75 : 0)
    })
  })

  describe('in a source', () => {
    it.each(Object.entries(sourceFields))('%s', async (fieldName, field) => {
      const caller = await organization()
      const { body } = await caller.call('POST', '/v1/bases', { name: 'b' })
      const taken = await send(caller, strings, field, { method: 'POST', path: `/v1/bases/${body.id}/sources` })
      expect(taken).toBeGreaterThanOrEqual(name === 'hostile strings' && fieldName === 'name' ? strings.length * 0.6 : 0)
    })
  })

  describe('in an upload and a search', () => {
    it('as file name, content type and query', async () => {
      const { call } = await organization()
      const base = (await call('POST', '/v1/bases', { name: 'b' })).body.id
      for (const value of strings) {
        for (const [path, body] of [
          ['/v1/uploads', { fileName: value, sizeBytes: 1 }],
          ['/v1/uploads', { fileName: 'x', sizeBytes: 1, contentType: value }],
          [`/v1/bases/${base}/search`, { query: value }],
          [`/v1/bases/${base}/search`, { query: 'x', sourceIds: [value] }],
        ] as const) {
          const { status } = await call('POST', path, body)
          expect([path, value, [200, 201, 422].includes(status) || status]).toEqual([path, value, true])
        }
      }
    })
  })

  describe('in a URL', () => {
    const short = strings.filter((value) => value.length < 5000)

    it.each(['q', 'cursor', 'tag', 'email', 'phone', 'externalId', 'createdAfter', 'limit', 'count'])(
      'as %s of the contacts',
      async (parameter) => {
        const { call } = await organization()
        await call('POST', '/v1/contacts', { email: 'b@example.com', firstName: 'B', tags: ['x'] })
        for (const value of short) {
          const { status } = await call('GET', `/v1/contacts?${parameter}=${encodeURIComponent(wellFormed(value))}`)
          expect([value, [200, 400].includes(status) || status]).toEqual([value, true])
        }
      },
    )

    it.each(['q', 'cursor', 'status', 'contactId', 'limit'])('as %s of the proposals', async (parameter) => {
      const { call } = await organization()
      for (const value of short) {
        const { status } = await call('GET', `/v1/proposals?${parameter}=${encodeURIComponent(wellFormed(value))}`)
        expect([value, [200, 400].includes(status) || status]).toEqual([value, true])
      }
    })

    it('as an id', async () => {
      const { call } = await organization()
      for (const value of short) {
        const segment = encodeURIComponent(wellFormed(value)).replace(/^\.+$/, '%252e')
        if (segment === '') continue
        for (const path of ['/v1/contacts/', '/v1/contacts/ctc_', '/v1/proposals/', '/v1/bases/', '/v1/bases/kb_'].map(
          (start) => start + segment,
        )) {
          expect([path, (await call('GET', path)).status]).toEqual([path, 404])
        }
      }
    })

    it('finds each name by its exact text', async () => {
      const { call } = await organization()
      for (const value of short) {
        const created = await call('POST', '/v1/contacts', { firstName: 'x', lastName: wellFormed(value) })
        if (created.status !== 201 || text(value).includes('\u0000') || value.length > 100) continue
        // Searches ignore punctuation, so names without letters, digits or emoji are not found.
        if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(value)) continue
        const { status, body } = await call('GET', `/v1/contacts?limit=100&q=${encodeURIComponent(created.body.lastName)}`)
        expect([value, status]).toEqual([value, 200])
        expect([value, body.map((contact: { id: string }) => contact.id).includes(created.body.id)]).toEqual([value, true])
      }
    })
  })
})

/** Replaces lone surrogates, which cannot be encoded in a URL. */
const wellFormed = (value: string): string => Buffer.from(value).toString()
