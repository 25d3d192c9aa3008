import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { evaluationDocuments, outputName, readManifest, scoreTexts } from '@groundwork/e2e/evaluation-documents'
import { createExtractor } from '@groundwork/server/knowledge/extract/extractor'
import { inParallel, printTable, withEnds } from './run.ts'

const only = process.argv[2] ?? ''

await withEnds(async (atEnd) => {
  const extractor = createExtractor({ workers: 2 })
  atEnd(() => extractor.close())
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-extract-'))
  await mkdir(folder, { recursive: true })
  const rows: string[][] = []
  await inParallel(
    readManifest(evaluationDocuments).filter(({ path }) => path.includes(only)),
    2,
    async ({ path, outcomes }) => {
      const bytes = await readFile(join(evaluationDocuments, path))
      const started = performance.now()
      const outcome = await extractor.extract({ bytes, fileName: basename(path) }).then(
        async ({ text, ...document }) => {
          await writeFile(join(folder, outputName(path)), text)
          await writeFile(join(folder, `${outputName(path)}.json`), JSON.stringify(document, null, 1))
          return 'completed'
        },
        (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
      )
      const ms = performance.now() - started
      rows.push([path, outcome, outcomes.join(' or '), outcomes.includes(outcome) ? 'yes' : 'NO', ms.toFixed(0)])
    },
  )
  printTable('Outcome of each document', ['document', 'outcome', 'expected', 'holds', 'ms'], rows)
  const { kinds, recall, precision, checks, table } = await scoreTexts(folder)
  process.stdout.write(`\n${table}`)
  const each = [...kinds].map(([kind, score]) => [kind, String(score.documents), score.recall.toFixed(3), score.precision.toFixed(3)])
  const mean = (values: readonly number[]): string => (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3)
  const scores = [...kinds.values()]
  printTable(
    'Words against the expected text',
    ['kind', 'documents', 'recall', 'precision'],
    [
      ...each,
      ['mean of documents', '', recall.toFixed(3), precision.toFixed(3)],
      ['mean of types', '', mean(scores.map((score) => score.recall)), mean(scores.map((score) => score.precision))],
    ],
  )
  const failed = [...checks].filter(([, held]) => held.split('/')[0] !== held.split('/')[1])
  process.stdout.write(`\nFailed checks: ${failed.map(([path, held]) => `${path} ${held}`).join(', ') || 'none'}\n`)
  process.stdout.write(
    `\nTexts: ${folder}\nWrong outcomes: ${
      rows
        .filter((row) => row[3] === 'NO')
        .map((row) => row[0])
        .join(', ') || 'none'
    }\n`,
  )
})
