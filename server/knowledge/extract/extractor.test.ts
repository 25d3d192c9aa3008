import { afterAll, describe, expect, it } from 'vitest'
import { createExtractor, type Extractor, type ExtractorOptions } from './extractor.ts'

const made: Extractor[] = []
function extractor(options: ExtractorOptions = {}): Extractor {
  const one = createExtractor(options)
  made.push(one)
  return one
}
afterAll(() => Promise.all(made.map((one) => one.close())))

const text = (words: string) => ({ bytes: new TextEncoder().encode(words), fileName: 'a.txt' })

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  )
}

describe('the extractor', () => {
  it('extracts many documents with few processes', async () => {
    const shared = extractor({ workers: 2 })
    const documents = await Promise.all(Array.from({ length: 200 }, (_, at) => shared.extract(text(`document ${at}`))))
    expect(documents.map((document) => document.text)).toEqual(Array.from({ length: 200 }, (_, at) => `document ${at}`))
  })

  it('passes on the reason for an unreadable document', async () => {
    expect(await codeOf(extractor({ workers: 1 }).extract(text('  ')))).toBe('empty_content')
  })

  it('logs an unexpected error with its stack, and does not blame the file', async () => {
    const logged: object[] = []
    const log = { debug: () => undefined, error: (fields: object) => void logged.push(fields) }
    const input = { bytes: 'no bytes' as never, fileName: 'a.txt' }
    const error = await extractor({ workers: 1, log })
      .extract(input)
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'internal', message: expect.not.stringMatching(/damaged|corrupt/) as string })
    expect(logged).toEqual([{ stack: expect.stringMatching(/TypeError[^]*detect/) as string }])
  })

  it('ends a document at its time limit and continues', async () => {
    const shared = extractor({ workers: 1, timeoutMs: 1_000, memoryMb: 4_096 })
    const slow = { bytes: new TextEncoder().encode('<div><p>words, and more words</p></div>'.repeat(300_000)), fileName: 'a.html' }
    expect(await codeOf(shared.extract(slow))).toBe('timeout')
    expect((await shared.extract(text('after'))).text).toBe('after')
  }, 240_000)

  it('stops a document when its caller aborts, queued or running', async () => {
    const shared = extractor({ workers: 1 })
    const left = AbortSignal.abort(new Error('left'))
    expect(await codeOf(shared.extract(text('never'), left))).toBe('Error: left')
    const leaving = new AbortController()
    const working = codeOf(shared.extract(text('at work'), leaving.signal))
    const queued = codeOf(shared.extract(text('queued'), leaving.signal))
    setImmediate(() => leaving.abort(new Error('left')))
    expect([await working, await queued]).toEqual(['Error: left', 'Error: left'])
    expect((await shared.extract(text('after'))).text).toBe('after')
  })

  it.each([360, 400, 450])(
    'fails one document when %i MB of memory are too little, and continues',
    async (memoryMb) => {
      const shared = extractor({ workers: 1, memoryMb })
      const lists = `[${'[1],'.repeat(8_000_000)}[1]]`
      expect(await codeOf(shared.extract({ bytes: new TextEncoder().encode(lists), fileName: 'a.json' }))).toBe('too_large')
      expect((await shared.extract(text('after'))).text).toBe('after')
    },
    240_000,
  )

  it('fails running documents when it closes, and accepts no more', async () => {
    const shared = extractor({ workers: 1 })
    const pending = codeOf(shared.extract(text('x')))
    await shared.close()
    expect(await pending).not.toBe('ok')
    expect(await codeOf(shared.extract(text('x')))).toMatch(/closed/)
  })
})
