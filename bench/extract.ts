import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { existsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { evaluationDocuments, outputName, readManifest, scoreTexts } from '@groundwork/e2e/evaluation-documents'
import { root } from '@groundwork/e2e/program'
import { createExtractor, type Extractor } from '@groundwork/server/knowledge/extract/extractor'
import { inParallel, printTable, withEnds } from './run.ts'
import { filesIn, meanOf, measureStructure, pooled, type MeasuredDocument } from './structure-documents.ts'
import { isWithoutTables } from './structure-tables.ts'
import { chunksWithTables, ratio, type Count } from './structure.ts'

/** A folder of documents, of which the structure is measured; otherwise a part of the path of evaluation documents. */
const argument = process.argv[2] ?? ''
const isFolder = argument !== '' && existsSync(argument) && statSync(argument).isDirectory()

await withEnds(async (atEnd) => {
  const extractor = createExtractor({ workers: 2 })
  atEnd(() => extractor.close())
  if (!isFolder) await words(extractor, argument)
  const folders = isFolder ? [argument] : [evaluationDocuments, join(root, 'e2e/documents'), join(root, 'examples')]
  const measured: MeasuredDocument[] = []
  for (const folder of folders) {
    const paths = (await filesIn(folder)).filter((path) => isFolder || (path.includes(argument) && !/^(?:expected|source)\//.test(path)))
    await inParallel(paths, 2, async (path) => {
      const one = await measureStructure(extractor, folder, path)
      if (one) measured.push(one)
    })
  }
  printStructure(measured.toSorted((a, b) => a.path.localeCompare(b.path)))
})

async function words(extractor: Extractor, only: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-extract-'))
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
}

function printStructure(documents: readonly MeasuredDocument[]): void {
  const shown = (value: number | null): string => (value === null ? '' : value.toFixed(3))
  const columns = ['headingPaths', 'bookmarks', 'pages', 'wholeStarts', 'insideWords', 'short', 'withTables'] as const
  printTable(
    'Structure of each document: shares of its chunks, and of its bookmarks that are headings',
    ['document', 'chunks', 'heading paths', 'bookmarks', 'cited pages', 'whole starts', 'inside a word', 'short', 'with tables', 'title'],
    [
      ...documents.map(({ path, chunks, structure, document: { title } }) => [
        path,
        String(chunks.length),
        ...columns.map((column) => shown(structure[column])),
        title ?? '–',
      ]),
      ['mean', '', ...columns.map((column) => shown(meanOf(documents.map(({ structure }) => structure[column])))), ''],
    ],
  )
  const onPages = pooled(documents.map((document) => document.onPages))
  const withoutTables = documents.filter(({ path }) => isWithoutTables(path))
  const asTables = pooled(withoutTables.map(({ document, chunks }) => chunksWithTables(document, chunks)))
  const share = (count: Count): string => `${count.held} of ${count.of} (${ratio(count).toFixed(4)})`
  process.stdout.write(`\nChunks of all PDFs that stand on their cited pages: ${share(onPages)}\n`)
  process.stdout.write(`Chunks with tables in ${withoutTables.length} documents without tables: ${share(asTables)}\n`)
}
