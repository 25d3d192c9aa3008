import { expect, test } from 'vitest'
import type { ExtractedDocument } from '../extract/document.ts'
import { chunkInBackground } from './background-chunker.ts'
import { chunkDocument } from './chunk-document.ts'

const settings = { strategy: 'semantic', size: 512, overlap: 64 } as const
const text = Array.from(
  { length: 2000 },
  (_, n) => `Bicycle number ${n} stands in row ${n % 40} of the cellar and waits for its winter service.`,
).join(' ')
const document: ExtractedDocument = {
  mediaType: 'text/plain',
  title: null,
  language: 'en',
  pages: null,
  text,
  blocks: [{ kind: 'paragraph', start: 0, end: text.length }],
  warnings: [],
}

test('a long document is chunked in a separate process, with the same chunks', async () => {
  expect(text.length).toBeGreaterThan(100_000)
  const aside = await chunkInBackground(document, settings, new AbortController().signal)
  expect(aside).toEqual(await chunkDocument(document, settings))
  expect(aside.length).toBeGreaterThan(100)
})

test('a document with too many chunks is refused', async () => {
  const refused = chunkInBackground(document, settings, new AbortController().signal, 100)
  await expect(refused).rejects.toMatchObject({ code: 'too_large', message: expect.stringContaining('maximum is 100.') as string })
})

test('an abort ends only its own wait', async () => {
  const abort = new AbortController()
  const cut = chunkInBackground(document, settings, abort.signal)
  const other = chunkInBackground(document, settings, new AbortController().signal)
  abort.abort()
  await expect(cut).rejects.toThrow(/abort/i)
  expect((await other).length).toBeGreaterThan(100)
  await expect(chunkInBackground(document, settings, abort.signal)).rejects.toThrow(/abort/i)
})
