import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Client } from '@groundwork/e2e/client'
import { evaluationDocuments, readManifest } from '@groundwork/e2e/evaluation-documents'
import { createToken, engineName, pause, program } from '@groundwork/e2e/program'
import { createExtractor } from '@groundwork/server/knowledge/extract/extractor'
import { makePdf } from '@groundwork/server/testing/make-pdf'
import { percentile, printTable, withEnds } from './run.ts'

const words = 'the trailer returns to depot with keys charge deposit tonnes signed before evening wash axle hitch spare tyre ramp'.split(
  ' ',
)
const pages = 300

await withEnds(async (atEnd) => {
  let peakMb = 0
  const log = { debug: (fields: object) => void (peakMb = Math.max(peakMb, (fields as { peakMb?: number }).peakMb ?? 0)) }
  const rows: string[][] = []
  const real = readManifest().filter(({ kind }) => kind === 'pdf')
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
  printTable(
    'PDFs in a process of their own, its start included',
    ['document', 'pages', 'seconds', 'pages/s', 'peak MB', 'under 700'],
    rows,
  )

  const groundwork = await program(atEnd, { LOG_LEVEL: 'error', NODE_OPTIONS: '--max-old-space-size=1024' })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const base = await client.createBase('nasty')
  const idle = await timesOfReads(client, base.id, 8_000)
  const nasty = readManifest().filter(({ kind }) => kind === 'nasty')
  const sources = await Promise.all(nasty.map(({ path }) => client.addPath(base.id, join(evaluationDocuments, path))))
  const settling = Promise.all(sources.map(({ id }) => client.settled(base.id, id, 600_000)))
  let settled = false
  void settling.then(() => (settled = true))
  const busy = await timesOfReads(client, base.id, 600_000, () => settled)
  const ended = await settling
  const p95 = (times: readonly number[]): number => percentile(times, 0.95)
  printTable(
    `Reading a base while ${nasty.length} hostile documents are processed at once, milliseconds (${engineName()})`,
    ['', 'requests', 'p50', 'p95', 'ratio', 'under 3'],
    [
      ['idle', String(idle.length), percentile(idle, 0.5).toFixed(1), p95(idle).toFixed(1), '', ''],
      [
        'busy',
        String(busy.length),
        percentile(busy, 0.5).toFixed(1),
        p95(busy).toFixed(1),
        (p95(busy) / p95(idle)).toFixed(2),
        p95(busy) < 3 * p95(idle) ? 'yes' : 'NO',
      ],
    ],
  )
  const failed = ended.filter(({ status }) => status === 'failed').length
  process.stdout.write(
    `\n${ended.length} settled: ${ended.length - failed} completed, ${failed} failed; exit code ${await groundwork.stop()}\n`,
  )
  process.stdout.write(`Documents: ${nasty.map(({ path }) => basename(path)).join(', ')}\n`)
})

function generatedPage(page: number): string[] {
  const line = (at: number): string =>
    Array.from({ length: 13 }, (_, word) => words[(page * 7 + at * 5 + word * (1 + (at % 3))) % words.length]).join(' ')
  return [`Chapter ${page + 1}`, ...Array.from({ length: 45 }, (_, at) => (at % 9 === 8 ? '' : `${line(at)}.`))]
}

async function timesOfReads(client: Client, baseId: string, forMs: number, done: () => boolean = () => false): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + forMs
  while (performance.now() < end && !done()) {
    const started = performance.now()
    await client.call('GET', `/v1/bases/${baseId}`)
    times.push(performance.now() - started)
    await pause(20)
  }
  return times
}
