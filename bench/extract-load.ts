import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evaluationDocuments, readManifest } from '@groundwork/e2e/evaluation-documents'
import { createExtractor } from '@groundwork/server/knowledge/extract/extractor'
import { makePdf } from '@groundwork/server/testing/make-pdf'
import { printTable, withEnds } from './run.ts'

const words = 'the trailer returns to depot with keys charge deposit tonnes signed before evening wash axle hitch spare tyre ramp'.split(
  ' ',
)
const pages = 300

await withEnds(async () => {
  let peakMb = 0
  const log = {
    debug: (fields: object) => void (peakMb = Math.max(peakMb, (fields as { peakMb?: number }).peakMb ?? 0)),
    error: (fields: object) => void process.stderr.write(`${JSON.stringify(fields)}\n`),
  }
  const rows: string[][] = []
  const real = readManifest(evaluationDocuments).filter(({ kind }) => kind === 'pdf')
  const largest = ['debmake-doc.zh-cn', 'debmake-doc.ru', 'debmake-doc.ja'].flatMap(
    (name) => real.find(({ path }) => path.includes(name)) ?? [],
  )
  const files = [
    { name: `${pages} generated pages`, bytes: makePdf(Array.from({ length: pages }, (_, page) => generatedPage(page))) },
    ...largest.map(({ path }) => ({ name: path, bytes: readFileSync(join(evaluationDocuments, path)) })),
  ]
  for (const { name, bytes } of files) {
    peakMb = 0
    const extractor = createExtractor({ workers: 1, log })
    const started = performance.now()
    const document = await extractor.extract({ bytes })
    const seconds = (performance.now() - started) / 1000
    await extractor.close()
    rows.push([
      name,
      String(document.pages),
      seconds.toFixed(1),
      ((document.pages ?? 0) / seconds).toFixed(0),
      String(peakMb),
      peakMb < 700 ? 'yes' : 'NO',
    ])
  }
  printTable('PDFs in a separate process, including its start', ['document', 'pages', 'seconds', 'pages/s', 'peak MB', 'under 700'], rows)
})

function generatedPage(page: number): string[] {
  const line = (at: number): string =>
    Array.from({ length: 13 }, (_, word) => words[(page * 7 + at * 5 + word * (1 + (at % 3))) % words.length]).join(' ')
  return [`Chapter ${page + 1}`, ...Array.from({ length: 45 }, (_, at) => (at % 9 === 8 ? '' : `${line(at)}.`))]
}
