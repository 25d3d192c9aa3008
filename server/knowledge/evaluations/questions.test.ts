import { maxQuestions } from '@groundwork/api'
import { describe, expect, it } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { testApp } from '../../testing/app.ts'
import { addPage, newBase } from '../../testing/sources.ts'

const { organization } = await testApp()
const caller = await organization()
const { call } = caller
const base = await newBase(caller)
const { id: source } = await addPage(caller, base, 'https://example.com/')
const path = `/v1/bases/${base}/questions`

describe('saved questions', () => {
  it('are created, read, changed and deleted', async () => {
    const { status, body } = await call('POST', path, { question: ' When? ', expectedSourceIds: [source, source.slice(4)] })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^qst_/),
        baseId: base,
        question: 'When?',
        expectedSourceIds: [source],
        expectedText: null,
        note: '',
        createdAt: expect.any(String),
        updatedAt: body.createdAt,
      },
    ])
    const at = `${path}/${body.id}`
    expect((await call('GET', at)).body).toEqual(body)
    const changed = await call('PATCH', at, { expectedText: 'nine', expectedSourceIds: [], note: 'n' })
    expect(changed).toMatchObject({ status: 200, body: { question: 'When?', expectedSourceIds: [], expectedText: 'nine', note: 'n' } })
    expect(await call('PATCH', at, { expectedText: null })).toMatchObject({ status: 422, body: { error: { field: 'expectedSourceIds' } } })
    expect((await call('DELETE', at)).status).toBe(204)
    for (const method of ['GET', 'DELETE']) expect((await call(method, at)).status).toBe(404)
  })

  it.each([
    [{ question: 'x' }, 'expectedSourceIds'],
    [{ question: '', expectedText: 'x' }, 'question'],
    [{ question: 'x', expectedText: '' }, 'expectedText'],
    [{ question: 'x', expectedText: 'x', expected: 1 }, 'expected'],
    [{ question: 'x', expectedSourceIds: [`src_${newId()}`] }, 'expectedSourceIds'],
  ])('refuse %j, naming the field', async (body, field) => {
    expect(await call('POST', path, body)).toMatchObject({ status: 422, body: { error: { code: 'validation_error', field } } })
    const bulk = await call('POST', `${path}/bulk`, { questions: [{ question: 'ok', expectedText: 'x' }, body] })
    expect(bulk).toMatchObject({ status: 422, body: { error: { field: `questions.1.${field}` } } })
  })

  it('are created in bulk, all or none, and listed newest first', async () => {
    const own = await newBase(caller)
    const questions = Array.from({ length: 500 }, (_none, index) => ({ question: `q${index}`, expectedText: 'x' }))
    const { status, body } = await call('POST', `/v1/bases/${own}/questions/bulk`, { questions })
    expect([status, body.data.map(({ question }: { question: string }) => question)]).toEqual([
      201,
      questions.map(({ question }) => question),
    ])
    const first = await call('GET', `/v1/bases/${own}/questions?limit=2`)
    expect(first.body.data).toEqual([body.data[499], body.data[498]])
    const second = await call('GET', `/v1/bases/${own}/questions?limit=1&cursor=${first.body.nextCursor}`)
    expect(second.body.data).toEqual([body.data[497]])
    expect((await call('POST', `/v1/bases/${own}/questions/bulk`, { questions: [...questions, questions[0]] })).status).toBe(422)
    for (let n = 500; n < maxQuestions; n += 500)
      expect((await call('POST', `/v1/bases/${own}/questions/bulk`, { questions })).status).toBe(201)
    expect(await call('POST', `/v1/bases/${own}/questions`, questions[0])).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    })
  })

  it('lose deleted expected sources, and only exist in their knowledge base', async () => {
    const own = await newBase(caller)
    const [one, other] = [await addPage(caller, own, 'https://example.com/'), await addPage(caller, own, 'https://example.com/b')]
    const { body } = await call('POST', `/v1/bases/${own}/questions`, { question: 'x', expectedSourceIds: [other.id, one.id] })
    expect(body.expectedSourceIds).toEqual([other.id, one.id])
    await call('DELETE', `/v1/bases/${own}/sources/${other.id}`)
    expect((await call('GET', `/v1/bases/${own}/questions/${body.id}`)).body.expectedSourceIds).toEqual([one.id])
    expect((await call('PATCH', `/v1/bases/${own}/questions/${body.id}`, { note: 'x' })).status).toBe(200)
    expect((await call('GET', `${path}/${body.id}`)).status).toBe(404)
    expect((await call('POST', path, { question: 'x', expectedSourceIds: [one.id] })).status).toBe(422)
  })
})
