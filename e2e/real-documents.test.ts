import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { evaluationDocuments as documents, withEvaluationData } from './evaluation-documents.ts'
import { createToken, program, root } from './program.ts'

/** Ten PDFs in five languages, with known parts of their text: written here, or required by a human check. */
const written = [
  'RECEIPT-2024-TXN-98765_retail_purchase',
  'code_and_formula',
  'multi_page',
  'redp5110_sampled',
  'normal_4pages',
  'debmake-doc.ja',
  'debmake-doc.ru',
  'debmake-doc.zh-cn',
]
const checked = ['olmocr-small_page_size', 'olmocr-openstax_caculus_pg_273']

interface KnownDocument {
  readonly path: string
  readonly sentences: () => Promise<string[]>
}

const handbook: KnownDocument = {
  path: join(root, 'examples/handbook.pdf'),
  sentences: async () => {
    const html = await readFile(join(root, 'examples/source/handbook.html'), 'utf8')
    const paragraphs = [...html.matchAll(/<p[^>]*>([^]*?)<\/p>/g)].map(([, text = '']) =>
      text.replace(/<[^>]*>/g, '').replaceAll('&amp;', '&'),
    )
    return threeOf(paragraphs.join('\n\n'))
  },
}
const evaluated: KnownDocument[] = [...written, ...checked].map((name) => ({
  path: join(documents, 'pdf', `${name}.pdf`),
  sentences: () => (written.includes(name) ? sentencesOf(name) : requiredSentences(name)),
}))

describe.each([
  { name: 'the handbook of the examples', known: [handbook] },
  ...(withEvaluationData ? [{ name: 'ten PDFs of the evaluation data', known: evaluated }] : []),
])('$name', ({ known }) => {
  test('completes, and a sentence of its text finds it', async () => {
    const groundwork = await program(onTestFinished, { LOG_LEVEL: 'warn' })
    await groundwork.start()
    const client = new Client(groundwork.url, (await createToken(groundwork)).token)
    const base = await client.createBase('real documents')
    const sources = new Map<KnownDocument, string>()
    for (const document of known) sources.set(document, (await client.addPath(base.id, document.path)).id)
    for (const [{ path }, id] of sources) {
      const source = await client.settled(base.id, id, 400_000)
      expect([path, source.status, source.error]).toEqual([path, 'completed', null])
    }
    for (const [{ path, sentences: read }, id] of sources) {
      const sentences = await read()
      const found: boolean[] = []
      for (const sentence of sentences) {
        const hits = await client.search(base.id, sentence, { topK: 5 })
        const passage = hits.find((hit) => hit.sourceId === id && shared(sentence, hit.text) > 0.7)
        found.push(passage !== undefined && (passage.citation.page ?? 0) > 0)
      }
      // Page columns can split a sentence, so two of three must be in one passage.
      expect([path, found.filter(Boolean).length >= Math.min(2, sentences.length), sentences]).toEqual([path, true, sentences])
    }
    expect(await groundwork.stop()).toBe(0)
  }, 600_000)
})

async function sentencesOf(name: string): Promise<string[]> {
  const path = ['md', 'txt'].map((end) => join(documents, 'expected', `pdf__${name}.pdf.${end}`)).find((candidate) => existsSync(candidate))
  return threeOf(await readFile(path ?? '', 'utf8'))
}

/** Returns three sentences of ordinary length from different parts of a text. */
function threeOf(text: string): string[] {
  const sentences = text
    .split(/\n\s*\n|(?<=[.!?。])\s/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => /^[\p{L}\d]/u.test(part) && !part.includes('|') && part.length >= 40 && part.length <= 300)
  if (sentences.length < 3) throw new Error('the expected text has too few sentences')
  return [0.25, 0.5, 0.75].flatMap((share) => sentences[Math.floor(sentences.length * share)] ?? [])
}

/** Returns the longest texts that a human check requires in the document. */
async function requiredSentences(name: string): Promise<string[]> {
  const lines = (await readFile(join(documents, 'checks.jsonl'), 'utf8')).split('\n').filter((line) => line !== '')
  const checks = lines.map((line) => JSON.parse(line) as { path: string; must: string[] })
  const must = checks.find(({ path }) => path === `pdf/${name}.pdf`)?.must ?? []
  if (must.length === 0) throw new Error(`nothing is required of ${name}`)
  return must.toSorted((a, b) => b.length - a.length).slice(0, 2)
}

/** Returns the share of the sentence's letter pairs that occur in the passage, ignoring spaces and punctuation. */
function shared(sentence: string, passage: string): number {
  const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const pairs = (text: string): string[] => Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2))
  const passagePairs = new Set(pairs(letters(passage)))
  const wanted = pairs(letters(sentence))
  return wanted.filter((pair) => passagePairs.has(pair)).length / Math.max(1, wanted.length)
}
