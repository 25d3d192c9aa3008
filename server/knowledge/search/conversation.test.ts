import { describe, expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { addPassages } from '../../testing/passages.ts'
import { unitEmbedder } from '../../testing/fixtures.ts'
import { conversationQuery, isFollowUp } from './conversation.ts'

const embedded: string[] = []
const { organization } = await testApp({
  embedder: {
    ...unitEmbedder,
    embed: (texts, purpose) => {
      embedded.push(...texts)
      return unitEmbedder.embed(texts, purpose)
    },
  },
})

const user = (content: string) => ({ role: 'user' as const, content })
const assistant = (content: string) => ({ role: 'assistant' as const, content })

describe('a question depends on the previous one', () => {
  it.each([
    'and on Sunday?',
    'And the children’s bicycles that you rent at the harbour?',
    'how much is it?',
    'What about e-bikes with two batteries?',
    'Do they have lights?',
    'Why?',
    '?',
    'und am Sonntag?',
    'Was kostet das?',
    '¿Y los domingos?',
    'Et pour les enfants ?',
    'Zondag?',
    '日曜日は？',
  ])('%s', (text) => expect(isFollowUp(text)).toBe(true))

  it.each([
    'Do you rent e-bikes with a child seat?',
    'How high is the deposit for a cargo bicycle?',
    'Can I bring the bicycle back to another station on Sunday?',
    'Wie hoch ist die Kaution für ein Lastenrad?',
    '¿Cuánto cuesta alquilar una bicicleta eléctrica?',
    'Combien coûte la location d’un vélo électrique ?',
    '電動自転車のレンタル料金はいくらですか',
  ])('but not %s', (text) => expect(isFollowUp(text)).toBe(false))
})

describe('askedIn', () => {
  it('returns the last question of the user, and the ones that it depends on', () => {
    const rent = user('Do you rent e-bikes with a child seat?')
    expect(conversationQuery([rent])).toEqual({ text: rent.content, earlier: '' })
    expect(conversationQuery([user('Where is the station at the harbour?'), assistant('By the quay.'), rent, assistant('Yes.')])).toEqual({
      text: rent.content,
      earlier: '',
    })
    const talk = [
      user('Where is the station at the harbour?'),
      rent,
      assistant('Yes, ten.'),
      user('How much is it?'),
      user('And on Sunday?'),
    ]
    expect(conversationQuery(talk)).toEqual({ text: 'And on Sunday?', earlier: `${rent.content}\nHow much is it?` })
    expect(conversationQuery([user('And on Sunday?')])).toEqual({ text: 'And on Sunday?', earlier: '' })
  })

  it('returns at most three earlier ones, truncated', () => {
    const long = conversationQuery([user(`Do ${'bicycle '.repeat(900)}`), ...Array.from({ length: 5 }, (_, at) => user(`And ${at}?`))])
    expect(long).toEqual({ text: 'And 4?', earlier: 'And 1?\nAnd 2?\nAnd 3?' })
    const cut = conversationQuery([user(`${'🚲'.repeat(4001)}x`), user(`Andy ${'🚲'.repeat(4001)}`)])
    expect([cut.text.length, cut.earlier.length]).toEqual([3999, 999])
    expect(/\p{Surrogate}/u.test(cut.text + cut.earlier)).toBe(false)
  })
})

describe('a search by messages', async () => {
  const caller = await organization()
  const base: string = (await caller.call('POST', '/v1/bases', { name: 'B' })).body.id
  await addPassages(caller, base, [
    'A cargo bicycle costs 40 a day.',
    'On Sundays a cargo bicycle costs 50.',
    'On Sundays the museum is closed.',
    'Helmets hang behind the desk.',
  ])
  const search = (body: object) => caller.call('POST', `/v1/bases/${base}/search`, body)
  const texts = ({ body }: Awaited<ReturnType<typeof search>>): string[] => body.data.map(({ text }: { text: string }) => text)

  it('searches for the last question, and with less weight for the ones that it depends on', async () => {
    const messages = [user('What does a cargo bicycle cost for a day?'), assistant('The museum is lovely.'), user('And on Sunday?')]
    embedded.length = 0
    const answer = await search({ messages })
    expect([answer.status, answer.body.query]).toEqual([200, 'What does a cargo bicycle cost for a day?\nAnd on Sunday?'])
    expect(embedded).toEqual([answer.body.query])
    expect(texts(answer)[0]).toBe('On Sundays a cargo bicycle costs 50.')
    const alone = await search({ query: 'And on Sunday?' })
    expect([alone.body.query, new Set(texts(alone).slice(0, 2))]).toEqual([
      'And on Sunday?',
      new Set(['On Sundays the museum is closed.', 'On Sundays a cargo bicycle costs 50.']),
    ])
    const lexicalOf = (found: typeof answer, text: string): number =>
      found.body.data.find((hit: { text: string }) => hit.text === text).scores.lexical
    // A word of the question itself counts in full, one of the question before for half.
    expect(lexicalOf(answer, 'On Sundays the museum is closed.')).toBe(lexicalOf(alone, 'On Sundays the museum is closed.'))
    const [full, half] = [await search({ query: 'helmet' }), await search({ messages: [user('helmet'), user('and?')] })]
    const bm25 = (lexical: number): number => (20 * lexical) / (1 - lexical)
    const helmets = 'Helmets hang behind the desk.'
    expect(bm25(lexicalOf(half, helmets))).toBeCloseTo(bm25(lexicalOf(full, helmets)) / 2, 6)
  })

  it('covers several knowledge bases', async () => {
    const messages = [user('What does a cargo bicycle cost?'), user('And on Sunday?')]
    const all = await caller.call('POST', '/v1/search', { baseIds: [base], messages, topK: 1 })
    expect(texts(all)).toEqual(['On Sundays a cargo bicycle costs 50.'])
  })

  it.each<[field: string, body: object]>([
    ['query', {}],
    ['messages', { query: 'x', messages: [user('x')] }],
    ['messages', { messages: [] }],
    ['messages', { messages: [assistant('x')] }],
    ['messages', { messages: [user('  ')] }],
    ['messages.0.role', { messages: [{ role: 'human', content: 'x' }] }],
    ['messages.0.content', { messages: [{ role: 'user', content: null }] }],
    ['messages.0.name', { messages: [{ ...user('x'), name: 'y' }] }],
  ])('is refused by %s: %j', async (field, body) => {
    expect(await search(body)).toMatchObject({ status: 422, body: { error: { code: 'validation_error', field } } })
  })
})
